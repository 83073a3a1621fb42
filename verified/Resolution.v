(** Clauses, resolution, and clauses that follow from a rule. *)
From Coq Require Import List ZArith Bool Lia FMapPositive.
From Verified Require Import Spec.Grid Spec.Drawing Graph.
Import ListNotations.
Open Scope Z_scope.
Module M := PositiveMap.

Definition clause := list (positive * bool).

(** ** Programs *)

(** A clause as a map, unless it has a literal and its negation. *)
Fixpoint load (c : clause) (m : M.t bool) : option (M.t bool) :=
  match c with
  | [] => Some m
  | (q, b) :: c' =>
      match M.find q m with
      | Some b' => if eqb b b' then load c' m else None
      | None => load c' (M.add q b m) end end.

(** The first variable of a clause whose literal is negated in a map. *)
Fixpoint clash (c : clause) (m : M.t bool) : option positive :=
  match c with
  | [] => None
  | (q, b) :: c' =>
      match M.find q m with
      | Some b' => if eqb b b' then clash c' m else Some q
      | None => clash c' m end end.

(** Add all literals of a clause but the one of [q]. *)
Fixpoint join (q : positive) (c : clause) (m : M.t bool) : option (M.t bool) :=
  match c with
  | [] => Some m
  | (x, b) :: c' =>
      if Pos.eqb x q then join q c' m
      else match M.find x m with
           | Some b' => if eqb b b' then join q c' m else None
           | None => join q c' (M.add x b m) end end.

(** All literals of [q] in a clause are this one. *)
Definition only (q : positive) (b : bool) (c : clause) : bool :=
  forallb (fun x => negb (Pos.eqb (fst x) q) || eqb (snd x) b) c.

Definition resolve (m : M.t bool) (c : clause) : option (M.t bool) :=
  match clash c m with
  | None => None
  | Some q =>
      match M.find q m with
      | Some b => if only q (negb b) c then join q c (M.remove q m) else None
      | None => None end end.

Fixpoint chain (known : M.t clause) (ids : list positive) (m : M.t bool) : option (M.t bool) :=
  match ids with
  | [] => Some m
  | i :: ids' =>
      match M.find i known with
      | Some c => match resolve m c with Some m' => chain known ids' m' | None => None end
      | None => None end end.

Definition resolvent (known : M.t clause) (ids : list positive) : option clause :=
  match ids with
  | [] => None
  | i :: ids' =>
      match M.find i known with
      | Some c => match load c (M.empty bool) with
                  | Some m => match chain known ids' m with
                              | Some m' => Some (M.elements m') | None => None end
                  | None => None end
      | None => None end end.

(** ** What they mean *)

Section Values.
Variable v : positive -> bool.

Definition true_clause (c : clause) : Prop := exists q b, In (q, b) c /\ v q = b.
Definition true_map (m : M.t bool) : Prop := exists q b, M.find q m = Some b /\ v q = b.
Definition all_true (known : M.t clause) : Prop :=
  forall i c, M.find i known = Some c -> true_clause c.

Lemma true_map_add q b m : M.find q m = None -> true_map m \/ v q = b -> true_map (M.add q b m).
Proof.
  intros N [[x [y [F E]]] | E].
  - exists x, y; split; auto. rewrite M.gso; auto. congruence.
  - exists q, b; split; auto. apply M.gss.
Qed.

Lemma load_true c : forall m m', load c m = Some m' -> true_map m \/ true_clause c -> true_map m'.
Proof.
  induction c as [| [q b] c IH]; simpl; intros m m' L H.
  - inversion L; subst. destruct H as [H | [q [b [[] _]]]]; auto.
  - destruct (M.find q m) as [b' |] eqn:F.
    + destruct (eqb b b') eqn:E; [| discriminate]. apply eqb_prop in E; subst b'.
      apply (IH _ _ L). destruct H as [H | [x [y [[I | I] E]]]]; auto.
      * inversion I; subst. left. exists x, (v x); auto.
      * right. exists x, y; auto.
    + apply (IH _ _ L). destruct H as [H | [x [y [[I | I] E]]]].
      * left. apply true_map_add; auto.
      * inversion I; subst. left. apply true_map_add; auto.
      * right. exists x, y; auto.
Qed.

Lemma join_true q c : forall m m', join q c m = Some m' ->
  true_map m \/ (exists x b, In (x, b) c /\ v x = b /\ x <> q) -> true_map m'.
Proof.
  induction c as [| [x b] c IH]; simpl; intros m m' J H.
  - inversion J; subst. destruct H as [H | [y [b [[] _]]]]; auto.
  - destruct (Pos.eqb_spec x q) as [-> | NE].
    + apply (IH _ _ J). destruct H as [H | [y [b' [[I | I] [E D]]]]]; auto.
      * inversion I; subst; tauto.
      * right. exists y, b'; auto.
    + destruct (M.find x m) as [b' |] eqn:F.
      * destruct (eqb b b') eqn:E; [| discriminate]. apply eqb_prop in E; subst b'.
        apply (IH _ _ J). destruct H as [H | [y [b' [[I | I] [E D]]]]]; auto.
        -- inversion I; subst. left. exists y, (v y); auto.
        -- right. exists y, b'; auto.
      * apply (IH _ _ J). destruct H as [H | [y [b' [[I | I] [E D]]]]].
        -- left. apply true_map_add; auto.
        -- inversion I; subst. left. apply true_map_add; auto.
        -- right. exists y, b'; auto.
Qed.

(** From "A or x" and "B or not x" follows "A or B". *)
Lemma resolve_true m c m' : resolve m c = Some m' -> true_map m -> true_clause c -> true_map m'.
Proof.
  unfold resolve. destruct (clash c m) as [q |]; [| discriminate].
  destruct (M.find q m) as [b |] eqn:F; [| discriminate].
  destruct (only q (negb b) c) eqn:O; [| discriminate].
  intros J [x [y [G E]]] [z [w [I D]]]. apply (join_true _ _ _ _ J).
  destruct (Pos.eq_dec x q) as [-> | NE].
  - right. exists z, w; split; [auto | split; [auto |]]. intros ->.
    unfold only in O. rewrite forallb_forall in O. specialize (O _ I). simpl in O.
    rewrite Pos.eqb_refl in O. simpl in O. apply eqb_prop in O.
    assert (b = y) by congruence. destruct b; simpl in *; congruence.
  - left. exists x, y; split; auto. rewrite M.gro; auto.
Qed.

Lemma chain_true known ids : all_true known -> forall m m', chain known ids m = Some m' ->
  true_map m -> true_map m'.
Proof.
  intros K; induction ids as [| i ids IH]; simpl; intros m m' C H.
  - inversion C; subst; auto.
  - destruct (M.find i known) as [c |] eqn:F; [| discriminate].
    destruct (resolve m c) as [m1 |] eqn:R; [| discriminate].
    apply (IH _ _ C). apply (resolve_true _ _ _ R); auto. apply (K i); auto.
Qed.

Theorem resolvent_true known ids c : all_true known -> resolvent known ids = Some c -> true_clause c.
Proof.
  intros K; unfold resolvent. destruct ids as [| i ids]; [discriminate |].
  destruct (M.find i known) as [d |] eqn:F; [| discriminate].
  destruct (load d (M.empty bool)) as [m |] eqn:L; [| discriminate].
  destruct (chain known ids m) as [m' |] eqn:C; [| discriminate].
  intros E; inversion E; subst.
  assert (true_map m') as [q [b [G V]]].
  { apply (chain_true known ids K _ _ C). apply (load_true _ _ _ L). right. apply (K i); auto. }
  exists q, b; split; auto. apply M.elements_correct; auto.
Qed.
End Values.

(** ** Clauses that follow from a rule: else all its literals are false, and the rule is broken *)

(** What is known of a variable if all literals of a clause are false; variable 1 is always false. *)
Definition known_of (m : M.t bool) (q : positive) : option bool :=
  if Pos.eqb q 1 then Some false else option_map negb (M.find q m).
Definition known_literal (m : M.t bool) (x : positive * bool) : option bool :=
  option_map (eqb (snd x)) (known_of m (fst x)).

(** How many literals are then true, and how many more may be. *)
Fixpoint least_most (m : M.t bool) (l : clause) (least more : Z) : Z * Z :=
  match l with
  | [] => (least, more)
  | x :: l' =>
      match known_literal m x with
      | Some true => least_most m l' (least + 1) more
      | Some false => least_most m l' least more
      | None => least_most m l' least (more + 1) end end.

(** All lengths that the first true variables of a list may then have. *)
Fixpoint lengths (m : M.t bool) (l : list positive) : list Z :=
  match l with
  | [] => [0]
  | x :: l' =>
      match known_of m x with
      | Some true => map (Z.add 1) (lengths m l')
      | Some false => [0]
      | None => 0 :: map (Z.add 1) (lengths m l') end end.

(** A property fails for all values that the variables may then have. *)
Fixpoint never (m : M.t bool) (l : list positive) (f : list bool -> bool) : bool :=
  match l with
  | [] => negb (f [])
  | x :: l' =>
      match known_of m x with
      | Some b => never m l' (fun bs => f (b :: bs))
      | None => never m l' (fun bs => f (true :: bs)) && never m l' (fun bs => f (false :: bs)) end end.

Definition broken (m : M.t bool) (r : rule positive) : bool :=
  match r with
  | Count l allowed =>
      let (least, more) := least_most m l 0 0 in
      forallb (fun k => (k <? least) || (least + more <? k)) allowed
  | Arms a b fits =>
      let lb := lengths m b in
      forallb (fun i => forallb (fun j => negb (fits i j)) lb) (lengths m a)
  | Table l fits => never m l fits end.

Section Broken.
Variables (v : positive -> bool) (m : M.t bool).
Hypothesis v1 : v 1%positive = false.
Hypothesis false_map : forall q b, M.find q m = Some b -> v q = negb b.

Lemma known_of_ok q b : known_of m q = Some b -> v q = b.
Proof.
  unfold known_of. destruct (Pos.eqb_spec q 1) as [-> | _]; [congruence |].
  destruct (M.find q m) as [b' |] eqn:F; simpl; [| discriminate]. intros E; inversion E.
  apply false_map; auto.
Qed.

Lemma known_literal_ok x b : known_literal m x = Some b -> literal v x = b.
Proof.
  unfold known_literal, literal. destruct (known_of m (fst x)) as [b' |] eqn:K; simpl; [| discriminate].
  apply known_of_ok in K. rewrite K. intros E; inversion E. destruct b', (snd x); auto.
Qed.

Lemma least_most_ok l : forall least more a b, least_most m l least more = (a, b) ->
  0 <= more ->
  a <= least + how_many (literal v) l <= a + b - more.
Proof.
  induction l as [| x l IH]; simpl; intros least more a b E P.
  - inversion E; subst; lia.
  - destruct (known_literal m x) as [[|] |] eqn:K.
    + apply known_literal_ok in K. rewrite K. apply IH in E; lia.
    + apply known_literal_ok in K. rewrite K. apply IH in E; lia.
    + apply IH in E; [| lia]. destruct (literal v x); lia.
Qed.

Lemma lengths_ok l : In (run v l) (lengths m l).
Proof.
  induction l as [| x l IH]; simpl; auto.
  assert (In (1 + run v l) (map (Z.add 1) (lengths m l))) by (apply in_map; auto).
  destruct (known_of m x) as [b |] eqn:K.
  - apply known_of_ok in K. rewrite K. destruct b; simpl; auto.
  - destruct (v x); simpl; auto.
Qed.

Lemma never_ok l : forall f, never m l f = true -> f (map v l) = false.
Proof.
  induction l as [| x l IH]; simpl; intros f N.
  - apply negb_true_iff; auto.
  - destruct (known_of m x) as [b |] eqn:K.
    + apply known_of_ok in K. rewrite K. apply (IH _ N).
    + apply andb_true_iff in N as [N1 N2]. destruct (v x); [apply (IH _ N1) | apply (IH _ N2)].
Qed.

Lemma broken_ok r : broken m r = true -> holds v r = false.
Proof.
  destruct r as [l allowed | a b fits | l fits]; simpl.
  - destruct (least_most m l 0 0) as [least more] eqn:E. apply least_most_ok in E; [| lia].
    rewrite forallb_forall. intros F.
    destruct (existsb (Z.eqb (how_many (literal v) l)) allowed) eqn:X; auto.
    apply existsb_exists in X as [k [I K]]. apply Z.eqb_eq in K. apply F in I.
    apply orb_true_iff in I. rewrite !Z.ltb_lt in I. lia.
  - rewrite forallb_forall. intros F. specialize (F _ (lengths_ok a)).
    rewrite forallb_forall in F. specialize (F _ (lengths_ok b)). apply negb_true_iff; auto.
  - apply never_ok.
Qed.
End Broken.

Lemma load_find c : forall m m', load c m = Some m' -> forall q b, M.find q m' = Some b ->
  In (q, b) c \/ M.find q m = Some b.
Proof.
  induction c as [| [x b] c IH]; simpl; intros m m' L q y F.
  - inversion L; subst; auto.
  - destruct (M.find x m) as [b' |] eqn:G.
    + destruct (eqb b b') eqn:E; [| discriminate]. destruct (IH _ _ L _ _ F); auto.
    + destruct (IH _ _ L _ _ F) as [I | I]; auto.
      destruct (Pos.eq_dec q x) as [-> | NE].
      * rewrite M.gss in I; inversion I; subst; auto.
      * rewrite M.gso in I; auto.
Qed.

Theorem implied_true v r c m : v 1%positive = false -> holds v r = true ->
  load c (M.empty bool) = Some m -> broken m r = true -> true_clause v c.
Proof.
  intros V H L I.
  destruct (existsb (fun x => eqb (v (fst x)) (snd x)) c) eqn:X.
  - apply existsb_exists in X as [[q b] [X E]]. exists q, b. split; auto. apply eqb_prop; auto.
  - exfalso. assert (holds v r = false); [| congruence]. apply (broken_ok v m); auto.
    intros q b F. destruct (load_find _ _ _ L _ _ F) as [K | K].
    + destruct (eqb (v q) b) eqn:E.
      * exfalso. enough (existsb (fun x => eqb (v (fst x)) (snd x)) c = true) by congruence.
        apply existsb_exists. exists (q, b); auto.
      * apply eqb_false_iff in E. destruct (v q), b; simpl; congruence.
    + rewrite M.gempty in K; discriminate.
Qed.
