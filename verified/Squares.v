(** Boards of squares are sound, and their lines and places have numbers. *)
From Coq Require Import List ZArith Bool Lia.
From Verified Require Import Spec.Drawing Spec.Grid Graph.
Import ListNotations.
Open Scope Z_scope.

Lemma upto_ok n k : In k (upto n) <-> 0 <= k < n.
Proof.
  unfold upto. rewrite in_map_iff. split.
  - intros [x [<- I]]. apply in_seq in I. lia.
  - intros I. exists (Z.to_nat k). split; [lia | apply in_seq; lia].
Qed.

Lemma cells_of_ok rows cols c : In c (cells_of rows cols) <-> on_grid rows cols c = true.
Proof.
  destruct c as [row col]. unfold cells_of, on_grid, cell. rewrite in_prod_iff, !upto_ok. simpl.
  rewrite !andb_true_iff, !Z.leb_le, !Z.ltb_lt. lia.
Qed.

Lemma lines_ok rows cols l : line_on_grid rows cols l = true <-> In l (lines (grid rows cols)).
Proof.
  simpl. rewrite filter_In. split; [| tauto]. intros O; split; auto. apply in_flat_map.
  pose proof O as P. unfold line_on_grid in P. apply andb_true_iff in P as [P _].
  exists (fst (ends_of l)). split; [apply cells_of_ok; auto |]. destruct l; simpl; auto.
Qed.

Lemma cell_dec (c d : cell) : {c = d} + {c <> d}.
Proof. decide equality; apply Z.eq_dec. Defined.

Lemma line_dec (l m : line) : {l = m} + {l <> m}.
Proof. decide equality; apply cell_dec. Defined.

Lemma same_ok c d : same c d = true <-> c = d.
Proof.
  destruct c, d; unfold same; simpl. rewrite andb_true_iff, !Z.eqb_eq.
  split; [intros [-> ->] | intros E; inversion E]; auto.
Qed.

Lemma four_lines_ok rows cols l c : In l (four_lines c) <-> touches (grid rows cols) l c.
Proof.
  destruct c as [row col], l as [[r k] | [r k]]; unfold touches; simpl; split.
  - intros [E | [E | [E | [E | []]]]]; inversion E; subst; auto. right. f_equal; lia.
  - intros [E | E]; inversion E; subst; auto. do 3 right; left. f_equal. f_equal; lia.
  - intros [E | [E | [E | [E | []]]]]; inversion E; subst; auto. right. f_equal; lia.
  - intros [E | E]; inversion E; subst; auto. left. f_equal. f_equal; lia.
Qed.

Definition touching_of (l : line) (c : cell) : bool := same (fst (ends_of l)) c || same (snd (ends_of l)) c.

Definition square_board rows cols : sound_board (grid rows cols).
Proof.
  refine {| same_line := line_dec; touching := touching_of; on := line_on_grid rows cols |}.
  - intros l c. unfold touching_of, touches. simpl. rewrite orb_true_iff, !same_ok. tauto.
  - intros l c. apply (four_lines_ok rows cols).
  - intros l c _. apply (four_lines_ok rows cols).
  - intros l I. apply lines_ok in I. unfold line_on_grid in I. apply andb_true_iff in I.
    simpl. rewrite !cells_of_ok. auto.
  - intros l. apply lines_ok.
Defined.

(** ** Numbers *)

Section Numbers.
Variables rows cols : Z.

(** Multiples of 4: 4, 8, 12 for the lines and the visit of the first cell, and so on. *)
Definition number_at (c : cell) (k : Z) : positive :=
  xO (xO (Z.to_pos (3 * (fst c * cols + snd c) + k + 1))).
Definition number_of (a : thing line cell) : positive :=
  match a with
  | Line l => if line_on_grid rows cols l
              then match l with Across c => number_at c 0 | Down c => number_at c 1 end else 1%positive
  | Seen c => if on_grid rows cols c then number_at c 2 else 1%positive end.
Definition node_of (c : cell) : positive := Z.to_pos (fst c * cols + snd c + 1).

Definition value_of (T : line -> bool) (q : positive) : bool :=
  match q with
  | xO (xO k) =>
      let m := Zpos k - 1 in
      let c := (m / 3 / cols, (m / 3) mod cols) in
      if m mod 3 =? 0 then T (Across c) else if m mod 3 =? 1 then T (Down c)
      else visited (grid rows cols) T c
  | _ => false end.

Lemma value_at T c k : on_grid rows cols c = true -> 0 <= k < 3 ->
  value_of T (number_at c k) =
  if k =? 0 then T (Across c) else if k =? 1 then T (Down c) else visited (grid rows cols) T c.
Proof.
  destruct c as [row col]. unfold on_grid. cbn [fst snd]. rewrite !andb_true_iff, !Z.leb_le, !Z.ltb_lt.
  intros O K. unfold number_at, value_of. cbn [fst snd].
  assert (0 <= row * cols) by nia.
  cbv iota zeta. rewrite Z2Pos.id by lia.
  replace (3 * (row * cols + col) + k + 1 - 1) with (3 * (row * cols + col) + k) by lia.
  replace ((3 * (row * cols + col) + k) / 3) with (row * cols + col)
    by (apply Z.div_unique with (r := k); lia).
  replace ((3 * (row * cols + col) + k) mod 3) with k
    by (apply Z.mod_unique with (q := row * cols + col); lia).
  replace ((row * cols + col) / cols) with row by (apply Z.div_unique with (r := col); lia).
  replace ((row * cols + col) mod cols) with col by (apply Z.mod_unique with (q := row); lia).
  auto.
Qed.

Lemma off_line T c : (forall l, T l = true -> In l (lines (grid rows cols))) ->
  on_grid rows cols c = false -> visited (grid rows cols) T c = false.
Proof.
  intros W O. destruct (visited (grid rows cols) T c) eqn:V; auto.
  unfold visited in V. apply existsb_exists in V as [l [I Tl]].
  apply (four_lines_ok rows cols) in I. apply W, lines_ok in Tl.
  unfold line_on_grid in Tl. apply andb_true_iff in Tl as [A B].
  unfold touches in I. simpl in I. destruct I as [E | E]; rewrite E in *; congruence.
Qed.

Lemma value_ok T : (forall l, T l = true -> In l (lines (grid rows cols))) ->
  forall a, value_of T (number_of a) = truth (grid rows cols) T a.
Proof.
  intros W [l | c]; simpl.
  - destruct (line_on_grid rows cols l) eqn:O.
    + pose proof O as P. unfold line_on_grid in P. apply andb_true_iff in P as [P _].
      destruct l as [c | c]; rewrite value_at; auto; lia.
    + destruct (T l) eqn:Tl; auto. apply W, lines_ok in Tl. congruence.
  - destruct (on_grid rows cols c) eqn:O.
    + rewrite value_at; auto; lia.
    + symmetry. apply off_line; auto.
Qed.

Lemma node_of_inj c d : on_grid rows cols c = true -> on_grid rows cols d = true ->
  node_of c = node_of d -> c = d.
Proof.
  destruct c as [row col], d as [row' col']. unfold on_grid, node_of. simpl.
  rewrite !andb_true_iff, !Z.leb_le, !Z.ltb_lt. intros [[[A1 A2] A3] A4] [[[C1 C2] C3] C4] E.
  assert (0 <= row * cols) by nia. assert (0 <= row' * cols) by nia.
  apply Z2Pos.inj in E; try lia.
  assert (row = (row * cols + col) / cols) by (apply Z.div_unique with (r := col); lia).
  assert (row' = (row' * cols + col') / cols) by (apply Z.div_unique with (r := col'); lia).
  assert (row = row') by congruence || (rewrite H1, H2; f_equal; lia). subst row'. f_equal. lia.
Qed.

Definition square_numbers : numbering (grid rows cols).
Proof.
  refine {| number := number_of; node := node_of; value := value_of |}.
  - intros c d. simpl. rewrite !cells_of_ok. apply node_of_inj.
  - reflexivity.
  - intros [l | c]; cbn [number_of].
    + destruct (line_on_grid rows cols l); auto. destruct l; exact I.
    + destruct (on_grid rows cols c); exact I.
  - apply value_ok.
Defined.
End Numbers.
