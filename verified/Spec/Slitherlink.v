(** Slitherlink: draw one loop along the lines between dots.  A number says how many of the four
    lines around its cell are drawn. *)
From Coq Require Import List ZArith Bool String.
From Verified Require Import Spec.Drawing Spec.Grid Spec.Puzzle.
Import ListNotations.

(** The cell (r, k) lies below and to the right of the dot (r, k). *)
Definition around (c : cell) : list line :=
  [Across c; Across (ahead c South); Down c; Down (ahead c East)].

Definition slitherlink (p : puzzle amount) (T : line -> bool) : bool :=
  forallb (fun '(c, n) => is_amount n (how_many T (around c))) (clues p).

(** Every dot: the loop passes all of them. *)
Definition every_dot (p : puzzle amount) (T : line -> bool) : bool :=
  let dots := grid (rows p + 1) (cols p + 1) in forallb (visited dots T) (places dots).

(** Path: instead of a loop, one path that joins the two ends in the list "ends". *)
Definition end_pairs {clue} (p : puzzle clue) : list (cell * cell) :=
  match all_of p place_of "ends" with [a; b] => [(a, b)] | _ => [] end.
Definition two_ends {clue} (p : puzzle clue) : bool :=
  match end_pairs p with [(a, b)] => negb (same a b) | _ => false end.

(** Grand Tour: the loop passes every dot; some of its lines are given. *)
Definition grand_tour (p : puzzle Empty_set) (T : line -> bool) : bool :=
  let dots := grid (rows p + 1) (cols p + 1) in forallb (visited dots T) (places dots).
