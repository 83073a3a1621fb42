(** "One loop" as a program: a boolean function that is proved equal to the spec.  The other rules
    are boolean functions already, so each spec can be tried on any drawing. *)
From Coq Require Import List ZArith Bool Lia String.
From Verified Require Import Spec.Drawing Spec.Grid Spec.Puzzle Spec.Claim Graph Loop Squares Model Kinds.All Check.
Import ListNotations.
Open Scope list_scope.
Open Scope Z_scope.

Section Decide.
Context {line place : Type} (B : board line place) (S : sound_board B).

Definition meet (l m : line) : bool :=
  touching B S m (fst (ends B l)) || touching B S m (snd (ends B l)).

Lemma meet_ok l m : meet l m = true <-> exists p, touches B l p /\ touches B m p.
Proof.
  unfold meet. rewrite orb_true_iff, !(touching_ok B S). unfold touches. split.
  - intros [H | H]; [exists (fst (ends B l)) | exists (snd (ends B l))]; auto.
  - intros [p [[<- | <-] H]]; auto.
Qed.

(** Lines of [rest] that are not reached from some lines, a step at a time. *)
Fixpoint unreached (fuel : nat) (from rest : list line) : list line :=
  match fuel with
  | O => rest
  | Datatypes.S fuel' =>
      let near := fun m => existsb (fun l => meet l m) from in
      match filter near rest with
      | [] => rest
      | more => unreached fuel' more (filter (fun m => negb (near m)) rest) end end.

Definition decide_loop (T : line -> bool) : bool :=
  let drawn := filter T (lines B) in
  forallb (fun l => (how_many T (lines_at B (fst (ends B l))) =? 2)
                    && (how_many T (lines_at B (snd (ends B l))) =? 2)) drawn
  && match drawn with
     | [] => false
     | a :: rest => match unreached (List.length rest) [a] rest with [] => true | _ => false end end.

(** What is reached is linked. *)
Lemma unreached_linked T a fuel : forall from rest,
  (forall l, In l from -> linked B T a l) -> (forall l, In l rest -> T l = true) ->
  unreached fuel from rest = [] -> forall l, In l rest -> linked B T a l.
Proof.
  induction fuel as [| fuel IH]; intros from rest F R U l I; simpl in U; [subst; destruct I |].
  set (near := fun m => existsb (fun l => meet l m) from) in *.
  assert (N : forall m, In m rest -> near m = true -> linked B T a m).
  { intros m J E. unfold near in E. apply existsb_exists in E as [k [K E]].
    apply meet_ok in E as [p [P Q]]. apply linked_step with (m := k) (p := p); auto. }
  destruct (filter near rest) as [| x more] eqn:E.
  - subst rest. destruct I.
  - destruct (near l) eqn:L; [apply N; auto |].
    apply (IH (x :: more) (filter (fun m => negb (near m)) rest)); auto.
    + intros m J. rewrite <- E in J. apply filter_In in J as [J K]. apply N; auto.
    + intros m J. apply filter_In in J as [J _]; auto.
    + apply filter_In. rewrite L; auto.
Qed.

Lemma filter_shorter {A} (f : A -> bool) l :
  (List.length (filter f l) + List.length (filter (fun x => negb (f x)) l) = List.length l)%nat.
Proof. induction l as [| a l IH]; simpl; auto. destruct (f a); simpl; lia. Qed.

(** What is not reached meets no line that is: at the end, no line from which something was
    reached, and none that was reached. *)
Lemma unreached_apart fuel : forall from rest, (List.length rest <= fuel)%nat ->
  forall l m, In l (unreached fuel from rest) ->
    (In m from \/ (In m rest /\ ~ In m (unreached fuel from rest))) -> meet m l = false.
Proof.
  induction fuel as [| fuel IH]; intros from rest LE l m I J; simpl in *.
  - destruct rest; simpl in *; [tauto | lia].
  - set (near := fun m => existsb (fun l => meet l m) from) in *.
    pose proof (filter_shorter near rest) as Len.
    destruct (filter near rest) as [| x more] eqn:E.
    + destruct J as [J | [J K]]; [| tauto].
      destruct (meet m l) eqn:M; auto.
      assert (In l (filter near rest)) as H; [| rewrite E in H; destruct H].
      apply filter_In. split; auto. apply existsb_exists. exists m; auto.
    + assert (Far : forall k, In k (filter (fun m => negb (near m)) rest) -> forall j, In j from -> meet j k = false).
      { intros k K j Jf. apply filter_In in K as [_ K]. destruct (meet j k) eqn:M; auto.
        apply negb_true_iff in K. rewrite <- K. symmetry. apply existsb_exists. exists j; auto. }
      assert (Sub : forall f r k, In k (unreached fuel f r) -> In k r).
      { clear. induction fuel as [| fuel IH]; simpl; intros f r k K; auto.
        destruct (filter _ r) as [| y z]; auto. apply IH in K. apply filter_In in K; tauto. }
      destruct J as [J | [J K]].
      * apply (Far l); auto. apply (Sub _ _ _ I).
      * apply (IH (x :: more) (filter (fun m => negb (near m)) rest)); auto.
        -- simpl in Len. lia.
        -- destruct (near m) eqn:Nm.
           ++ left. rewrite <- E. apply filter_In; auto.
           ++ right. split; auto. apply filter_In. rewrite Nm; auto.
Qed.

Theorem decide_loop_ok T : (forall l, T l = true -> In l (lines B)) ->
  (decide_loop T = true <-> one_loop B T).
Proof.
  intros O. unfold decide_loop. set (drawn := filter T (lines B)).
  assert (D : forall l, In l drawn <-> T l = true).
  { intros l. unfold drawn. rewrite filter_In. split; [tauto | auto]. }
  rewrite andb_true_iff, forallb_forall. split.
  - intros [C U]. constructor; auto.
    + destruct drawn as [| a rest] eqn:E; [discriminate |]. exists a. apply D; simpl; auto.
    + intros p. destruct (Z.eq_dec (how_many T (lines_at B p)) 0) as [| F]; auto. right.
      apply how_many_some in F as [l [I Tl]]. apply (lines_at_touch B S) in I. apply D, C in Tl.
      rewrite andb_true_iff, !Z.eqb_eq in Tl. destruct I as [<- | <-]; tauto.
    + destruct drawn as [| a rest] eqn:E; [discriminate |].
      destruct (unreached _ _ _) eqn:X; [| discriminate].
      assert (K : forall l, T l = true -> linked B T a l).
      { intros l Tl. apply D in Tl. destruct Tl as [<- | I]; [constructor |].
        apply (unreached_linked T a (List.length rest) [a] rest); auto.
        - intros m [<- | []]. constructor.
        - intros m J. apply D; simpl; auto. }
      intros l m Tl Tm. apply linked_trans with (m := a); auto.
      apply linked_sym; auto. apply D; simpl; auto.
  - intros L. split.
    + intros l I. apply D in I. pose proof (O l I) as J.
      rewrite andb_true_iff, !Z.eqb_eq. split.
      * destruct (none_or_two _ _ L (fst (ends B l))) as [Z |]; auto.
        exfalso. revert Z. apply (how_many_in T _ l); auto. apply (lines_at_all B S); auto. left; auto.
      * destruct (none_or_two _ _ L (snd (ends B l))) as [Z |]; auto.
        exfalso. revert Z. apply (how_many_in T _ l); auto. apply (lines_at_all B S); auto. right; auto.
    + destruct drawn as [| a rest] eqn:E.
      * destruct (some_line _ _ L) as [l Tl]. apply D in Tl. destruct Tl.
      * destruct (unreached (List.length rest) [a] rest) as [| x r] eqn:X; auto. exfalso.
        assert (In x (unreached (List.length rest) [a] rest)) as Ix by (rewrite X; simpl; auto).
        assert (K : forall l m, linked B T l m -> T l = true ->
          ~ In l (unreached (List.length rest) [a] rest) -> ~ In m (unreached (List.length rest) [a] rest)).
        { intros l m H. induction H as [| l m n p H IH Tn P Q]; auto. intros Tl Nl In_n.
          specialize (IH Tl Nl). assert (T m = true) as Tm by (apply (linked_drawn B T l); auto).
          assert (meet m n = false) as F.
          { apply (unreached_apart (List.length rest) [a] rest); auto.
            apply D in Tm. destruct Tm as [<- | J]; simpl; auto. }
          assert (meet m n = true) by (apply meet_ok; exists p; auto). congruence. }
        destruct (in_dec (same_line B S) a (unreached (List.length rest) [a] rest)) as [Ia | Na].
        -- assert (meet a a = false) by (apply (unreached_apart (List.length rest) [a] rest); simpl; auto).
           assert (meet a a = true) by (apply meet_ok; exists (fst (ends B a)); unfold touches; auto).
           congruence.
        -- apply (K a x); auto; [| apply D; simpl; auto].
           apply (together _ _ L); [apply D; simpl; auto |].
           apply D. right. clear - Ix.
           revert Ix. generalize (List.length rest), [a]. intros n. revert rest.
           induction n as [| n IH]; simpl; intros rest f H; auto.
           destruct (filter _ rest) as [| y z]; auto. apply IH in H. apply filter_In in H; tauto.
Qed.
End Decide.

(** ** Any drawing, against the spec of a kind *)

Definition try_kind (K : kind) (p : puzzle (clue K)) (s : list line) : option bool :=
  let more := if dots K then 1 else 0 in
  let r := rows p + more in let c := cols p + more in
  match form K with
  | ALoop =>
      let T := picture (grid r c) (square_numbers r c) s in
      Some (forallb (line_on_grid r c) s && (decide_loop (grid r c) (square_board r c) T && (spec K p T && lists_kept p T)))
  | Joining _ => None end.

Fixpoint try_any (Ks : list kind) (text : string) (s : list line) : option bool :=
  match Ks with
  | [] => None
  | K :: Ks' => match puzzle_of K text with Some p => try_kind K p s | None => try_any Ks' text s end end.
Definition try_drawing : string -> list line -> option bool := try_any kinds.

(** A list of lines of the board, as a drawing, solves the puzzle if and only if the answer is yes. *)
Theorem try_kind_ok K p s b : try_kind K p s = Some b ->
  forallb (line_on_grid (rows p + if dots K then 1 else 0) (cols p + if dots K then 1 else 0)) s = true ->
  exists T, draws T s /\ (b = true <-> solves K p T).
Proof.
  unfold try_kind, solves, board_of. cbv zeta.
  set (r := rows p + (if dots K then 1 else 0)). set (c := cols p + (if dots K then 1 else 0)).
  destruct (form K) as [| pairs] eqn:F; [| discriminate]. intros E O; inversion E; subst b.
  pose proof (picture_ok (grid r c) (square_board r c) (square_numbers r c) s O) as D.
  exists (picture (grid r c) (square_numbers r c) s). split; [exact D |].
  rewrite O. cbn [andb shaped]. rewrite andb_true_iff, decide_loop_ok; [tauto |].
  intros l Tl. apply D in Tl. rewrite forallb_forall in O. apply lines_ok; auto.
Qed.

Print Assumptions try_kind_ok.
