(** Geradeweg, Shingoki and Balance Loop: one loop through cells that passes every circle.  From a
    circle it runs straight in two directions, up to where it turns: each has a length. *)
From Coq Require Import List ZArith Bool.
From Verified Require Import Spec.Drawing Spec.Grid Spec.Puzzle.
Import ListNotations.
Open Scope Z_scope.

(** All pairs of different directions. *)
Definition two_ways : list (way * way) :=
  [(North, South); (East, West); (North, East); (East, South); (South, West); (West, North)].

(** [fits clue straight i j]: the loop may go [i] lines in one direction and [j] in another;
    [straight] says whether these are opposite. *)
Definition two_arms {clue} (fits : clue -> bool -> Z -> Z -> bool) (p : puzzle clue) (T : line -> bool) : bool :=
  forallb (fun '(c, k) =>
    visited (grid (rows p) (cols p)) T c &&
    forallb (fun '(v, w) =>
      let i := run T (arm (rows p) (cols p) c v) in let j := run T (arm (rows p) (cols p) c w) in
      (i =? 0) || (j =? 0) || fits k (opposite v w) i j) two_ways) (clues p).

(** Geradeweg: all straight lines through the circle have the same length, the number. *)
Definition geradeweg (n : amount) (straight : bool) (i j : Z) : bool :=
  if straight then is_amount n (i + j) else (i =? j) && is_amount n i.

(** Shingoki: on white the loop goes straight, on black it turns; a number is the sum of both lengths. *)
Inductive colour := WhiteCircle | BlackCircle | AnyCircle.
Definition shingoki (k : colour * amount) (straight : bool) (i j : Z) : bool :=
  match fst k with WhiteCircle => straight | BlackCircle => negb straight | AnyCircle => true end
  && is_amount (snd k) (i + j).

(** Balance Loop: on white both lengths are equal, on black they are not; a number is their sum. *)
Definition balance_loop (k : colour * amount) (straight : bool) (i j : Z) : bool :=
  match fst k with WhiteCircle => i =? j | BlackCircle => negb (i =? j) | AnyCircle => true end
  && is_amount (snd k) (i + j).
