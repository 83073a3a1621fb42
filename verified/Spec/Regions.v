(** Country Road, Entry Exit and Double Back: one loop through cells and regions. *)
From Coq Require Import List ZArith Bool String.
From Verified Require Import Spec.Drawing Spec.Grid Spec.Puzzle.
Import ListNotations.
Open Scope Z_scope.

Section Regions.
Context {clue : Type} (p : puzzle clue) (T : line -> bool).
(** Cells that the loop leaves out. *)
Variable closed : cell -> bool.

Definition seen (c : cell) : bool := visited (grid (rows p) (cols p)) T c.
Definition leaves_out : bool := forallb (fun c => negb (closed c && seen c)) (cells p).
Definition passes_all_others : bool := forallb (fun c => closed c || seen c) (cells p).
(** How often the border of each region is crossed: twice for each time that the loop enters. *)
Definition borders_crossed (allowed : list Z) : bool :=
  forallb (fun name => existsb (Z.eqb (how_many T (border p name))) allowed) (region_names p).
Definition one_region : bool := (List.length (region_names p) <=? 1)%nat.
End Regions.

(** Entry Exit: every cell is passed, and each region is entered once (if there are several). *)
Definition entry_exit (p : puzzle Empty_set) (T : line -> bool) : bool :=
  leaves_out p T (outside_regions p) && passes_all_others p T (outside_regions p)
  && (one_region p || borders_crossed p T [2]).

(** Double Back: every cell but holes is passed, and each region is entered twice. *)
Definition double_back (p : puzzle unit) (T : line -> bool) : bool :=
  let hole := fun c => outside_regions p c || has_clue p c in
  leaves_out p T hole && passes_all_others p T hole && borders_crossed p T [4].

(** Country Road: each region is entered once (or, in the variant skip, not at all).  Two cells side
    by side across a border are not both left out.  A number says how many cells of its region the
    loop passes. *)
Definition country_road (allowed : list Z) (p : puzzle amount) (T : line -> bool) : bool :=
  let closed := outside_regions p in
  let across := fun c d => closed c || closed d
    || match name_at p c with Some n => in_region p n d | None => false end || seen p T c || seen p T d in
  leaves_out p T closed && (one_region p || borders_crossed p T allowed)
  && forallb (fun c => across c (ahead c East) && across c (ahead c South)) (cells p)
  && forallb (fun '(c, n) =>
       match name_at p c with
       | Some name => is_amount n (how_many (seen p T) (region p name)) | None => false end) (clues p).
