(** The model of a puzzle whose solution is one loop: numbers for lines and places, rules about
    them.  If its proof is followed, the solutions listed are all. *)
From Coq Require Import List ZArith Bool Lia FMapPositive.
From Verified Require Import Spec.Drawing Spec.Grid Spec.Claim Graph Loop Resolution Cuts.
Import ListNotations.
Open Scope Z_scope.

(** ** Lists *)

Lemma forallb_flat_map {A B} (f : B -> bool) (g : A -> list B) l :
  forallb f (flat_map g l) = forallb (fun x => forallb f (g x)) l.
Proof. induction l; simpl; auto. rewrite forallb_app, IHl; auto. Qed.

Lemma forallb_map {A B} (f : B -> bool) (g : A -> B) l :
  forallb f (map g l) = forallb (fun x => f (g x)) l.
Proof. induction l; simpl; congruence. Qed.

Lemma forallb_impl {A} (f g : A -> bool) l :
  (forall x, In x l -> f x = true -> g x = true) -> forallb f l = true -> forallb g l = true.
Proof. rewrite !forallb_forall. auto. Qed.

(** The answers of the checker. *)
Inductive verdict :=
| Verified
| NoPuzzle                                            (* of no kind that it knows *)
| WrongSolutions                                      (* one is none, or two are the same *)
| WrongStep (n : positive).                           (* this step does not follow *)

Section Boards.
Context {line place : Type} (B : board line place).
Notation thing := (thing line place).

(** ** Rules in words *)

(** So many of these lines are drawn. *)
Definition lines_are (ls : list line) (allowed : list Z) : rule thing :=
  Count (map (fun l => (Line l, true)) ls) allowed.
(** So many of these places are visited; so many are not. *)
Definition seen_are (ps : list place) (allowed : list Z) : rule thing :=
  Count (map (fun p => (Seen p, true)) ps) allowed.
Definition unseen_are (ps : list place) (allowed : list Z) : rule thing :=
  Count (map (fun p => (Seen p, false)) ps) allowed.
(** A place is visited if and only if two lines end there. *)
Definition seen_means (p : place) : rule thing :=
  Count ((Seen p, false) :: (Seen p, false) :: map (fun l => (Line l, true)) (lines_at B p)) [2].

Lemma eqb_true b : eqb b true = b.
Proof. destruct b; auto. Qed.
Lemma eqb_false b : eqb b false = negb b.
Proof. destruct b; auto. Qed.

Lemma lines_count T ls : how_many (literal (truth B T)) (map (fun l => (Line l, true)) ls) = how_many T ls.
Proof. rewrite how_many_map. apply how_many_ext. intros; apply eqb_true. Qed.

Lemma lines_are_ok T ls allowed :
  holds (truth B T) (lines_are ls allowed) = existsb (Z.eqb (how_many T ls)) allowed.
Proof. simpl. rewrite lines_count; auto. Qed.

Lemma seen_are_ok T ps allowed :
  holds (truth B T) (seen_are ps allowed) = existsb (Z.eqb (how_many (visited B T) ps)) allowed.
Proof.
  simpl. rewrite how_many_map. rewrite (how_many_ext _ (visited B T)) by (intros; apply eqb_true); auto.
Qed.

Lemma unseen_are_ok T ps allowed :
  holds (truth B T) (unseen_are ps allowed) =
  existsb (Z.eqb (how_many (fun p => negb (visited B T p)) ps)) allowed.
Proof.
  simpl. rewrite how_many_map. 
  rewrite (how_many_ext _ (fun p => negb (visited B T p))) by (intros; apply eqb_false); auto.
Qed.

Lemma how_many_filter {A} (f g : A -> bool) l :
  how_many (fun x => f x && g x) l = how_many g (filter f l).
Proof. induction l as [| a l IH]; simpl; auto. destruct (f a); simpl; rewrite IH; auto. Qed.

Lemma visited_count T p : visited B T p = negb (how_many T (lines_at B p) =? 0).
Proof.
  unfold visited. induction (lines_at B p) as [| l ls IH]; simpl; auto.
  pose proof (how_many_nonneg T ls). destruct (T l); cbv iota.
  - symmetry. apply negb_true_iff, Z.eqb_neq. lia.
  - rewrite Z.add_0_l, <- IH; auto.
Qed.

Lemma visited_two T p : one_loop B T -> visited B T p = true -> how_many T (lines_at B p) = 2.
Proof.
  intros L. rewrite visited_count, negb_true_iff, Z.eqb_neq.
  destruct (none_or_two _ _ L p); tauto.
Qed.

Lemma unvisited_none T p : visited B T p = false -> how_many T (lines_at B p) = 0.
Proof. rewrite visited_count, negb_false_iff. apply Z.eqb_eq. Qed.

Lemma seen_means_ok T p : one_loop B T -> holds (truth B T) (seen_means p) = true.
Proof.
  intros L. pose proof (visited_two T p L). pose proof (unvisited_none T p).
  simpl. rewrite lines_count. unfold literal; simpl. rewrite eqb_false.
  destruct (visited B T p); simpl; rewrite orb_false_r; apply Z.eqb_eq.
  - rewrite H; auto.
  - rewrite H0; auto.
Qed.

(** ** The model of a loop *)

Variables (S : sound_board B) (N : numbering B).
Variable more : list (rule thing).

Definition loop_rules : list (rule thing) :=
  map (fun p => lines_are (lines_at B p) [0; 2]) (places B) ++ map seen_means (places B) ++ more.

Definition edge_of (l : line) : edge :=
  (number B N (Line l), (node B N (fst (ends B l)), node B N (snd (ends B l)))).

Definition loop_problem : problem := {|
  edges := map edge_of (lines B);
  rules := map (rename (number B N)) loop_rules;
  joined := OneLoop |}.

Theorem loop_fits T : one_loop B T -> forallb (holds (truth B T)) more = true ->
  fits loop_problem (value B N T).
Proof.
  intros L M. pose proof (on_board _ _ L) as O.
  assert (E : forall a, value B N T (number B N a) = truth B T a) by (apply value_number; auto).
  assert (I : forall l, In l (lines B) -> In (edge_of l) (edges loop_problem)) by (intros; apply in_map; auto).
  constructor.
  - apply value_never.
  - intros r R. simpl in R. apply in_map_iff in R as [s [<- R]].
    rewrite (holds_rename _ (truth B T)); auto.
    unfold loop_rules in R. apply in_app_or in R as [R | R]; [| apply in_app_or in R as [R | R]].
    + apply in_map_iff in R as [p [<- _]]. rewrite lines_are_ok.
      destruct (none_or_two _ _ L p) as [-> | ->]; auto.
    + apply in_map_iff in R as [p [<- _]]. apply seen_means_ok; auto.
    + rewrite forallb_forall in M; auto.
  - intros _. destruct (some_line _ _ L) as [l Tl]. exists (edge_of l). split; [auto |].
    simpl. rewrite E; auto.
  - intros X. simpl. intros [[e [H1 [V1 S1]]] [f [H2 [V2 S2]]]].
    apply in_map_iff in H1 as [l [<- H1]], H2 as [m [<- H2]]. simpl in V1, V2. rewrite E in V1, V2.
    destruct (loop_leaves B T (fun p => X (node B N p)) l m) as [n [Hn [Tn C]]]; auto.
    exists (edge_of n). simpl. rewrite E. auto.
Qed.

(** ** The solutions listed *)

(** A list of lines as a drawing, quick to ask. *)
Definition picture (s : list line) : line -> bool :=
  let set := set_of (map (fun l => number B N (Line l)) s) in
  fun l => M.mem (number B N (Line l)) set.

Lemma set_of_in X v : In v X -> M.mem v (set_of X) = true.
Proof.
  induction X as [| x X IH]; simpl; [tauto |]. intros I. rewrite M.mem_find.
  destruct (Pos.eq_dec v x) as [-> | NE].
  - rewrite M.gss; auto.
  - rewrite M.gso; auto. rewrite <- M.mem_find. apply IH. destruct I; congruence.
Qed.

(** Different lines have different numbers, since a drawing of one of them tells them apart. *)
Lemma number_inj l m : In l (lines B) -> number B N (Line l) = number B N (Line m) -> l = m.
Proof.
  intros I E. set (T := fun x => if same_line B S x l then true else false).
  assert (forall a, value B N T (number B N a) = truth B T a) as V.
  { apply value_number. intros x. unfold T. destruct (same_line B S x l); [subst; auto | discriminate]. }
  pose proof (V (Line l)) as A. pose proof (V (Line m)) as C. rewrite E, C in A. simpl in A. unfold T in A.
  destruct (same_line B S l l); [| congruence].
  destruct (same_line B S m l); [auto | discriminate].
Qed.

Lemma picture_ok s : forallb (on B S) s = true -> draws (picture s) s.
Proof.
  rewrite forallb_forall. intros O l. unfold picture. split.
  - intros M. apply set_of_ok, in_map_iff in M as [m [E I]].
    rewrite <- (number_inj m l); auto. apply (on_ok B S). auto.
  - intros I. apply set_of_in, in_map_iff. exists l; auto.
Qed.

Definition differ (s s' : list line) : bool := existsb (fun l => negb (picture s' l)) s.
Fixpoint all_differ (l : list (list line)) : bool :=
  match l with [] => true | s :: l' => forallb (differ s) l' && all_differ l' end.

Lemma all_differ_ok sols : (forall s, In s sols -> forallb (on B S) s = true) -> all_differ sols = true ->
  ForallOrdPairs (fun s s' => ~ exists T, draws T s /\ draws T s') sols.
Proof.
  induction sols as [| s sols IH]; intros O D; [constructor |].
  simpl in D. apply andb_true_iff in D as [D E]. constructor; [| apply IH; auto; intros; apply O; simpl; auto].
  apply Forall_forall. intros s' I [T [A C]]. rewrite forallb_forall in D. specialize (D _ I).
  unfold differ in D. apply existsb_exists in D as [l [J M]].
  apply A, C in J. apply picture_ok in J; [| apply O; simpl; auto]. rewrite J in M; discriminate.
Qed.

(** ** The checker of a puzzle whose solution is one loop *)

Variable right : (line -> bool) -> bool.
Definition solves_loop (T : line -> bool) : Prop := one_loop B T /\ right T = true.
Hypothesis more_ok : forall T, solves_loop T -> forallb (holds (truth B T)) more = true.

Definition check_loop (sols : list (list line)) (qs : list question) (steps : list step) : verdict :=
  if forallb (fun s => let T := picture s in is_loop B S T s && right T) sols && all_differ sols
  then match refutes loop_problem (map (map (fun l => number B N (Line l))) sols) qs steps with
       | None => Verified | Some n => WrongStep n end
  else WrongSolutions.

Theorem check_loop_ok sols qs steps : check_loop sols qs steps = Verified -> exactly solves_loop sols.
Proof.
  unfold check_loop. destruct (_ && _) eqn:CD; [| discriminate].
  destruct (refutes _ _ _ _) eqn:R; [discriminate |]. intros _.
  rewrite !andb_true_iff in CD. destruct CD as [C D]. rewrite forallb_forall in C.
  assert (O : forall s, In s sols -> forallb (on B S) s = true).
  { intros s I. apply C in I. apply andb_true_iff in I as [I _]. unfold is_loop in I.
    rewrite !andb_true_iff in I. tauto. }
  assert (L : forall s, In s sols -> solves_loop (picture s)).
  { intros s I. pose proof (C s I) as K. apply andb_true_iff in K as [K1 K2]. split; auto.
    apply (is_loop_ok B S _ s); auto. intros l. apply (picture_ok s); auto. }
  split; [| split].
  - intros s I. exists (picture s). split; auto. apply picture_ok; auto.
  - intros T HT. destruct (refutes_ok _ _ _ _ (value B N T) R) as [s [I A]].
    { apply loop_fits; [apply HT | apply more_ok; auto]. }
    apply in_map_iff in I as [s' [<- I]]. exists s'. split; auto.
    assert (P : draws (picture s') s') by (apply picture_ok; auto).
    assert (K : forall l, picture s' l = true -> T l = true).
    { intros l Q. apply P in Q. specialize (A (number B N (Line l))).
      rewrite value_number in A; [| apply (on_board _ _ (proj1 HT))].
      apply A. apply in_map_iff. exists l; auto. }
    intros l. rewrite <- (P l). split; auto.
    apply (no_loop_contains_another B S (picture s') T); auto; [apply (L s' I) | apply HT].
  - apply all_differ_ok; auto.
Qed.
End Boards.
