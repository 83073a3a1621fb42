(** Slitherlink on any board: its numbers, its model, how it is read, its checker. *)
From Coq Require Import List ZArith NArith Bool Lia String Ascii Decimal.
From Verified Require Import Spec.Drawing Spec.Grid Spec.Puzzle Spec.Claim Spec.Faces Graph Squares Resolution Cuts Model
  Parse Kinds.Loops Kinds.All.
Import ListNotations.
Open Scope list_scope.
Open Scope Z_scope.

(** ** The board *)

Lemma line_eqb_ok l m : line_eqb l m = true <-> l = m.
Proof.
  destruct l, m; unfold line_eqb; simpl. rewrite andb_true_iff, !Z.eqb_eq.
  split; [intros [-> ->]; auto | intros E; inversion E; auto].
Qed.

Lemma once_ok {A} (same : A -> A -> bool) (H : forall a b, same a b = true -> a = b) l x :
  In x (once same l) <-> In x l.
Proof.
  induction l as [| a l IH]; simpl; [tauto |]. destruct (existsb (same a) l) eqn:E.
  - rewrite IH. apply existsb_exists in E as [b [I E]]. apply H in E. subst. split; auto.
    intros [<- | J]; auto.
  - simpl. rewrite IH. tauto.
Qed.

Lemma sides_from_ends first walk l : In l (sides_from first walk) ->
  In (fst l) (first :: walk) /\ In (snd l) (first :: walk).
Proof.
  intros I. induction walk as [| v walk IH]; [destruct I |].
  assert (K : forall a b, In a (first :: v :: walk) -> In b (first :: v :: walk) ->
    l = line_between a b -> In (fst l) (first :: v :: walk) /\ In (snd l) (first :: v :: walk)).
  { intros a b Ia Ib ->. unfold line_between. cbn [fst snd].
    destruct (Z.min_spec a b) as [[_ ->] | [_ ->]], (Z.max_spec a b) as [[_ ->] | [_ ->]]; auto. }
  destruct walk as [| w walk].
  - destruct I as [<- | []]. apply (K v first); simpl; auto.
  - destruct I as [<- | I]; [apply (K v w); simpl; auto |].
    destruct (IH I) as [I1 I2]. split; simpl in *; tauto.
Qed.

Lemma sides_ends walk l : In l (sides walk) -> In (fst l) walk /\ In (snd l) walk.
Proof.
  destruct walk as [| v walk]; [intros [] |]. unfold sides. rewrite once_ok.
  2: { intros a b E. apply line_eqb_ok; auto. }
  intros I. destruct (sides_from_ends _ _ _ I) as [I1 I2].
  split; simpl in *; tauto.
Qed.

Definition line_eq_dec (l m : Z * Z) : {l = m} + {l <> m}.
Proof. decide equality; apply Z.eq_dec. Defined.

Definition face_board (p : faces_puzzle) : sound_board (faces_board p).
Proof.
  refine {| same_line := line_eq_dec;
            touching := fun l v => (fst l =? v) || (snd l =? v);
            on := fun l => existsb (line_eqb l) (lines (faces_board p)) |}.
  - intros l v. unfold touches. simpl. rewrite orb_true_iff, !Z.eqb_eq. tauto.
  - intros l v I. simpl in I. apply filter_In in I as [_ I].
    unfold touches. simpl. rewrite orb_true_iff, !Z.eqb_eq in I. auto.
  - intros l v I Q. simpl. apply filter_In. split; auto. unfold touches in Q. simpl in Q.
    rewrite orb_true_iff, !Z.eqb_eq. auto.
  - intros l I. simpl in *. rewrite once_ok in I by (intros a b E; apply line_eqb_ok; auto).
    apply in_flat_map in I as [f [I J]]. apply sides_ends in J as [J1 J2].
    rewrite !once_ok by (intros a b E; apply Z.eqb_eq; auto).
    split; apply in_flat_map; exists f; auto.
  - intros l. rewrite existsb_exists. split.
    + intros [m [I E]]. apply line_eqb_ok in E. subst; auto.
    + intros I. exists l. split; auto. apply line_eqb_ok; auto.
Defined.

(** ** Numbers: for vertices below a bound, even codes for lines and odd ones for vertices *)

Section Numbers.
Variables (p : faces_puzzle) (size : Z).

Definition in_range (v : Z) : bool := (0 <=? v) && (v <? size).
Definition code (k : Z) : positive := xO (xO (Z.to_pos (k + 1))).
Definition face_number (a : Graph.thing (Z * Z) Z) : positive :=
  match a with
  | Line l => if in_range (fst l) && in_range (snd l) then code (2 * (fst l * size + snd l)) else 1%positive
  | Seen v => if in_range v then code (2 * v + 1) else 1%positive end.
Definition face_value (T : Z * Z -> bool) (q : positive) : bool :=
  match q with
  | xO (xO k) =>
      let m := Zpos k - 1 in
      if Z.odd m then visited (faces_board p) T (m / 2) else T (m / 2 / size, (m / 2) mod size)
  | _ => false end.
(** Other vertices have numbers, too, so that all are different. *)
Definition face_node (v : Z) : positive :=
  match v with Z0 => 1%positive | Zpos k => xO k | Zneg k => xI k end.

Hypothesis small : forall v, In v (places (faces_board p)) -> in_range v = true.

Lemma face_value_ok T : (forall l, T l = true -> In l (lines (faces_board p))) ->
  forall a, face_value T (face_number a) = truth (faces_board p) T a.
Proof.
  intros O a. assert (P : forall l, T l = true -> in_range (fst l) && in_range (snd l) = true).
  { intros l Tl. destruct (ends_in _ (face_board p) l (O l Tl)) as [I1 I2].
    apply andb_true_iff. split; [exact (small _ I1) | exact (small _ I2)]. }
  destruct a as [[v w] | v]; unfold face_number; cbn [fst snd truth].
  - destruct (in_range v && in_range w) eqn:R.
    + unfold in_range in R. rewrite !andb_true_iff, !Z.leb_le, !Z.ltb_lt in R. destruct R as [[A1 A2] [C1 C2]].
      assert (0 <= v * size) by nia. unfold face_value, code. cbv iota zeta. rewrite Z2Pos.id by lia.
      replace (2 * (v * size + w) + 1 - 1) with (2 * (v * size + w)) by lia.
      rewrite Z.odd_mul. replace (Z.odd 2) with false by auto. cbv iota. cbn [andb].
      replace (2 * (v * size + w) / 2) with (v * size + w) by (apply Z.div_unique with (r := 0); lia).
      replace ((v * size + w) / size) with v by (apply Z.div_unique with (r := w); lia).
      replace ((v * size + w) mod size) with w by (apply Z.mod_unique with (q := v); lia). auto.
    + destruct (T (v, w)) eqn:E; auto. apply P in E. cbn [fst snd] in E. congruence.
  - destruct (in_range v) eqn:R.
    + unfold in_range in R. rewrite !andb_true_iff, !Z.leb_le, !Z.ltb_lt in R.
      unfold face_value, code. cbv iota zeta. rewrite Z2Pos.id by lia.
      replace (2 * v + 1 + 1 - 1) with (2 * v + 1) by lia.
      rewrite Z.odd_add, Z.odd_mul. replace (Z.odd 2) with false by auto. cbn [andb xorb]. 
      replace (Z.odd 1) with true by auto. cbv iota. cbn [xorb].
      replace ((2 * v + 1) / 2) with v by (apply Z.div_unique with (r := 1); lia). auto.
    + symmetry. destruct (visited (faces_board p) T v) eqn:E; auto. unfold visited in E.
      apply existsb_exists in E as [l [I Tl]]. apply (lines_at_touch _ (face_board p)) in I.
      apply P, andb_true_iff in Tl as [R1 R2]. destruct I as [<- | <-]; cbn [ends faces_board] in *; congruence.
Qed.

Definition face_numbers : numbering (faces_board p).
Proof.
  refine {| number := face_number; node := face_node; value := face_value |}.
  - intros v w _ _ E. destruct v, w; simpl in E; congruence.
  - reflexivity.
  - intros [l | v]; unfold face_number.
    + destruct (in_range (fst l) && in_range (snd l)); exact I.
    + destruct (in_range v); exact I.
  - apply face_value_ok.
Defined.
End Numbers.

(** ** The model *)

Definition faces_model (p : faces_puzzle) : list (rule (Graph.thing (Z * Z) Z)) :=
  flat_map (fun f => match fst f with
    | Some (Exactly k) => [lines_are (sides (snd f)) [k]] | _ => [] end) p.

Lemma faces_model_ok p T : faces_spec p T = true ->
  forallb (holds (truth (faces_board p) T)) (faces_model p) = true.
Proof.
  unfold faces_spec, faces_model. rewrite forallb_flat_map. apply forallb_impl.
  intros [[[k |] |] walk] _ E; auto. cbn [fst snd forallb] in *. rewrite andb_true_r, lines_are_ok, one_allowed. auto.
Qed.

(** ** Files: a header, and a line for each face, with its clue and its vertices *)

Open Scope string_scope.

Definition read_face (l : list string) : option (option amount * list Z) :=
  match l with
  | [] => None
  | w :: walk =>
      match read_cell read_amount w, all_some (map read_number walk) with
      | Some k, Some vs => Some (k, vs) | _, _ => None end end.
Definition show_face (f : option amount * list Z) : list string :=
  show_cell show_amount (fst f) :: map show_number (snd f).

Definition faces_title : list string := ["slitherlink"; "faces"].
Definition read_faces (text : string) : option faces_puzzle :=
  match lines_of_words text with
  | [k; v] :: rest =>
      if String.eqb k "slitherlink" && String.eqb v "faces" then all_some (map read_face rest) else None
  | _ => None end.
Definition print_faces (p : faces_puzzle) : string := text_of (faces_title :: map show_face p).

Definition writable_face (f : option amount * list Z) : bool :=
  proper_cell show_amount proper_amount (fst f) && forallb (Z.leb 0) (snd f)
  && good_line (show_face f).

Theorem read_print_faces p : forallb writable_face p = true -> read_faces (print_faces p) = Some p.
Proof.
  intros W. unfold read_faces, print_faces. rewrite words_text.
  - simpl. apply (all_some_map read_face show_face writable_face); auto.
    intros [k walk]. unfold writable_face. cbn [fst snd]. rewrite !andb_true_iff. intros [[P V] _].
    unfold read_face, show_face. cbn [fst snd].
    rewrite (read_show_cell read_amount show_amount proper_amount read_show_amount k P).
    rewrite (all_some_map read_number show_number (Z.leb 0)); auto. apply number_ok.
  - discriminate.
  - cbn [forallb]. apply andb_true_iff. split; [reflexivity |]. rewrite forallb_forall in W.
    apply forallb_forall. intros x I. apply in_map_iff in I as [f [<- I]]. apply W in I.
    unfold writable_face in I. rewrite !andb_true_iff in I. tauto.
Qed.

(** ** The checker *)

Definition check_faces (text : string) (solutions : list (list (Z * Z))) (qs : list question)
    (steps : list step) : verdict :=
  match read_faces text with
  | None => NoPuzzle
  | Some p =>
      let vs := places (faces_board p) in
      let size := fold_right Z.max 0 vs + 1 in
      match bool_dec (forallb (in_range size) vs) true with
      | left small =>
          check_loop (faces_board p) (face_board p)
            (face_numbers p size (fun v I => proj1 (forallb_forall (in_range size) vs) small v I))
            (faces_model p) (faces_spec p) solutions qs steps
      | right _ => NoPuzzle end end.

(** The same as [check_ok], for boards that are given by their faces. *)
Theorem check_faces_ok text solutions qs steps : check_faces text solutions qs steps = Verified ->
  exists p, read_faces text = Some p /\ exactly (solves_faces p) solutions.
Proof.
  unfold check_faces. destruct (read_faces text) as [p |]; [| discriminate]. cbv zeta.
  destruct (bool_dec _ true) as [small | _]; [| discriminate]. intros C. exists p. split; auto.
  refine (check_loop_ok _ _ _ _ _ _ _ _ _ C). intros T [_ R]. apply faces_model_ok; auto.
Qed.

Print Assumptions check_faces_ok.
Print Assumptions read_print_faces.
