(** Numberlink: join each pair of equal numbers by a path through cells; no two paths share a cell. *)
From Coq Require Import List ZArith NArith Bool.
From Verified Require Import Spec.Drawing Spec.Grid Spec.Puzzle.
Import ListNotations.
Open Scope Z_scope.

(** The pairs of cells with equal numbers. *)
Fixpoint equal_pairs (l : list (cell * Z)) : list (cell * cell) :=
  match l with
  | [] => []
  | (c, n) :: l' => map (fun x => (c, fst x)) (filter (fun x => snd x =? n) l') ++ equal_pairs l' end.
Definition number_pairs (p : puzzle Z) : list (cell * cell) := equal_pairs (clues p).

(** Each number stands in two cells, and there is one. *)
Definition in_twos (p : puzzle Z) : bool :=
  negb (match clues p with [] => true | _ => false end)
  && forallb (fun x => how_many (fun y => snd y =? snd x) (clues p) =? 2) (clues p).

(** Fill: each cell is on a path. *)
Definition all_cells_used (p : puzzle Z) (T : line -> bool) : bool :=
  forallb (visited (grid (rows p) (cols p)) T) (cells p).
