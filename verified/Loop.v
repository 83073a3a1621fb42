(** Two facts about loops: no loop contains another, and a loop leaves a set that it enters. *)
From Coq Require Import List ZArith Bool Lia.
From Verified Require Import Spec.Drawing Spec.Grid Graph.
Import ListNotations.
Open Scope Z_scope.

Section Loops.
Context {line place : Type} (B : board line place) (S : sound_board B).

(** A set of lines that has as many lines as the drawing wherever it has some is closed under
    [linked]. *)
Lemma linked_within (R T : line -> bool) : (forall l, T l = true -> In l (lines B)) ->
  (forall l, R l = true -> T l = true) ->
  (forall p, how_many R (lines_at B p) = 0 \/ how_many T (lines_at B p) <= how_many R (lines_at B p)) ->
  forall l m, linked B T l m -> R l = true -> R m = true.
Proof.
  intros O A D l m L; induction L as [l | l m n p L IH Tn P Q]; auto. intros Rl.
  specialize (IH Rl). apply (lines_at_all B S) in P; [| auto]. apply (lines_at_all B S) in Q; [| auto].
  destruct (D p) as [Z | Z].
  - destruct (how_many_in R _ m P IH Z).
  - apply (how_many_same R T (lines_at B p)); auto.
Qed.

Theorem no_loop_contains_another R T : one_loop B R -> one_loop B T ->
  (forall l, R l = true -> T l = true) -> forall l, T l = true -> R l = true.
Proof.
  intros HR HT A l Tl. destruct (some_line _ _ HR) as [m Rm].
  apply (linked_within R T (on_board _ _ HT) A) with (l := m); auto.
  - intros p. destruct (none_or_two _ _ HR p) as [| E]; auto.
    destruct (none_or_two _ _ HT p) as [F | F]; lia.
  - apply (together _ _ HT); auto.
Qed.

(** A set of places, as a property; a line crosses its border if one of its ends is inside. *)
Definition inside (X : place -> bool) (l : line) : bool := X (fst (ends B l)) || X (snd (ends B l)).
Definition crosses (X : place -> bool) (l : line) : bool := xorb (X (fst (ends B l))) (X (snd (ends B l))).

Lemma both_ends X l p q : crosses X l = false -> touches B l p -> touches B l q -> X p = X q.
Proof.
  unfold crosses, touches; intros C [<- | <-] [<- | <-]; auto;
  destruct (X (fst (ends B l))), (X (snd (ends B l))); simpl in *; congruence.
Qed.

(** Where no drawn line crosses, linked lines stay on one side. *)
Lemma linked_stays T X l m : (forall n, T n = true -> crosses X n = false) ->
  linked B T l m -> T l = true -> forall p q, touches B l p -> touches B m q -> X p = X q.
Proof.
  intros N L; induction L as [l | l m n r L IH Tn P Q]; intros Tl p q A C.
  - apply (both_ends X l); auto.
  - rewrite (IH Tl p r A P). apply (both_ends X n); auto.
Qed.

Lemma inside_end X l : inside X l = true -> exists p, touches B l p /\ X p = true.
Proof. unfold inside, touches; rewrite orb_true_iff; intros [A | A]; eauto. Qed.

(** Linked lines with ends on both sides: one crosses.  (On the board, by search.) *)
Lemma linked_crosses T X l m : (forall n, T n = true -> In n (lines B)) ->
  linked B T l m -> T l = true ->
  inside X l = true -> inside (fun p => negb (X p)) m = true ->
  exists n, In n (lines B) /\ T n = true /\ crosses X n = true.
Proof.
  intros O L Tl A C. destruct (existsb (fun n => T n && crosses X n) (lines B)) eqn:E.
  - apply existsb_exists in E as [n [I E]]. apply andb_true_iff in E as [E F]. eauto.
  - exfalso. destruct (inside_end _ _ A) as [p [P Xp]], (inside_end _ _ C) as [q [Q Xq]].
    rewrite <- (linked_stays T X l m) with (p := p) in Xq; auto.
    + rewrite Xp in Xq; discriminate.
    + intros n Tn. destruct (crosses X n) eqn:F; auto. rewrite <- E. symmetry.
      apply existsb_exists. exists n. rewrite Tn, F; auto.
Qed.

Theorem loop_leaves T X l m : one_loop B T -> T l = true -> T m = true ->
  inside X l = true -> inside (fun p => negb (X p)) m = true ->
  exists n, In n (lines B) /\ T n = true /\ crosses X n = true.
Proof.
  intros HT Tl Tm. apply linked_crosses; auto.
  - apply (on_board _ _ HT).
  - apply (together _ _ HT); auto.
Qed.

(** ** A list of lines in the order of a loop *)

Fixpoint chained (l : list line) : bool :=
  match l with
  | a :: ((b :: _) as l') =>
      (touching B S b (fst (ends B a)) || touching B S b (snd (ends B a))) && chained l'
  | _ => true end.

Lemma linked_trans T l m n : linked B T l m -> linked B T m n -> linked B T l n.
Proof.
  intros A C; revert A; induction C as [| m n o p C IH To P Q]; intros A; auto.
  apply linked_step with (m := n) (p := p); auto.
Qed.

Lemma linked_drawn T l m : linked B T l m -> T l = true -> T m = true.
Proof. intros L Tl; destruct L; auto. Qed.

Lemma linked_sym T l m : T l = true -> linked B T l m -> linked B T m l.
Proof.
  intros Tl L. induction L as [| l m n p L IH Tn P Q]; [constructor |].
  apply linked_trans with (m := m); auto.
  apply linked_step with (m := n) (p := p); auto; [constructor |].
  apply (linked_drawn T l); auto.
Qed.

Lemma chained_linked T l : forall a, chained (a :: l) = true -> (forall b, In b (a :: l) -> T b = true) ->
  forall b, In b (a :: l) -> linked B T a b.
Proof.
  induction l as [| c l IH]; intros a C A b I.
  - destruct I as [-> | []]; constructor.
  - destruct I as [-> | I]; [constructor |].
    change ((touching B S c (fst (ends B a)) || touching B S c (snd (ends B a))) && chained (c :: l) = true) in C.
    apply andb_true_iff in C as [C D]. apply linked_trans with (m := c).
    + apply orb_true_iff in C. rewrite !(touching_ok B S) in C.
      assert (exists p, touches B a p /\ touches B c p) as [p [P Q]].
      { destruct C as [C | C]; eexists; split; eauto; unfold touches; auto. }
      apply linked_step with (m := a) (p := p); auto; [constructor |]. apply A; simpl; auto.
    + apply IH; auto. intros d G; apply A; simpl in *; auto.
Qed.

(** The program that checks a loop: its lines are on the board, each shares a place with the one
    before, and both ends of each have two lines. *)
Definition is_loop (T : line -> bool) (l : list line) : bool :=
  negb (match l with [] => true | _ => false end)
  && forallb (on B S) l && chained l
  && forallb (fun a => (how_many T (lines_at B (fst (ends B a))) =? 2)
                       && (how_many T (lines_at B (snd (ends B a))) =? 2)) l.

Theorem is_loop_ok T l : (forall a, T a = true <-> In a l) -> is_loop T l = true -> one_loop B T.
Proof.
  intros E. unfold is_loop. rewrite !andb_true_iff, !forallb_forall. intros [[[N O] C] D].
  constructor.
  - intros a Ta. apply (on_ok B S). apply O, E, Ta.
  - destruct l as [| a l]; [discriminate |]. exists a. apply E; simpl; auto.
  - intros p. destruct (Z.eq_dec (how_many T (lines_at B p)) 0) as [| F]; auto. right.
    apply how_many_some in F as [a [I Ta]]. apply (lines_at_touch B S) in I. apply E, D in Ta.
    apply andb_true_iff in Ta as [F G]. apply Z.eqb_eq in F, G. destruct I as [<- | <-]; auto.
  - destruct l as [| a l]; [discriminate |].
    assert (forall b, In b (a :: l) -> linked B T a b) as K.
    { apply chained_linked; auto. intros b I; apply E; auto. }
    assert (T a = true) by (apply E; simpl; auto).
    intros b c Tb Tc. apply linked_trans with (m := a); [apply linked_sym |]; auto; apply K, E; auto.
Qed.
End Loops.
