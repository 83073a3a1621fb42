(** Yajilin, Koburin and Regional Yajilin: one loop through cells.  Cells that it leaves out are
    shaded, but for those with clues in the first two kinds; no two of them are neighbours. *)
From Coq Require Import List ZArith Bool String.
From Verified Require Import Spec.Drawing Spec.Grid Spec.Puzzle.
Import ListNotations.

Section Shading.
Context {clue : Type} (p : puzzle clue) (T : line -> bool).
(** Cells that are neither shaded nor visited. *)
Variable closed : cell -> bool.

Definition passed (c : cell) : bool := visited (grid (rows p) (cols p)) T c.
Definition shaded (c : cell) : bool := (on_cells p c && negb (closed c)) && negb (passed c).
Definition shading : bool :=
  forallb (fun c =>
    negb (closed c && passed c)
    && negb (shaded c && shaded (ahead c East)) && negb (shaded c && shaded (ahead c South))) (cells p).
End Shading.

(** Yajilin: an arrow counts the shaded cells ahead of it; a block has no number. *)
Inductive arrow := Arrow (w : way) (n : amount) | Block.
Definition yajilin (p : puzzle arrow) (T : line -> bool) : bool :=
  shading p T (has_clue p)
  && forallb (fun '(c, k) =>
       match k with
       | Arrow w n => is_amount n (how_many (shaded p T (has_clue p)) (row_ahead (rows p) (cols p) c w))
       | Block => true end) (clues p).

(** Koburin: a number counts the shaded cells beside it; in the variant eight, all around it. *)
Definition koburin (near : cell -> list cell) (p : puzzle amount) (T : line -> bool) : bool :=
  shading p T (has_clue p)
  && forallb (fun '(c, n) => is_amount n (how_many (shaded p T (has_clue p)) (near c))) (clues p).

(** Regional Yajilin: a number counts the shaded cells of its region. *)
Definition regional_yajilin (p : puzzle amount) (T : line -> bool) : bool :=
  shading p T (outside_regions p)
  && forallb (fun '(c, n) =>
       match name_at p c with
       | Some name => is_amount n (how_many (shaded p T (outside_regions p)) (region p name))
       | None => false end) (clues p).
