(** Masyu: one loop through cells that passes every pearl.  On a white pearl it goes straight, and
    turns in the cell before or after.  On a black one it turns, and goes straight in both cells next
    to it.  A "?" is either. *)
From Coq Require Import List ZArith Bool.
From Verified Require Import Spec.Drawing Spec.Grid Spec.Puzzle.
Import ListNotations.

Inductive pearl := White | Black | Either.

(** [n e s w] are the lines at the pearl; [nn ee ss ww] go straight on from the next cells. *)
Definition white_pearl (n e s w nn ee ss ww : bool) : bool :=
  n && s && negb e && negb w && negb (nn && ss) || e && w && negb n && negb s && negb (ee && ww).
Definition black_pearl (n e s w nn ee ss ww : bool) : bool :=
  xorb n s && xorb e w && implb n nn && implb e ee && implb s ss && implb w ww.

Definition on_pearl (k : pearl) (n e s w nn ee ss ww : bool) : bool :=
  match k with
  | White => white_pearl n e s w nn ee ss ww
  | Black => black_pearl n e s w nn ee ss ww
  | Either => white_pearl n e s w nn ee ss ww || black_pearl n e s w nn ee ss ww end.

Definition masyu (p : puzzle pearl) (T : line -> bool) : bool :=
  forallb (fun '(c, k) =>
    let at_pearl := fun w => T (line_to c w) in
    let beyond := fun w => T (line_to (ahead c w) w) in
    on_pearl k (at_pearl North) (at_pearl East) (at_pearl South) (at_pearl West)
               (beyond North) (beyond East) (beyond South) (beyond West)) (clues p).

(** Fill: the loop passes every cell. *)
Definition every_cell (p : puzzle pearl) (T : line -> bool) : bool :=
  forallb (visited (grid (rows p) (cols p)) T) (cells p).
