(** Counting, rules about what is true, and how the lines of a board have numbers. *)
From Coq Require Import List ZArith Bool Lia.
From Verified Require Import Spec.Drawing Spec.Grid.
Import ListNotations.
Open Scope Z_scope.

(** ** Counting *)

Lemma how_many_nonneg {A} (f : A -> bool) l : 0 <= how_many f l.
Proof. induction l; simpl; [lia | destruct (f a); lia]. Qed.

Lemma how_many_in {A} (f : A -> bool) l x : In x l -> f x = true -> how_many f l <> 0.
Proof.
  induction l as [| a l IH]; simpl; intros I F; [tauto |].
  pose proof (how_many_nonneg f l). destruct I as [-> | I].
  - rewrite F; lia.
  - specialize (IH I F). destruct (f a); lia.
Qed.

Lemma how_many_some {A} (f : A -> bool) l : how_many f l <> 0 -> exists x, In x l /\ f x = true.
Proof.
  induction l as [| a l IH]; simpl; intros N; [lia |].
  destruct (f a) eqn:F; [exists a; auto |]. destruct IH as [x [I X]]; [lia | exists x; auto].
Qed.

Lemma how_many_le {A} (f g : A -> bool) l :
  (forall x, f x = true -> g x = true) -> how_many f l <= how_many g l.
Proof.
  intros S; induction l as [| a l IH]; simpl; [lia |].
  destruct (f a) eqn:F; [rewrite (S a F); lia | destruct (g a); lia].
Qed.

(** If a set has at least as many members as one that contains it, both are equal. *)
Lemma how_many_same {A} (f g : A -> bool) l :
  (forall x, f x = true -> g x = true) -> how_many g l <= how_many f l ->
  forall x, In x l -> g x = true -> f x = true.
Proof.
  intros S; induction l as [| a l IH]; simpl; intros L x I G; [tauto |].
  pose proof (how_many_le f g l S). destruct (f a) eqn:F.
  - rewrite (S a F) in L. destruct I as [<- | I]; auto. apply IH; auto; lia.
  - destruct (g a) eqn:Ga; [lia |]. destruct I as [<- | I]; [congruence | apply IH; auto; lia].
Qed.

Lemma how_many_ext {A} (f g : A -> bool) l :
  (forall x, In x l -> f x = g x) -> how_many f l = how_many g l.
Proof.
  induction l as [| a l IH]; simpl; intros E; auto. rewrite (E a), IH; auto.
Qed.

Lemma how_many_map {A B} (h : A -> B) (f : B -> bool) l :
  how_many f (map h l) = how_many (fun x => f (h x)) l.
Proof. induction l; simpl; congruence. Qed.

(** ** Rules: what a solution says about some things, each of which is true or not *)

Inductive rule (A : Type) :=
| Count (l : list (A * bool)) (allowed : list Z)      (* so many of these are true (or false) *)
| Arms (a b : list A) (fits : Z -> Z -> bool)        (* so many from the first on are true *)
| Table (l : list A) (fits : list bool -> bool).
Arguments Count {A}. Arguments Arms {A}. Arguments Table {A}.

Definition literal {A} (v : A -> bool) (x : A * bool) : bool := eqb (v (fst x)) (snd x).

Definition holds {A} (v : A -> bool) (r : rule A) : bool :=
  match r with
  | Count l allowed => existsb (Z.eqb (how_many (literal v) l)) allowed
  | Arms a b fits => fits (run v a) (run v b)
  | Table l fits => fits (map v l) end.

Definition rename {A B} (h : A -> B) (r : rule A) : rule B :=
  match r with
  | Count l allowed => Count (map (fun x => (h (fst x), snd x)) l) allowed
  | Arms a b fits => Arms (map h a) (map h b) fits
  | Table l fits => Table (map h l) fits end.

Lemma run_map {A B} (h : A -> B) (v : A -> bool) (w : B -> bool) l :
  (forall a, w (h a) = v a) -> run w (map h l) = run v l.
Proof. intros E; induction l; simpl; auto. rewrite E, IHl; auto. Qed.

Lemma holds_rename {A B} (h : A -> B) (v : A -> bool) (w : B -> bool) r :
  (forall a, w (h a) = v a) -> holds w (rename h r) = holds v r.
Proof.
  intros E; destruct r as [l allowed | a b fits | l fits]; simpl.
  - rewrite how_many_map.
    rewrite (how_many_ext _ (literal v)); auto. intros x _. unfold literal; simpl. rewrite E; auto.
  - rewrite (run_map h v w a E), (run_map h v w b E); auto.
  - rewrite map_map, (map_ext _ v); auto.
Qed.

(** ** Things of a board: lines and visited places, and numbers for them *)

Inductive thing (line place : Type) := Line (l : line) | Seen (p : place).
Arguments Line {line place}. Arguments Seen {line place}.

Section Numbers.
Context {line place : Type} (B : board line place).

Definition truth (T : line -> bool) (a : thing line place) : bool :=
  match a with Line l => T l | Seen p => visited B T p end.

(** Numbers of things.  1 is for what is not on the board; nothing else need be proved of them than
    that a drawing gives each number a truth value. *)
Record numbering := {
  number : thing line place -> positive;
  node : place -> positive;
  node_inj : forall p q, In p (places B) -> In q (places B) -> node p = node q -> p = q;
  value : (line -> bool) -> positive -> bool;
  value_never : forall T, value T 1%positive = false;
  number_even : forall a, match number a with xO (xO _) | xH => True | _ => False end;
  value_number : forall T, (forall l, T l = true -> In l (lines B)) ->
    forall a, value T (number a) = truth T a }.

(** What a board must fulfil. *)
Record sound_board := {
  same_line : forall l m : line, {l = m} + {l <> m};
  touching : line -> place -> bool;
  touching_ok : forall l p, touching l p = true <-> touches B l p;
  lines_at_touch : forall l p, In l (lines_at B p) -> touches B l p;
  lines_at_all : forall l p, In l (lines B) -> touches B l p -> In l (lines_at B p);
  ends_in : forall l, In l (lines B) -> In (fst (ends B l)) (places B) /\ In (snd (ends B l)) (places B);
  on : line -> bool;
  on_ok : forall l, on l = true <-> In l (lines B) }.
End Numbers.
