(** The model of a puzzle whose solution is paths between pairs, with colours, and its checker. *)
From Coq Require Import List ZArith NArith Bool Lia FMapPositive.
From Verified Require Import Spec.Drawing Spec.Grid Spec.Claim Graph Loop Resolution Cuts Model Paths.
Import ListNotations.
Open Scope Z_scope.

(** ** Numbers of digits of colours: 2 modulo 4 *)

Fixpoint shift (j : nat) (q : positive) : positive := match j with O => q | S j' => xO (shift j' q) end.
Fixpoint strip (q : positive) : option (nat * positive) :=
  match q with
  | xO q' => option_map (fun x => (S (fst x), snd x)) (strip q')
  | xI u => Some (O, u)
  | xH => None end.

Lemma strip_shift j u : strip (shift j (xI u)) = Some (j, u).
Proof. induction j as [| j IH]; simpl; auto. rewrite IH; auto. Qed.

Section Boards.
Context {line place : Type} (B : board line place) (S : sound_board B) (Num : numbering B).
Variable same_place : forall p q : place, {p = q} + {p <> q}.
Notation thing := (thing line place).
Variables (pairs : list (place * place)) (colour : place * place -> N) (more : list (rule thing)).

Definition digit (p : place) (j : nat) : positive := xO (xI (shift j (xI (node B Num p)))).

(** The values of all numbers, given the colours of places. *)
Definition with_colours (col : place -> N) (v : positive -> bool) (q : positive) : bool :=
  match q with
  | xO (xI k) =>
      match strip k with
      | Some (j, u) =>
          existsb (fun p => Pos.eqb (node B Num p) u && N.testbit_nat (col p) j) (places B)
      | None => false end
  | _ => v q end.

Lemma digit_value col v p j : In p (places B) -> with_colours col v (digit p j) = N.testbit_nat (col p) j.
Proof.
  intros I. unfold with_colours, digit. rewrite strip_shift.
  destruct (N.testbit_nat (col p) j) eqn:E.
  - apply existsb_exists. exists p. rewrite Pos.eqb_refl; auto.
  - destruct (existsb _ _) eqn:X; auto. apply existsb_exists in X as [q [J X]].
    apply andb_true_iff in X as [X Y]. apply Pos.eqb_eq in X. apply (node_inj B Num) in X; auto. congruence.
Qed.

Lemma number_value col v a : with_colours col v (number B Num a) = v (number B Num a).
Proof. pose proof (number_even B Num a). destruct (number B Num a) as [| [| |] |]; auto; tauto. Qed.

(** ** The model *)

Definition ends_list : list place := flat_map (fun ab => [fst ab; snd ab]) pairs.
Definition end_set : M.t unit := set_of (map (node B Num) ends_list).
Definition ended (p : place) : bool := M.mem (node B Num p) end_set.

Definition path_rules : list (rule thing) :=
  map (fun p => lines_are (lines_at B p) [1]) ends_list
  ++ flat_map (fun p => if ended p then [] else [lines_are (lines_at B p) [0; 2]]) (places B) ++ more.

Definition bits : nat := match pairs with [_] => O | _ => N.size_nat (N.of_nat (length pairs)) end.
Definition same_digit (bs : list bool) : bool :=
  match bs with [l; x; y] => implb l (eqb x y) | _ => false end.
Definition colour_rules : list (rule positive) :=
  flat_map (fun j =>
    map (fun l => Table [number B Num (Line l); digit (fst (ends B l)) j; digit (snd (ends B l)) j] same_digit)
        (lines B)
    ++ flat_map (fun ab => let k := if N.testbit_nat (colour ab) j then 1 else 0 in
         [Count [(digit (fst ab) j, true)] [k]; Count [(digit (snd ab) j, true)] [k]]) pairs) (seq 0 bits).

Definition path_problem : problem := {|
  edges := map (edge_of B Num) (lines B);
  rules := map (rename (number B Num)) path_rules ++ colour_rules;
  joined := Paths (map (fun ab => (node B Num (fst ab), node B Num (snd ab))) pairs) |}.

Hypothesis ends_there : forall a b, In (a, b) pairs -> In a (places B) /\ In b (places B).

Lemma ends_list_ok p : In p ends_list <-> exists a b, In (a, b) pairs /\ (p = a \/ p = b).
Proof.
  unfold ends_list. rewrite in_flat_map. split.
  - intros [[a b] [I J]]. exists a, b. split; auto. simpl in J. intuition congruence.
  - intros [a [b [I J]]]. exists (a, b). split; auto. simpl. intuition congruence.
Qed.

Lemma ended_ok p : In p (places B) -> (ended p = true <-> is_end pairs p).
Proof.
  intros I. unfold ended, end_set, is_end. rewrite <- ends_list_ok. split.
  - intros M. apply set_of_ok, in_map_iff in M as [q [E J]].
    rewrite <- (node_inj B Num q p); auto. apply ends_list_ok in J as [a [b [J K]]].
    destruct (ends_there a b J). destruct K; subst; auto.
  - intros J. apply set_of_in, in_map; auto.
Qed.

Lemma is_end_dec p : is_end pairs p \/ ~ is_end pairs p.
Proof.
  destruct (in_dec same_place p ends_list) as [I | I]; rewrite ends_list_ok in I; auto.
Qed.

Theorem paths_fit T : paths B pairs T -> forallb (holds (truth B T)) more = true ->
  exists col, fits path_problem (with_colours col (value B Num T)).
Proof.
  intros P M. pose proof (lines_on_board _ _ _ P) as O.
  destruct (all_colours B S pairs colour T (places B) same_place P) as [col C]. exists col.
  set (v := with_colours col (value B Num T)).
  assert (E : forall a, v (number B Num a) = truth B T a).
  { intros a. unfold v. rewrite number_value. apply value_number; auto. }
  constructor.
  - apply (value_never B Num T).
  - intros r R. simpl in R. apply in_app_or in R as [R | R].
    + apply in_map_iff in R as [s [<- R]]. rewrite (holds_rename _ (truth B T)); auto.
      unfold path_rules in R. apply in_app_or in R as [R | R]; [| apply in_app_or in R as [R | R]].
      * apply in_map_iff in R as [p [<- I]]. rewrite lines_are_ok.
        apply ends_list_ok in I as [a [b [I K]]]. destruct (one_at_ends _ _ _ P a b I).
        destruct K; subst; rewrite ?H, ?H0; auto.
      * apply in_flat_map in R as [p [I R]]. destruct (ended p) eqn:F; [destruct R |].
        destruct R as [<- | []]. rewrite lines_are_ok.
        destruct (none_or_two_elsewhere _ _ _ P p) as [-> | ->]; auto.
        intros a b J. destruct (ends_there a b J). split; intros ->.
        -- enough (ended a = true) by congruence. apply ended_ok; auto. exists a, b; auto.
        -- enough (ended b = true) by congruence. apply ended_ok; auto. exists a, b; auto.
      * rewrite forallb_forall in M; auto.
    + unfold colour_rules in R. apply in_flat_map in R as [j [_ R]]. apply in_app_or in R as [R | R].
      * apply in_map_iff in R as [l [<- I]]. cbn [holds map same_digit]. rewrite E. cbn [truth].
        destruct (ends_in B S l I) as [I1 I2]. unfold v. rewrite !digit_value by auto.
        destruct (T l) eqn:Tl; auto. cbn [implb].
        rewrite (colour_along B pairs colour T l (fst (ends B l)) (snd (ends B l))
                   (col (fst (ends B l))) (col (snd (ends B l))));
          auto; unfold touches; auto. apply eqb_reflx.
      * apply in_flat_map in R as [[a b] [I R]]. destruct (ends_there a b I) as [I1 I2].
        assert (col a = colour (a, b)) as Ea by (apply (colour_at_ends B S pairs colour T a b); auto).
        assert (col b = colour (a, b)) as Eb by (apply (colour_at_ends B S pairs colour T a b); auto).
        cbn [fst snd] in R. destruct R as [<- | [<- | []]]; cbn [holds how_many]; unfold literal;
        cbn [fst snd]; unfold v; rewrite digit_value by auto; rewrite ?Ea, ?Eb;
        destruct (N.testbit_nat (colour (a, b)) j); auto.
  - discriminate.
  - intros X. cbn [joined path_problem]. intros H.
    assert (exists n, In n (lines B) /\ T n = true /\ crosses B (fun p => X (node B Num p)) n = true) as [n [Hn [Tn Cn]]].
    { destruct H as [[ab [I D]] | [A [e [I [V F]]]]].
      - apply in_map_iff in I as [[a b] [<- I]]. simpl in D.
        apply (path_leaves B pairs T (fun p => X (node B Num p)) a b); auto.
      - apply in_map_iff in I as [l [<- I]]. simpl in V. rewrite E in V.
        apply (paths_enter B pairs T (fun p => X (node B Num p)) l); auto.
        intros a b J. apply (A (node B Num a, node B Num b)). apply in_map_iff. exists (a, b); auto. }
    exists (edge_of B Num n). split; [apply in_map; auto |]. simpl. rewrite E. auto.
Qed.

(** ** The solutions listed: a list of lines for each pair, in order *)

(** Where a walk over lines ends, if each begins where the one before ends. *)
Fixpoint walk (p : place) (l : list line) : option place :=
  match l with
  | [] => Some p
  | a :: l' =>
      if same_place (fst (ends B a)) p then walk (snd (ends B a)) l'
      else if same_place (snd (ends B a)) p then walk (fst (ends B a)) l' else None end.

Definition joins (ab : place * place) (l : list line) : bool :=
  match l with
  | [] => false
  | _ => match walk (fst ab) l with
         | Some p => if same_place p (snd ab) then true else false | None => false end end.

(** For each place of a path the number of the path. *)
Fixpoint labels (n : positive) (s : list (list line)) : M.t positive :=
  match s with
  | [] => M.empty positive
  | l :: s' => fold_right (fun a m => M.add (node B Num (fst (ends B a))) n (M.add (node B Num (snd (ends B a))) n m))
                 (labels (Pos.succ n) s') l end.
Definition labelled (m : M.t positive) (n : positive) (p : place) : bool :=
  match M.find (node B Num p) m with Some k => Pos.eqb k n | None => false end.

Fixpoint each_joins (m : M.t positive) (n : positive) (ps : list (place * place)) (s : list (list line)) : bool :=
  match ps, s with
  | [], [] => true
  | ab :: ps', l :: s' =>
      joins ab l
      && forallb (fun a => labelled m n (fst (ends B a)) && labelled m n (snd (ends B a))) l
      && each_joins m (Pos.succ n) ps' s'
  | _, _ => false end.

Definition right_degree (T : line -> bool) (p : place) : bool :=
  how_many T (lines_at B p) =? (if ended p then 1 else 2).

Definition are_paths (T : line -> bool) (s : list (list line)) : bool :=
  forallb (on B S) (concat s) && each_joins (labels 1 s) 1 pairs s
  && forallb (fun a => right_degree T (fst (ends B a)) && right_degree T (snd (ends B a))) (concat s).

Lemma walk_ok T q l : forall p, (forall a, In a l -> T a = true) -> l <> [] -> walk p l = Some q ->
  exists first last, In first l /\ touches B first p /\ In last l /\ touches B last q /\
    forall a, In a l -> linked B T first a.
Proof.
  induction l as [| a l IH]; intros p A NE W; [congruence |]. cbn [walk] in W.
  assert (exists r, touches B a p /\ touches B a r /\ walk r l = Some q) as [r [P [R V]]].
  { destruct (same_place (fst (ends B a)) p) as [<- | _].
    - exists (snd (ends B a)). unfold touches; auto.
    - destruct (same_place (snd (ends B a)) p) as [<- | _]; [| discriminate].
      exists (fst (ends B a)). unfold touches; auto. }
  destruct l as [| b l].
  - cbn [walk] in V. inversion V; subst. exists a, a. simpl. repeat split; auto.
    intros c [<- | []]. constructor.
  - destruct (IH r) as [first [last [I1 [T1 [I2 [T2 L]]]]]]; auto; [intros; apply A; simpl; auto | discriminate |].
    exists a, last. split; [simpl; auto | split; [auto | split; [simpl in *; tauto | split; [auto |]]]].
    intros c [<- | I]; [constructor |]. apply linked_trans with (m := first); auto.
    apply (meeting_linked B T a first r); auto. apply A; simpl in *; tauto.
Qed.

Fixpoint pair_at (n : positive) (ps : list (place * place)) (k : positive) : option (place * place) :=
  match ps with [] => None | ab :: ps' => if Pos.eqb k n then Some ab else pair_at (Pos.succ n) ps' k end.

(** A path of the list, for its pair: its number is the label of all its places. *)
Definition is_path (m : M.t positive) (n : positive) (ps : list (place * place)) (ab : place * place)
    (l : list line) : Prop :=
  exists k, (n <= k)%positive /\ pair_at n ps k = Some ab /\ joins ab l = true /\
    forall a, In a l -> labelled m k (fst (ends B a)) = true /\ labelled m k (snd (ends B a)) = true.

Lemma each_joins_ok m ps : forall n s, each_joins m n ps s = true ->
  (forall ab, In ab ps -> exists l, In l s /\ is_path m n ps ab l) /\
  (forall l, In l s -> exists ab, In ab ps /\ is_path m n ps ab l).
Proof.
  induction ps as [| ab ps IH]; intros n [| l s] E; try discriminate; [split; intros ? [] |].
  cbn [each_joins] in E. rewrite !andb_true_iff in E. destruct E as [[J L] E].
  destruct (IH _ _ E) as [H1 H2].
  assert (P : is_path m n (ab :: ps) ab l).
  { exists n. split; [lia | split; [simpl; rewrite Pos.eqb_refl; auto | split; [auto |]]].
    rewrite forallb_forall in L. intros a I. apply andb_true_iff; auto. }
  assert (K : forall cd l', is_path m (Pos.succ n) ps cd l' -> is_path m n (ab :: ps) cd l').
  { intros cd l' [k [Q R]]. exists k. split; [lia |]. simpl.
    destruct (Pos.eqb_spec k n); [lia | auto]. }
  split.
  - intros cd [<- | I]; [exists l; simpl; auto |]. destruct (H1 cd I) as [l' [I' P']].
    exists l'. simpl; auto.
  - intros l' [<- | I]; [exists ab; simpl; auto |]. destruct (H2 l' I) as [cd [I' P']].
    exists cd. simpl; auto.
Qed.

Lemma labelled_same m j k p : labelled m j p = true -> labelled m k p = true -> j = k.
Proof.
  unfold labelled. destruct (M.find _ m); [| discriminate].
  rewrite !Pos.eqb_eq. congruence.
Qed.

Lemma labelled_at m k a p : labelled m k (fst (ends B a)) = true -> labelled m k (snd (ends B a)) = true ->
  touches B a p -> labelled m k p = true.
Proof. intros L R [<- | <-]; auto. Qed.

Theorem are_paths_ok T s : draws T (concat s) -> are_paths T s = true -> paths B pairs T.
Proof.
  intros E. unfold are_paths. rewrite !andb_true_iff, !forallb_forall. intros [[O J] D].
  destruct (each_joins_ok _ _ _ _ J) as [H1 H2]. set (m := labels 1 s) in *.
  assert (C : forall l a, In l s -> In a l -> T a = true).
  { intros l a I1 I2. apply E. apply in_concat. exists l; auto. }
  assert (W : forall ab l, In l s -> is_path m 1 pairs ab l -> exists k first last,
    pair_at 1 pairs k = Some ab /\ T first = true /\ touches B first (fst ab) /\ In last l /\
    touches B last (snd ab) /\ (forall a, In a l -> linked B T first a) /\
    labelled m k (fst ab) = true /\
    forall a, In a l -> labelled m k (fst (ends B a)) = true /\ labelled m k (snd (ends B a)) = true).
  { intros ab l I [k [_ [P [Q L]]]]. unfold joins in Q. destruct l as [| a0 l0]; [discriminate |].
    destruct (walk (fst ab) (a0 :: l0)) as [q |] eqn:V; [| discriminate].
    destruct (same_place q (snd ab)) as [-> |]; [| discriminate].
    destruct (walk_ok T _ _ _ (fun a => C _ a I) ltac:(discriminate) V) as [f [g [F1 [F2 [F3 [F4 F5]]]]]].
    exists k, f, g. repeat split; auto; try apply L; auto. apply (C _ f I F1).
    destruct (L f F1). apply (labelled_at m k f); auto. }
  assert (A : forall a, T a = true -> exists l, In l s /\ In a l).
  { intros a Ta. apply E, in_concat in Ta. auto. }
  assert (LK : forall x y k, linked B T x y ->
    labelled m k (fst (ends B x)) = true /\ labelled m k (snd (ends B x)) = true ->
    labelled m k (fst (ends B y)) = true /\ labelled m k (snd (ends B y)) = true).
  { intros x y k L. induction L as [| x y z p L IH Tz Py Pz]; auto. intros Lx.
    destruct (IH Lx) as [L1 L2]. destruct (A z Tz) as [l [I Iz]]. destruct (H2 l I) as [ab [_ P]].
    destruct (W ab l I P) as [k' [_ [_ [_ [_ [_ [_ [_ [_ [_ Q]]]]]]]]]]. destruct (Q z Iz) as [Q1 Q2].
    assert (k' = k) as <-; auto. apply (labelled_same m k' k p).
    - apply (labelled_at m k' z); auto.
    - apply (labelled_at m k y); auto. }
  assert (PL : forall ab l, In ab pairs -> on_path B T ab l -> exists k, pair_at 1 pairs k = Some ab /\
    labelled m k (fst (ends B l)) = true).
  { intros ab l I [x [Tx [Px L]]]. destruct (H1 ab I) as [l1 [I1 P1]].
    destruct (W ab l1 I1 P1) as [k [_ [_ [K [_ [_ [_ [_ [_ [Ka _]]]]]]]]]]. exists k. split; auto.
    destruct (A x Tx) as [l2 [I2 Ix]]. destruct (H2 l2 I2) as [cd [_ P2]].
    destruct (W cd l2 I2 P2) as [k' [_ [_ [_ [_ [_ [_ [_ [_ [_ Q]]]]]]]]]]. destruct (Q x Ix) as [Q1 Q2].
    assert (k' = k) as -> by (apply (labelled_same m k' k (fst ab)); auto; apply (labelled_at m k' x); auto).
    apply (LK x l k L); auto. }
  assert (DG : forall a p, T a = true -> touches B a p -> right_degree T p = true).
  { intros a p Ta P. apply E in Ta. apply D, andb_true_iff in Ta. destruct P as [<- | <-]; tauto. }
  constructor.
  - intros a Ta. apply (on_ok B S), O, E, Ta.
  - intros a b I. destruct (H1 (a, b) I) as [l [Il P]]. destruct (ends_there a b I) as [Ia Ib].
    destruct (W (a, b) l Il P) as [k [f [g [_ [Tf [Pf [Ig [Pg _]]]]]]]]. cbn [fst snd] in *.
    assert (ended a = true) as Ea by (apply ended_ok; auto; exists a, b; auto).
    assert (ended b = true) as Eb by (apply ended_ok; auto; exists a, b; auto).
    pose proof (DG f a Tf Pf) as Da. pose proof (DG g b (C l g Il Ig) Pg) as Db.
    unfold right_degree in Da, Db. rewrite Ea in Da. rewrite Eb in Db. split; apply Z.eqb_eq; auto.
  - intros p NP. destruct (Z.eq_dec (how_many T (lines_at B p)) 0) as [| F]; auto. right.
    apply how_many_some in F as [a [I Ta]]. apply (lines_at_touch B S) in I.
    pose proof (DG a p Ta I) as Dp. unfold right_degree in Dp.
    assert (In p (places B)) as Ip.
    { destruct (ends_in B S a) as [E1 E2]; [apply (on_ok B S), O, E, Ta |]. destruct I as [<- | <-]; auto. }
    destruct (ended p) eqn:X; [| apply Z.eqb_eq; auto].
    apply ended_ok in X as [a' [b' [X1 X2]]]; auto. destruct (NP a' b' X1). tauto.
  - intros a b I. destruct (H1 (a, b) I) as [l [Il P]].
    destruct (W (a, b) l Il P) as [k [f [g [_ [Tf [Pf [Ig [Pg [L _]]]]]]]]]. cbn [fst snd] in *.
    exists g. split; [apply (C l g); auto | split; auto]. exists f. auto.
  - intros a Ta. destruct (A a Ta) as [l [I Ia]]. destruct (H2 l I) as [ab [J1 P]]. exists ab. split; auto.
    destruct (W ab l I P) as [k [f [g [_ [Tf [Pf [_ [_ [L _]]]]]]]]]. exists f. auto.
  - intros l ab cd I1 I2 P1 P2. destruct (PL ab l I1 P1) as [k [K1 L1]], (PL cd l I2 P2) as [k' [K2 L2]].
    assert (k = k') by (apply (labelled_same m k k' (fst (ends B l))); auto). congruence.
Qed.

(** ** The checker *)

Variable right : (line -> bool) -> bool.
Definition solves_paths (T : line -> bool) : Prop := paths B pairs T /\ right T = true.
Hypothesis more_ok : forall T, solves_paths T -> forallb (holds (truth B T)) more = true.

Definition check_paths (sols : list (list (list line))) (qs : list question) (steps : list step) : verdict :=
  if forallb (fun s => let T := picture B Num (concat s) in are_paths T s && right T) sols
     && all_differ B Num (map (@concat line) sols)
  then match refutes path_problem (map (fun s => map (fun l => number B Num (Line l)) (concat s)) sols) qs steps with
       | None => Verified | Some n => WrongStep n end
  else WrongSolutions.

Theorem check_paths_ok sols qs steps : check_paths sols qs steps = Verified ->
  exactly solves_paths (map (@concat line) sols).
Proof.
  unfold check_paths. destruct (_ && _) eqn:CD; [| discriminate].
  destruct (refutes _ _ _ _) eqn:R; [discriminate |]. intros _.
  rewrite !andb_true_iff in CD. destruct CD as [C D]. rewrite forallb_forall in C.
  assert (O : forall s, In s (map (@concat line) sols) -> forallb (on B S) s = true).
  { intros s I. apply in_map_iff in I as [s' [<- I]]. apply C in I. apply andb_true_iff in I as [I _].
    unfold are_paths in I. rewrite !andb_true_iff in I. tauto. }
  assert (L : forall s, In s sols -> solves_paths (picture B Num (concat s))).
  { intros s I. pose proof (C s I) as K. apply andb_true_iff in K as [K1 K2]. split; auto.
    apply (are_paths_ok _ s); auto. apply (picture_ok B S Num). apply O, in_map; auto. }
  split; [| split].
  - intros s I. apply in_map_iff in I as [s' [<- I]]. exists (picture B Num (concat s')).
    split; auto. apply (picture_ok B S Num). apply O, in_map; auto.
  - intros T HT. destruct (paths_fit T (proj1 HT) (more_ok T HT)) as [col F].
    destruct (refutes_ok _ _ _ _ _ R F) as [s [I A]].
    apply in_map_iff in I as [s' [<- I]]. exists (concat s'). split; [apply in_map; auto |].
    assert (P : draws (picture B Num (concat s')) (concat s')) by (apply (picture_ok B S Num); apply O, in_map; auto).
    assert (K : forall l, picture B Num (concat s') l = true -> T l = true).
    { intros l Q. apply P in Q. specialize (A (number B Num (Line l))).
      rewrite number_value, value_number in A; [| apply (lines_on_board _ _ _ (proj1 HT))].
      apply A. apply in_map_iff. exists l; auto. }
    intros l. rewrite <- (P l). split; auto.
    apply (no_paths_contain_others B S pairs (picture B Num (concat s')) T is_end_dec); auto;
    [apply (L s' I) | apply HT].
  - apply (all_differ_ok B S Num); auto.
Qed.
End Boards.
