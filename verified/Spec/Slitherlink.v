(** Slitherlink: draw one loop along the lines between dots.  A number says how many of the four
    lines around its cell are drawn. *)
From Coq Require Import List ZArith Bool.
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
