(** What is claimed: a puzzle has exactly the solutions of a list. *)
From Coq Require Import List.
Import ListNotations.

Section Claims.
Context {line : Type}.

(** A drawing has the lines of a list, and no others. *)
Definition draws (T : line -> bool) (s : list line) : Prop := forall l, T l = true <-> In l s.

(** Each list is a solution, each solution is in the list, and no two are the same drawing. *)
Definition exactly (solves : (line -> bool) -> Prop) (solutions : list (list line)) : Prop :=
  (forall s, In s solutions -> exists T, solves T /\ draws T s) /\
  (forall T, solves T -> exists s, In s solutions /\ draws T s) /\
  ForallOrdPairs (fun s s' => ~ exists T, draws T s /\ draws T s') solutions.
End Claims.
