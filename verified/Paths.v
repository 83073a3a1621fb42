(** Paths between pairs: no solution contains another, cuts, and colours: each place has the number
    of the path that it is on. *)
From Coq Require Import List ZArith NArith Bool Lia FMapPositive.
From Verified Require Import Spec.Drawing Spec.Grid Graph Loop Resolution Cuts Model.
Import ListNotations.
Open Scope Z_scope.

Section Paths.
Context {line place : Type} (B : board line place) (S : sound_board B).
Variable pairs : list (place * place).

Definition is_end (p : place) : Prop := exists a b, In (a, b) pairs /\ (p = a \/ p = b).

(** Two solutions have equally many lines at each place where the smaller one has some. *)
Lemma same_degree R T : paths B pairs R -> paths B pairs T -> (forall l, R l = true -> T l = true) ->
  (forall p, is_end p \/ ~ is_end p) ->
  forall p, how_many R (lines_at B p) = 0 \/ how_many T (lines_at B p) <= how_many R (lines_at B p).
Proof.
  intros HR HT A D p. destruct (D p) as [[a [b [I E]]] | N].
  - right. destruct (one_at_ends _ _ _ HR a b I), (one_at_ends _ _ _ HT a b I).
    destruct E; subst; lia.
  - assert (K : forall a b, In (a, b) pairs -> p <> a /\ p <> b).
    { intros a b I. split; intros ->; apply N; exists a, b; auto. }
    destruct (none_or_two_elsewhere _ _ _ HR p K), (none_or_two_elsewhere _ _ _ HT p K); lia.
Qed.

Theorem no_paths_contain_others R T : (forall p, is_end p \/ ~ is_end p) ->
  paths B pairs R -> paths B pairs T ->
  (forall l, R l = true -> T l = true) -> forall l, T l = true -> R l = true.
Proof.
  intros D HR HT A l Tl. destruct (nothing_else _ _ _ HT l Tl) as [[a b] [I [m [Tm [P L]]]]].
  apply (linked_within B S R T (lines_on_board _ _ _ HT) A (same_degree R T HR HT A D) m l L).
  cbn [fst] in P. destruct (one_at_ends _ _ _ HR a b I) as [E _], (one_at_ends _ _ _ HT a b I) as [F _].
  apply (lines_at_all B S) in P; [| apply (lines_on_board _ _ _ HT); auto]. apply (how_many_same R T (lines_at B a)); auto. lia.
Qed.

(** ** Cuts *)

Lemma crosses_other X l : crosses B (fun p => negb (X p)) l = crosses B X l.
Proof. unfold crosses. destruct (X (fst (ends B l))), (X (snd (ends B l))); auto. Qed.

Lemma touches_inside X l p : touches B l p -> X p = true -> inside B X l = true.
Proof. unfold inside, touches. intros [<- | <-] ->; auto. apply orb_true_r. Qed.

(** A path leaves a set that has one of its ends. *)
Theorem path_leaves T X a b : paths B pairs T -> In (a, b) pairs -> X a <> X b ->
  exists n, In n (lines B) /\ T n = true /\ crosses B X n = true.
Proof.
  intros HT I N. destruct (ends_joined _ _ _ HT a b I) as [l [Tl [Q [m [Tm [P L]]]]]]. cbn [fst] in P.
  destruct (X a) eqn:Xa.
  - apply (linked_crosses B T X m l); auto; [apply (lines_on_board _ _ _ HT) | |].
    + apply (touches_inside X m a); auto.
    + apply (touches_inside _ l b); auto. destruct (X b) eqn:Xb; simpl; congruence.
  - destruct (linked_crosses B T (fun p => negb (X p)) m l) as [n [H1 [H2 H3]]]; auto.
    + apply (lines_on_board _ _ _ HT).
    + apply (touches_inside _ m a); auto. rewrite Xa; auto.
    + apply (touches_inside _ l b); auto. rewrite negb_involutive. destruct (X b) eqn:Xb; congruence.
    + exists n. rewrite <- crosses_other. auto.
Qed.

(** Lines reach a set without ends from outside. *)
Theorem paths_enter T X l : paths B pairs T ->
  (forall a b, In (a, b) pairs -> X a = false /\ X b = false) -> T l = true -> inside B X l = true ->
  exists n, In n (lines B) /\ T n = true /\ crosses B X n = true.
Proof.
  intros HT O Tl J. destruct (nothing_else _ _ _ HT l Tl) as [[a b] [I [m [Tm [P L]]]]].
  cbn [fst] in P. destruct (O a b I) as [Xa _].
  destruct (linked_crosses B T (fun p => negb (X p)) m l) as [n [H1 [H2 H3]]]; auto.
  - apply (lines_on_board _ _ _ HT).
  - apply (touches_inside _ m a); auto. rewrite Xa; auto.
  - unfold inside in *. rewrite !negb_involutive; auto.
  - exists n. rewrite <- crosses_other. auto.
Qed.

(** ** Colours *)

(** A place has the colour of the pair whose path passes it. *)
Variable colour : place * place -> N.
Definition has_colour (T : line -> bool) (p : place) (k : N) : Prop :=
  forall l, T l = true -> touches B l p ->
  exists pair, In pair pairs /\ on_path B T pair l /\ k = colour pair.

Lemma meeting_linked T l m p : T m = true -> touches B l p -> touches B m p -> linked B T l m.
Proof. intros Tm P Q. apply linked_step with (m := l) (p := p); auto. constructor. Qed.

Lemma on_path_linked T pair l m : on_path B T pair l -> linked B T l m -> on_path B T pair m.
Proof.
  intros [n [Tn [P L]]] K. exists n. repeat split; auto. apply linked_trans with (m := l); auto.
Qed.

Lemma some_colour T p : paths B pairs T -> exists k, has_colour T p k.
Proof.
  intros HT. destruct (existsb T (lines_at B p)) eqn:V.
  - apply existsb_exists in V as [l [I Tl]]. apply (lines_at_touch B S) in I.
    destruct (nothing_else _ _ _ HT l Tl) as [pair [J P]]. exists (colour pair).
    intros m Tm Q. exists pair. split; [auto | split; [| auto]].
    apply (on_path_linked T pair l); auto. apply (meeting_linked T l m p); auto.
  - exists 0%N. intros l Tl Q. apply (lines_at_all B S) in Q; [| apply (lines_on_board _ _ _ HT); auto].
    enough (existsb T (lines_at B p) = true) by congruence. apply existsb_exists; eauto.
Qed.

(** So all places have colours at once. *)
Lemma all_colours T (l : list place) : (forall p q : place, {p = q} + {p <> q}) -> paths B pairs T ->
  exists col, forall p, In p l -> has_colour T p (col p).
Proof.
  intros D HT. induction l as [| p l [col IH]].
  - exists (fun _ => 0%N). intros p [].
  - destruct (some_colour T p HT) as [k K].
    exists (fun q => if D q p then k else col q). intros q I.
    destruct (D q p) as [-> | NE]; auto. apply IH. destruct I; congruence.
Qed.

Lemma colour_along T l p q j k : paths B pairs T -> T l = true -> touches B l p -> touches B l q ->
  has_colour T p j -> has_colour T q k -> j = k.
Proof.
  intros HT Tl P Q J K. destruct (J l Tl P) as [x [X1 [X2 ->]]], (K l Tl Q) as [y [Y1 [Y2 ->]]].
  f_equal. apply (paths_apart _ _ _ HT l); auto.
Qed.

Lemma colour_at_ends T a b k : paths B pairs T -> In (a, b) pairs ->
  has_colour T a k \/ has_colour T b k -> k = colour (a, b).
Proof.
  intros HT I [K | K].
  - destruct (one_at_ends _ _ _ HT a b I) as [E _].
    destruct (how_many_some T (lines_at B a)) as [l [J Tl]]; [lia |]. apply (lines_at_touch B S) in J.
    destruct (K l Tl J) as [x [X1 [X2 ->]]]. f_equal. apply (paths_apart _ _ _ HT l); auto.
    exists l. repeat split; auto. constructor.
  - destruct (ends_joined _ _ _ HT a b I) as [l [Tl [Q P]]].
    destruct (K l Tl Q) as [x [X1 [X2 ->]]]. f_equal. apply (paths_apart _ _ _ HT l); auto.
Qed.
End Paths.
