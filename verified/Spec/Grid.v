(** Boards of squares.  Places have a row and a column from 0; lines join neighbours. *)
From Coq Require Import List ZArith Bool.
From Verified Require Import Spec.Drawing.
Import ListNotations.
Open Scope Z_scope.

Definition cell := (Z * Z)%type.
Inductive way := North | East | South | West.
Definition ways := [North; East; South; West].

(** The next cell in a direction. *)
Definition ahead (c : cell) (w : way) : cell :=
  let (row, col) := c in
  match w with
  | North => (row - 1, col) | East => (row, col + 1)
  | South => (row + 1, col) | West => (row, col - 1) end.

(** A line from a cell to the one at its right, or to the one below. *)
Inductive line := Across (c : cell) | Down (c : cell).
Definition ends_of (l : line) : cell * cell :=
  match l with Across c => (c, ahead c East) | Down c => (c, ahead c South) end.

(** The line that leaves a cell in a direction. *)
Definition line_to (c : cell) (w : way) : line :=
  match w with
  | East => Across c | South => Down c
  | West => Across (ahead c West) | North => Down (ahead c North) end.
Definition four_lines (c : cell) : list line := map (line_to c) ways.

(** 0, 1, ..., n - 1. *)
Definition upto (n : Z) : list Z := map Z.of_nat (seq 0 (Z.to_nat n)).

Definition cells_of (rows cols : Z) : list cell := list_prod (upto rows) (upto cols).
Definition on_grid (rows cols : Z) (c : cell) : bool :=
  (0 <=? fst c) && (fst c <? rows) && (0 <=? snd c) && (snd c <? cols).
Definition line_on_grid (rows cols : Z) (l : line) : bool :=
  on_grid rows cols (fst (ends_of l)) && on_grid rows cols (snd (ends_of l)).

Definition grid (rows cols : Z) : board line cell := {|
  lines := filter (line_on_grid rows cols)
             (flat_map (fun c => [Across c; Down c]) (cells_of rows cols));
  places := cells_of rows cols;
  ends := ends_of;
  lines_at := four_lines |}.

(** The cells ahead of a cell, nearest first, up to the border. *)
Definition row_ahead (rows cols : Z) (c : cell) (w : way) : list cell :=
  filter (on_grid rows cols)
    (map (fun k => let (row, col) := c in
       match w with
       | North => (row - 1 - k, col) | East => (row, col + 1 + k)
       | South => (row + 1 + k, col) | West => (row, col - 1 - k) end) (upto (Z.max rows cols))).

(** The lines that a straight run from a cell would take, nearest first, up to the border. *)
Definition arm (rows cols : Z) (c : cell) (w : way) : list line :=
  filter (line_on_grid rows cols) (map (fun b => line_to b w) (c :: row_ahead rows cols c w)).

(** How many members of a list, from the first on, have a property before one that has not. *)
Fixpoint run {A} (f : A -> bool) (l : list A) : Z :=
  match l with [] => 0 | x :: l' => if f x then 1 + run f l' else 0 end.

Definition same (c d : cell) : bool := (fst c =? fst d) && (snd c =? snd d).
Definition opposite (v w : way) : bool :=
  match v, w with
  | North, South | South, North | East, West | West, East => true | _, _ => false end.
