(** What a drawing is, and when it is one loop.  A board has lines that may be drawn, and places
    (dots or cells) where they end. *)
From Coq Require Import List ZArith Bool.
Import ListNotations.
Open Scope Z_scope.

(** How many members of a list have a property. *)
Fixpoint how_many {A} (f : A -> bool) (l : list A) : Z :=
  match l with [] => 0 | x :: l' => (if f x then 1 else 0) + how_many f l' end.

(** [lines_at] lists the lines that end at a place, perhaps with others that are not on the board. *)
Record board (line place : Type) := Board {
  lines : list line;
  places : list place;
  ends : line -> place * place;
  lines_at : place -> list line }.
Arguments Board {line place}. Arguments lines {line place}. Arguments places {line place}.
Arguments ends {line place}. Arguments lines_at {line place}.

Section Drawings.
Context {line place : Type} (B : board line place).

(** A drawing is a set of lines. *)
Definition drawing := line -> bool.

Definition touches (l : line) (p : place) : Prop := fst (ends B l) = p \/ snd (ends B l) = p.

(** A place is visited if some line ends there. *)
Definition visited (T : drawing) (p : place) : bool := existsb T (lines_at B p).

(** [m] is reached from [l] over drawn lines, each of which shares a place with the one before. *)
Inductive linked (T : drawing) : line -> line -> Prop :=
| linked_refl l : linked T l l
| linked_step l m n p :
    linked T l m -> T n = true -> touches m p -> touches n p -> linked T l n.

(** One loop: drawn lines are on the board, there are some, each place has none or two, and all
    hang together. *)
Record one_loop (T : drawing) : Prop := {
  on_board : forall l, T l = true -> In l (lines B);
  some_line : exists l, T l = true;
  none_or_two : forall p, how_many T (lines_at B p) = 0 \/ how_many T (lines_at B p) = 2;
  together : forall l m, T l = true -> T m = true -> linked T l m }.

(** The lines of the path of a pair: those linked with a line at its first end. *)
Definition on_path (T : drawing) (pair : place * place) (l : line) : Prop :=
  exists m, T m = true /\ touches m (fst pair) /\ linked T m l.

(** Paths that join pairs: ends have one line, other places none or two; the path of a pair reaches
    its other end; each line is on the path of one pair. *)
Record paths (pairs : list (place * place)) (T : drawing) : Prop := {
  lines_on_board : forall l, T l = true -> In l (lines B);
  one_at_ends : forall a b, In (a, b) pairs ->
    how_many T (lines_at B a) = 1 /\ how_many T (lines_at B b) = 1;
  none_or_two_elsewhere : forall p, (forall a b, In (a, b) pairs -> p <> a /\ p <> b) ->
    how_many T (lines_at B p) = 0 \/ how_many T (lines_at B p) = 2;
  ends_joined : forall a b, In (a, b) pairs ->
    exists l, T l = true /\ touches l b /\ on_path T (a, b) l;
  nothing_else : forall l, T l = true -> exists pair, In pair pairs /\ on_path T pair l;
  paths_apart : forall l pair pair', In pair pairs -> In pair' pairs ->
    on_path T pair l -> on_path T pair' l -> pair = pair' }.
End Drawings.
