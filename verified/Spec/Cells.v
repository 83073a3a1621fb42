(** Simple Loop, Linesweeper, Castle Wall and Dotchi Loop: one loop through cells. *)
From Coq Require Import List ZArith Bool String.
From Verified Require Import Spec.Drawing Spec.Grid Spec.Puzzle.
Import ListNotations.
Open Scope Z_scope.

Section Cells.
Context {clue : Type} (p : puzzle clue) (T : line -> bool).
Definition loop_at (c : cell) : bool := visited (grid (rows p) (cols p)) T c.
Definition avoids_clues : bool := forallb (fun '(c, _) => negb (loop_at c)) (clues p).
End Cells.

(** Simple Loop: the loop passes every cell but the holes. *)
Definition simple_loop (p : puzzle unit) (T : line -> bool) : bool :=
  avoids_clues p T && forallb (fun c => has_clue p c || loop_at p T c) (cells p).

(** Linesweeper: a number is not passed, and says how many of the eight cells around it are. *)
Definition linesweeper (p : puzzle Z) (T : line -> bool) : bool :=
  avoids_clues p T && forallb (fun '(c, n) => how_many (loop_at p T) (eight c) =? n) (clues p).

(** Castle Wall: a clue is not passed.  A number with an arrow says how many lines run that way
    somewhere ahead of it.  A colour says whether the cell is inside the loop: whether a ray from it
    to the border, a little to the right of the cells above, crosses an odd number of lines. *)
Record wall := { ahead_are : option (amount * way); inside_loop : option bool }.
Definition lines_ahead (p : puzzle wall) (c : cell) (w : way) : list line :=
  map (fun d => line_to d w) (row_ahead (rows p) (cols p) c w).
Definition ray (p : puzzle wall) (c : cell) : list line :=
  map (fun d => line_to d East) (row_ahead (rows p) (cols p) c North).
Definition castle_wall (p : puzzle wall) (T : line -> bool) : bool :=
  avoids_clues p T
  && forallb (fun '(c, k) =>
       match ahead_are k with
       | Some (n, w) => is_amount n (how_many T (lines_ahead p c w)) | None => true end
       && match inside_loop k with
          | Some b => Bool.eqb (Z.odd (how_many T (ray p c))) b | None => true end) (clues p).

(** Dotchi Loop: the loop passes every white circle and no black one, and no cell outside the
    regions.  On the white circles of a region it always goes straight, or always turns. *)
Definition goes_straight (T : line -> bool) (c : cell) : bool :=
  T (line_to c North) && T (line_to c South) || T (line_to c East) && T (line_to c West).
Definition dotchi_loop (p : puzzle bool) (T : line -> bool) : bool :=
  forallb (fun c => negb (outside_regions p c && loop_at p T c)) (cells p)
  && forallb (fun '(c, white) => Bool.eqb (loop_at p T c) white) (clues p)
  && forallb (fun '(c, white) => forallb (fun '(d, white') =>
       negb (white && white' && match name_at p c with Some n => in_region p n d | None => false end)
       || Bool.eqb (goes_straight T c) (goes_straight T d)) (clues p)) (clues p).
