(** The steps of a proof over numbers: rules, cuts, resolution; and that they lose no solution. *)
From Coq Require Import List ZArith Bool Lia FMapPositive.
From Verified Require Import Spec.Drawing Spec.Grid Graph Resolution.
Import ListNotations.
Open Scope Z_scope.

(** A line: its number, and the numbers of its ends. *)
Definition edge := (positive * (positive * positive))%type.

(** How lines hang together: a loop; or paths between pairs of ends. *)
Inductive joining := OneLoop | Paths (pairs : list (positive * positive)).

Record problem := {
  edges : list edge;
  rules : list (rule positive);
  joined : joining }.

(** A question: is the number of true literals among these one of these numbers?  The answer is a
    new variable; new variables have odd numbers from 3. *)
Definition question := (clause * list Z)%type.

(** Why a line has an end in a set: this line, if it is drawn; or a known clause all of whose
    literals are lines that have one. *)
Inductive witness := ByLine (i : positive) | ByClause (k : positive) | Nothing.

Inductive step :=
| Rule (c : clause)                                   (* follows from a rule *)
| Counted (d : positive)                              (* a count is this question, whose answer is yes *)
| Defined (d : positive) (c : clause)                 (* follows from what questions mean *)
| SomeLine                                            (* a loop has a line *)
| Not (s : positive)                                  (* it is not this solution *)
| Cut (X : list positive) (w w' : witness)
| Resolve (ids : list positive).

(** ** Programs *)

Definition out_of (e : edge) (X : positive -> bool) : bool := xorb (X (fst (snd e))) (X (snd (snd e))).
Definition in_set (e : edge) (X : positive -> bool) : bool := X (fst (snd e)) || X (snd (snd e)).

Definition found {A} (m : M.t (list A)) (q : positive) : list A :=
  match M.find q m with Some l => l | None => [] end.
Definition put {A} (q : positive) (a : A) (m : M.t (list A)) : M.t (list A) := M.add q (a :: found m q) m.

(** Lines by number; lines by end; rules by the things they speak of. *)
Definition by_number (l : list edge) : M.t edge := fold_right (fun e => M.add (fst e) e) (M.empty edge) l.
Definition by_end (l : list edge) : M.t (list edge) :=
  fold_right (fun e m => put (fst (snd e)) e (put (snd (snd e)) e m)) (M.empty (list edge)) l.
Definition things_of (r : rule positive) : list positive :=
  match r with
  | Count l _ => map fst l | Arms a b _ => a ++ b | Table l _ => l end.
Definition by_thing (l : list (rule positive)) : M.t (list (rule positive)) :=
  fold_right (fun r m => fold_right (fun q => put q r) m (things_of r)) (M.empty (list (rule positive))) l.

Record tables := {
  lines_by_number : M.t edge;
  lines_by_end : M.t (list edge);
  rules_by_thing : M.t (list (rule positive));
  solutions : M.t (list positive);
  questions : M.t question }.

Fixpoint numbered {A} (n : positive) (l : list A) : M.t A :=
  match l with [] => M.empty A | a :: l' => M.add n a (numbered (Pos.succ n) l') end.

Definition tables_of (p : problem) (sols : list (list positive)) (qs : list question) : tables := {|
  lines_by_number := by_number (edges p);
  lines_by_end := by_end (edges p);
  rules_by_thing := by_thing (rules p);
  solutions := numbered 1 sols;
  questions := numbered 1 qs |}.

Definition is_new (q : positive) : bool := match q with xI _ => true | _ => false end.
(** No rule and no line has a new variable. *)
Definition plain (p : problem) (qs : list question) : bool :=
  forallb (fun r => forallb (fun q => negb (is_new q)) (things_of r)) (rules p)
  && forallb (fun e => negb (is_new (fst e))) (edges p)
  && forallb (fun x => forallb (fun y => negb (is_new (fst y))) (fst x)) qs.

Fixpoint same_literals (a b : clause) : bool :=
  match a, b with
  | [], [] => true
  | x :: a', y :: b' => Pos.eqb (fst x) (fst y) && eqb (snd x) (snd y) && same_literals a' b'
  | _, _ => false end.
Definition allows (allowed : list Z) (k : Z) : bool := existsb (Z.eqb k) allowed.

Section Steps.
Variables (p : problem) (t : tables).

Definition from_rules (c : clause) : bool :=
  match load c (M.empty bool) with
  | None => false
  | Some m =>
      existsb (broken m)
        (match c with [] => rules p | (q, _) :: _ => found (rules_by_thing t) q end) end.

(** A rule counts the literals of a question, and allows no other numbers.  (Variable 1 is false.) *)
Definition asks (x : question) (r : rule positive) : bool :=
  match r with
  | Count l allowed =>
      same_literals (filter (fun y => negb (Pos.eqb (fst y) 1 && snd y)) l) (fst x)
      && forallb (allows (snd x)) allowed
  | _ => false end.
Definition counted (d : positive) : option clause :=
  match M.find d (questions t) with
  | Some (((q, b) :: l, allowed) as x) =>
      if existsb (asks x) (found (rules_by_thing t) q) then Some [(xI d, true)] else None
  | _ => None end.

(** Whether a literal is true if the first of some literals is ([h]), and [n] of the others ([l]);
    it is that one, or a question about all or about the others. *)
Definition answered (q : positive) (b : bool) (l : clause) (h : bool) (n : Z) (y : positive * bool) : bool :=
  match fst y with
  | xI d =>
      match M.find d (questions t) with
      | Some (l', allowed) =>
          if same_literals l' l then eqb (allows allowed n) (snd y)
          else if same_literals l' ((q, b) :: l) then eqb (allows allowed (if h then 1 + n else n)) (snd y)
          else false
      | None => false end
  | _ => Pos.eqb (fst y) q && eqb (eqb h b) (snd y) end.
Definition defined (d : positive) (c : clause) : bool :=
  match M.find d (questions t) with
  | Some ((q, b) :: l, _) =>
      forallb (fun n => existsb (answered q b l true n) c && existsb (answered q b l false n) c)
              (upto (Z.of_nat (length l) + 1))
  | _ => false end.

(** The literals that a witness adds to a cut, if it is one. *)
Definition witness_of (known : M.t clause) (X : positive -> bool) (w : witness) : option clause :=
  match w with
  | ByLine i =>
      match M.find i (lines_by_number t) with
      | Some e => if in_set e X then Some [(i, false)] else None
      | None => None end
  | ByClause k =>
      match M.find k known with
      | Some c =>
          if forallb (fun x => snd x && match M.find (fst x) (lines_by_number t) with
                                        | Some e => in_set e X | None => false end) c
          then Some [] else None
      | None => None end
  | Nothing => None end.

Definition border (X : list positive) (inX : positive -> bool) : clause :=
  map (fun e => (fst e, true))
      (flat_map (fun v => filter (fun e => out_of e inX) (found (lines_by_end t) v)) X).

Definition set_of (X : list positive) : M.t unit := fold_right (fun v => M.add v tt) (M.empty unit) X.

Definition cut_with (known : M.t clause) (X : list positive) (inX : positive -> bool)
    (w w' : witness) : option clause :=
  let more := border X inX in
  match joined p with
  | OneLoop =>
      match witness_of known inX w, witness_of known (fun v => negb (inX v)) w' with
      | Some a, Some b => Some (a ++ b ++ more)
      | _, _ => None end
  | Paths pairs =>
      if existsb (fun ab => xorb (inX (fst ab)) (inX (snd ab))) pairs then Some more
      else if existsb (fun ab => inX (fst ab) || inX (snd ab)) pairs then None
      else match witness_of known inX w with Some a => Some (a ++ more) | None => None end end.

Definition cut (known : M.t clause) (X : list positive) (w w' : witness) : option clause :=
  let set := set_of X in cut_with known X (fun v => M.mem v set) w w'.

Definition derive (known : M.t clause) (s : step) : option clause :=
  match s with
  | Rule c => if from_rules c then Some c else None
  | Counted d => counted d
  | Defined d c => if defined d c then Some c else None
  | SomeLine => match joined p with
                | OneLoop => Some (map (fun e => (fst e, true)) (edges p)) | _ => None end
  | Not s => match M.find s (solutions t) with
             | Some l => Some (map (fun i => (i, false)) l) | None => None end
  | Cut X w w' => cut known X w w'
  | Resolve ids => resolvent known ids end.

(** Follow the steps up to the empty clause: the number of a step that does not follow, if any, or
    that after the last one. *)
Fixpoint wrong_step (known : M.t clause) (next : positive) (l : list step) : option positive :=
  match l with
  | [] => Some next
  | s :: l' =>
      match derive known s with
      | Some [] => None
      | Some c => wrong_step (M.add next c known) (Pos.succ next) l'
      | None => Some next end end.
End Steps.

Definition refutes (p : problem) (sols : list (list positive)) (qs : list question) (l : list step) : option positive :=
  if plain p qs && forallb (forallb (fun i => negb (is_new i))) sols then wrong_step p (tables_of p sols qs) (M.empty clause) 1 l else Some 1%positive.

(** ** What the steps rest on *)

(** What is true of a solution, as values of numbers. *)
Record fits (p : problem) (v : positive -> bool) : Prop := {
  nothing_false : v 1%positive = false;
  rules_hold : forall r, In r (rules p) -> holds v r = true;
  has_line : joined p = OneLoop -> exists e, In e (edges p) /\ v (fst e) = true;
  leaves : forall X, (match joined p with
      | OneLoop => (exists e, In e (edges p) /\ v (fst e) = true /\ in_set e X = true) /\
                   (exists e, In e (edges p) /\ v (fst e) = true /\ in_set e (fun q => negb (X q)) = true)
      | Paths pairs =>
          (exists ab, In ab pairs /\ X (fst ab) <> X (snd ab)) \/
          ((forall ab, In ab pairs -> X (fst ab) = false /\ X (snd ab) = false) /\
           exists e, In e (edges p) /\ v (fst e) = true /\ in_set e X = true) end) ->
    exists e, In e (edges p) /\ v (fst e) = true /\ out_of e X = true }.

Lemma by_number_ok l i e : M.find i (by_number l) = Some e -> In e l /\ fst e = i.
Proof.
  induction l as [| a l IH]; simpl; intros F.
  - rewrite M.gempty in F; discriminate.
  - destruct (Pos.eq_dec i (fst a)) as [-> | NE].
    + rewrite M.gss in F; inversion F; subst; auto.
    + rewrite M.gso in F; auto. destruct (IH F); auto.
Qed.

Lemma found_put {A} q (a : A) m x b : In b (found (put q a m) x) <-> (x = q /\ b = a) \/ In b (found m x).
Proof.
  unfold found, put. destruct (Pos.eq_dec x q) as [-> | NE].
  - rewrite M.gss. simpl. unfold found. intuition congruence.
  - rewrite M.gso; auto. intuition congruence.
Qed.

Lemma by_end_ok l e : In e l ->
  In e (found (by_end l) (fst (snd e))) /\ In e (found (by_end l) (snd (snd e))).
Proof.
  induction l as [| a l IH]; simpl; [tauto |]. intros [-> | I]; rewrite !found_put; [auto |].
  destruct (IH I); auto.
Qed.

Lemma by_thing_ok l q r : In r (found (by_thing l) q) -> In r l.
Proof.
  induction l as [| a l IH]; simpl.
  - unfold found. rewrite M.gempty. auto.
  - assert (forall qs m, In r (found (fold_right (fun q => put q a) m qs) q) -> a = r \/ In r (found m q)) as K.
    { induction qs as [| x qs IQ]; simpl; intros m I; auto. apply found_put in I as [[_ E] | I]; auto. }
    intros I. apply K in I as [E | I]; auto.
Qed.

Lemma set_of_ok X v : M.mem v (set_of X) = true -> In v X.
Proof.
  induction X as [| x X IH]; simpl; rewrite M.mem_find.
  - rewrite M.gempty; discriminate.
  - destruct (Pos.eq_dec v x) as [-> | NE]; auto. rewrite M.gso; auto.
    rewrite M.mem_find in IH. auto.
Qed.

Lemma numbered_ok {A} (l : list A) : forall n i a, M.find i (numbered n l) = Some a -> In a l.
Proof.
  induction l as [| b l IH]; simpl; intros n i a F.
  - rewrite M.gempty in F; discriminate.
  - destruct (Pos.eq_dec i n) as [-> | NE].
    + rewrite M.gss in F; inversion F; auto.
    + rewrite M.gso in F; auto. right; eapply IH; eauto.
Qed.

(** ** New variables *)

Lemma run_ext (v w : positive -> bool) l : (forall q, In q l -> v q = w q) -> run v l = run w l.
Proof.
  induction l as [| q l IH]; simpl; intros E; auto. rewrite (E q), IH; auto.
Qed.

Lemma holds_ext (v w : positive -> bool) r : (forall q, In q (things_of r) -> v q = w q) -> holds v r = holds w r.
Proof.
  destruct r as [l allowed | a b f | l f]; simpl; intros E.
  - rewrite (how_many_ext _ (literal w)); auto. intros x I. unfold literal. rewrite E; auto.
    apply in_map; auto.
  - rewrite (run_ext v w a), (run_ext v w b); auto; intros; apply E, in_or_app; auto.
  - rewrite (map_ext_in v w); auto.
Qed.

Section New.
Variables (p : problem) (qs : list question) (v : positive -> bool).

(** The answers of questions, as values of new variables. *)
Definition with_answers (q : positive) : bool :=
  match q with
  | xI d => match M.find d (numbered 1 qs) with
            | Some (l, allowed) => allows allowed (how_many (literal v) l) | None => false end
  | _ => v q end.

Lemma with_answers_old q : is_new q = false -> with_answers q = v q.
Proof. destruct q; simpl; auto; discriminate. Qed.

Lemma plain_rules : plain p qs = true ->
  (forall r q, In r (rules p) -> In q (things_of r) -> with_answers q = v q) /\
  (forall e, In e (edges p) -> with_answers (fst e) = v (fst e)) /\
  (forall d l allowed, M.find d (numbered 1 qs) = Some (l, allowed) ->
     how_many (literal with_answers) l = how_many (literal v) l).
Proof.
  unfold plain. rewrite !andb_true_iff, !forallb_forall. intros [[A C] D]. repeat split.
  - intros r q I J. specialize (A r I). rewrite forallb_forall in A. specialize (A q J).
    apply with_answers_old, negb_true_iff; auto.
  - intros e I. apply with_answers_old, negb_true_iff; auto.
  - intros d l allowed F. apply numbered_ok in F. specialize (D _ F). rewrite forallb_forall in D.
    apply how_many_ext. intros y I. unfold literal. rewrite with_answers_old; auto.
    apply negb_true_iff; auto.
Qed.

Lemma fits_with_answers : plain p qs = true -> fits p v -> fits p with_answers.
Proof.
  intros P F. destruct (plain_rules P) as [R [E _]]. constructor.
  - apply (nothing_false _ _ F).
  - intros r I. rewrite (holds_ext _ v); [apply (rules_hold _ _ F); auto |]. intros q J. apply (R r); auto.
  - intros J. destruct (has_line _ _ F J) as [e [I V]]. exists e. rewrite E; auto.
  - intros X H. destruct (leaves _ _ F X) as [e [I [V O]]].
    + destruct (joined p).
      * destruct H as [[e [I [V O]]] [f [I' [V' O']]]]. rewrite E in V, V'; auto.
        split; [exists e | exists f]; auto.
      * destruct H as [H | [H [e [I [V O]]]]]; auto. right. split; auto. exists e. rewrite <- E; auto.
    + exists e. rewrite E; auto.
Qed.
End New.

(** ** The steps lose no solution *)

Section Sound.
Variables (p : problem) (sols : list (list positive)) (qs : list question) (v : positive -> bool).
Hypothesis F : fits p v.
Hypothesis Q : forall d l allowed, M.find d (numbered 1 qs) = Some (l, allowed) ->
  v (xI d) = allows allowed (how_many (literal v) l).
Let t := tables_of p sols qs.

Lemma from_rules_true c : from_rules p t c = true -> true_clause v c.
Proof.
  unfold from_rules. destruct (load c (M.empty bool)) as [m |] eqn:L; [| discriminate].
  intros E. apply existsb_exists in E as [r [I E]]. apply (implied_true v r c m); auto.
  - apply (nothing_false _ _ F).
  - apply (rules_hold _ _ F). destruct c as [| [q b] c]; auto. apply by_thing_ok in I; auto.
Qed.

Lemma same_literals_ok a : forall b, same_literals a b = true -> a = b.
Proof.
  induction a as [| [x s] a IH]; intros [| [y s'] b]; simpl; auto; try discriminate.
  rewrite !andb_true_iff. intros [[E1 E2] E3]. apply Pos.eqb_eq in E1. apply eqb_prop in E2.
  subst. rewrite (IH _ E3); auto.
Qed.

Lemma how_many_without l :
  how_many (literal v) (filter (fun y => negb (Pos.eqb (fst y) 1 && snd y)) l) = how_many (literal v) l.
Proof.
  induction l as [| [q b] l IH]; auto. cbn [filter how_many fst snd].
  destruct (Pos.eqb_spec q 1) as [-> |]; cbn [andb negb].
  - destruct b; cbn [negb how_many]; rewrite IH; auto.
    unfold literal; cbn [fst snd]. rewrite (nothing_false _ _ F); auto.
  - cbn [how_many]. rewrite IH; auto.
Qed.

Lemma counted_true d c : counted t d = Some c -> true_clause v c.
Proof.
  unfold counted. simpl. destruct (M.find d (numbered 1 qs)) as [[[| [q b] l] allowed] |] eqn:D; try discriminate.
  destruct (existsb _ _) eqn:X; [| discriminate]. intros E; inversion E; subst.
  exists (xI d), true. split; [simpl; auto |]. rewrite (Q _ _ _ D).
  apply existsb_exists in X as [r [I A]]. apply by_thing_ok in I. apply (rules_hold _ _ F) in I.
  destruct r as [l' allowed' | |]; try discriminate. cbn [holds] in I. cbn [asks] in A. apply andb_true_iff in A as [S A].
  apply same_literals_ok in S. cbn [fst snd] in S, A. rewrite <- S, how_many_without.
  apply existsb_exists in I as [k [J K]]. apply Z.eqb_eq in K. rewrite K.
  rewrite forallb_forall in A; auto.
Qed.

Lemma answered_true q b l y :
  answered t q b l (literal v (q, b)) (how_many (literal v) l) y = true -> v (fst y) = snd y.
Proof.
  unfold answered. destruct y as [q' b']. cbn [fst snd].
  assert (H : Pos.eqb q' q && eqb (eqb (literal v (q, b)) b) b' = true -> v q' = b').
  { intros E. apply andb_true_iff in E as [E1 E2]. apply Pos.eqb_eq in E1. apply eqb_prop in E2.
    subst. unfold literal; simpl. destruct (v q), b; auto. }
  destruct q' as [d | d |]; auto. simpl questions.
  destruct (M.find d (numbered 1 qs)) as [[l' allowed] |] eqn:D; [| discriminate].
  rewrite (Q _ _ _ D). destruct (same_literals l' l) eqn:S.
  - apply same_literals_ok in S. subst. intros E. apply eqb_prop; auto.
  - clear S. destruct (same_literals l' ((q, b) :: l)) eqn:S; [| discriminate].
    apply same_literals_ok in S. subst. cbn [how_many]. intros E. apply eqb_prop in E. rewrite <- E.
    destruct (literal v (q, b)); auto.
Qed.

Lemma defined_true d c : defined t d c = true -> true_clause v c.
Proof.
  unfold defined. destruct (M.find d (questions t)) as [[[| [q b] l] allowed] |]; try discriminate.
  rewrite forallb_forall. intros A. specialize (A (how_many (literal v) l)).
  assert (I : In (how_many (literal v) l) (upto (Z.of_nat (length l) + 1))).
  { unfold upto. apply in_map_iff. exists (Z.to_nat (how_many (literal v) l)).
    pose proof (how_many_nonneg (literal v) l).
    assert (how_many (literal v) l <= Z.of_nat (length l)).
    { clear. induction l as [| a l IH]; cbn [how_many length]; [lia | destruct (literal v a); lia]. }
    split; [lia | apply in_seq; lia]. }
  apply A in I. apply andb_true_iff in I as [I J].
  assert (K : existsb (answered t q b l (literal v (q, b)) (how_many (literal v) l)) c = true)
    by (destruct (literal v (q, b)); auto).
  apply existsb_exists in K as [y [K E]]. exists (fst y), (snd y).
  split; [destruct y; auto | apply (answered_true q b l y E)].
Qed.

(** A witness shows what it says, or one of its literals is true. *)
Lemma witness_true known X w a : all_true v known -> witness_of t known X w = Some a ->
  true_clause v a \/ exists e, In e (edges p) /\ v (fst e) = true /\ in_set e X = true.
Proof.
  intros K W. destruct w as [i | k |]; simpl in W.
  - destruct (M.find i (by_number (edges p))) as [e |] eqn:E; [| discriminate].
    apply by_number_ok in E as [I <-]. destruct (in_set e X) eqn:S; [| discriminate].
    inversion W; subst. destruct (v (fst e)) eqn:V.
    + right. exists e; auto.
    + left. exists (fst e), false; simpl; auto.
  - destruct (M.find k known) as [c |] eqn:E; [| discriminate]. apply K in E.
    match type of W with (if ?x then _ else _) = _ => destruct x eqn:G end; [| discriminate]. inversion W; subst.
    right. destruct E as [q [b [I V]]]. rewrite forallb_forall in G. apply G in I. simpl in I.
    apply andb_true_iff in I as [B I]. subst b.
    destruct (M.find q (by_number (edges p))) as [e |] eqn:E; [| discriminate].
    apply by_number_ok in E as [E <-]. exists e; auto.
  - discriminate.
Qed.

Lemma border_true X inX : (forall v, inX v = true -> In v X) ->
  (exists e, In e (edges p) /\ v (fst e) = true /\ out_of e inX = true) -> true_clause v (border t X inX).
Proof.
  intros S [e [I [V O]]]. exists (fst e), true. split; auto. unfold border.
  apply in_map_iff. exists e; split; auto. apply in_flat_map.
  destruct (by_end_ok (edges p) e I) as [A B].
  destruct (inX (fst (snd e))) eqn:P.
  - exists (fst (snd e)). split; auto. apply filter_In; auto.
  - exists (snd (snd e)). split; [apply S | apply filter_In; auto].
    unfold out_of in O. rewrite P in O. destruct (inX (snd (snd e))); auto.
Qed.

Lemma true_app a b : true_clause v a \/ true_clause v b -> true_clause v (a ++ b).
Proof.
  intros [[q [x [I V]]] | [q [x [I V]]]]; exists q, x; split; auto; apply in_or_app; auto.
Qed.

Lemma cut_true known X inX w w' c : (forall v, inX v = true -> In v X) ->
  all_true v known -> cut_with p t known X inX w w' = Some c -> true_clause v c.
Proof.
  intros S K. unfold cut_with. cbv zeta.
  pose proof (leaves _ _ F inX) as L. destruct (joined p) as [| pairs].
  - destruct (witness_of t known inX w) as [a |] eqn:A; [| discriminate].
    destruct (witness_of t known (fun v => negb (inX v)) w') as [b |] eqn:B; [| discriminate].
    intros E; inversion E; subst. apply true_app.
    destruct (witness_true _ _ _ _ K A) as [| A']; auto. right. apply true_app.
    destruct (witness_true _ _ _ _ K B) as [| B']; auto. right. apply border_true; auto.
  - destruct (existsb (fun ab => xorb (inX (fst ab)) (inX (snd ab))) pairs) eqn:E1.
    + intros E; inversion E; subst. apply border_true; auto. apply L. left.
      apply existsb_exists in E1 as [ab [I D]]. exists ab; split; auto.
      destruct (inX (fst ab)), (inX (snd ab)); simpl in *; congruence.
    + destruct (existsb (fun ab => inX (fst ab) || inX (snd ab)) pairs) eqn:E2; [discriminate |].
      destruct (witness_of t known inX w) as [a |] eqn:A; [| discriminate].
      intros E; inversion E; subst. apply true_app.
      destruct (witness_true _ _ _ _ K A) as [| A']; auto. right. apply border_true; auto.
      apply L. right. split; auto. intros ab I.
      destruct (inX (fst ab) || inX (snd ab)) eqn:D.
      * enough (existsb (fun ab => inX (fst ab) || inX (snd ab)) pairs = true) by congruence.
        apply existsb_exists; eauto.
      * apply orb_false_iff; auto.
Qed.

(** Some line of each solution that is excluded is not drawn. *)
Hypothesis N : forall l, In l sols -> exists i, In i l /\ v i = false.

Lemma derive_true known s c : all_true v known -> derive p t known s = Some c -> true_clause v c.
Proof.
  intros K. destruct s as [d | d | d c' | | s | X w w' | ids]; simpl.
  - destruct (from_rules p t d) eqn:E; [| discriminate]. intros H; inversion H; subst.
    apply from_rules_true; auto.
  - apply counted_true.
  - destruct (defined t d c') eqn:E; [| discriminate]. intros H; inversion H; subst.
    apply (defined_true d); auto.
  - destruct (joined p) eqn:J; [| discriminate]. intros H; inversion H; subst.
    destruct (has_line _ _ F J) as [e [I V]]. exists (fst e), true; split; auto.
    apply in_map_iff. exists e; auto.
  - destruct (M.find s (numbered 1 sols)) as [l |] eqn:E; [| discriminate].
    intros H; inversion H; subst. apply numbered_ok in E. destruct (N _ E) as [i [I V]].
    exists i, false; split; auto. apply in_map_iff. exists i; auto.
  - apply cut_true; auto. apply set_of_ok.
  - apply resolvent_true; auto.
Qed.

Lemma steps_false l : forall known n, all_true v known -> wrong_step p t known n l = None -> False.
Proof.
  induction l as [| s l IH]; simpl; intros known n K R; [discriminate |].
  destruct (derive p t known s) as [c |] eqn:D; [| discriminate].
  assert (true_clause v c) as C by (apply (derive_true known s c); auto).
  destruct c as [| x c]; [destruct C as [q [b [[] _]]] |].
  apply IH in R; auto. intros i d E. destruct (Pos.eq_dec i n) as [-> | NE].
  - rewrite M.gss in E; inversion E; subst; auto.
  - rewrite M.gso in E; auto. apply (K i); auto.
Qed.
End Sound.

(** Whatever fits has all lines of one of the solutions. *)
Theorem refutes_ok p sols qs l v : refutes p sols qs l = None -> fits p v ->
  exists s, In s sols /\ forall i, In i s -> v i = true.
Proof.
  unfold refutes. destruct (plain p qs && _) eqn:P; [| discriminate]. intros R F.
  apply andb_true_iff in P as [P O]. rewrite forallb_forall in O.
  destruct (existsb (forallb v) sols) eqn:E.
  - apply existsb_exists in E as [s [I A]]. rewrite forallb_forall in A. eauto.
  - exfalso. set (w := with_answers qs v).
    apply (steps_false p sols qs w) with (l := l) (known := M.empty clause) (n := 1%positive); auto.
    + apply fits_with_answers; auto.
    + intros d lits allowed D. simpl. rewrite D. destruct (plain_rules p qs v P) as [_ [_ K]].
      fold w in K. rewrite (K _ _ _ D); auto.
    + intros s I. destruct (forallb v s) eqn:A.
      * enough (existsb (forallb v) sols = true) by congruence. apply existsb_exists; eauto.
      * specialize (O s I). rewrite forallb_forall in O. clear - A O. induction s as [| i s IH]; [discriminate |]. simpl in A.
        destruct (v i) eqn:V.
        -- destruct IH as [j [J W]]; auto; [intros; apply O; simpl; auto | exists j; simpl; auto].
        -- exists i. split; [simpl; auto |]. unfold w. rewrite with_answers_old; auto.
           apply negb_true_iff, O; simpl; auto.
    + intros i c G. rewrite M.gempty in G; discriminate.
Qed.
