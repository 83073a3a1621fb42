(** Yajilin, Koburin and Regional Yajilin: their models, and that these hold in every solution. *)
From Coq Require Import List ZArith Bool Lia String.
From Verified Require Import Spec.Drawing Spec.Grid Spec.Puzzle Spec.Shading Graph Squares Model Kinds.Loops.
Import ListNotations.
Open Scope Z_scope.

Section Shading.
Context {clue : Type} (p : puzzle clue) (closed : cell -> bool).
Notation B := (cell_board p).

(** Cells that are shaded unless they are passed. *)
Definition open (c : cell) : bool := on_cells p c && negb (closed c).

Definition not_both (c d : cell) : list (rule thing) := if open c && open d then [one_seen c d] else [].
Definition shading_model : list (rule thing) :=
  flat_map (out_only closed) (cells p)
  ++ flat_map (fun c => not_both c (ahead c East) ++ not_both c (ahead c South)) (cells p).
Definition shaded_are (l : list cell) (n : amount) : list (rule thing) :=
  numbers n (fun a => [unseen_are (filter open l) a]).

Lemma not_both_ok T c d : negb (shaded p T closed c && shaded p T closed d) = true ->
  forallb (holds (truth B T)) (not_both c d) = true.
Proof.
  unfold not_both, shaded, passed. fold (open c). fold (open d). intros S.
  destruct (open c), (open d); auto. cbn [forallb andb]. rewrite one_seen_ok; auto.
  destruct (visited B T c); auto. destruct (visited B T d); auto.
Qed.

Lemma shading_ok T : shading p T closed = true -> forallb (holds (truth B T)) shading_model = true.
Proof.
  unfold shading, shading_model. intros S. rewrite forallb_app, andb_true_iff. split.
  - apply out_only_ok. revert S. apply forallb_impl. intros c _ E.
    rewrite !andb_true_iff in E. tauto.
  - rewrite forallb_flat_map. revert S. apply forallb_impl. intros c _ E.
    rewrite !andb_true_iff in E. destruct E as [[_ E] F].
    rewrite forallb_app, (not_both_ok T c (ahead c East)), (not_both_ok T c (ahead c South)); auto.
Qed.

Lemma shaded_are_ok T l n : is_amount n (how_many (shaded p T closed) l) = true ->
  forallb (holds (truth B T)) (shaded_are l n) = true.
Proof.
  intros E. apply (is_amount_ok _ _ _ _ E). intros m. cbn [forallb].
  rewrite andb_true_r, unseen_are_ok, one_allowed. f_equal.
  unfold shaded, passed. symmetry. apply (how_many_filter open (fun c => negb (visited B T c))).
Qed.
End Shading.

Definition yajilin_model (p : puzzle arrow) : list (rule thing) :=
  shading_model p (has_clue p)
  ++ flat_map (fun '(c, k) =>
       match k with
       | Arrow w n => shaded_are p (has_clue p) (row_ahead (rows p) (cols p) c w) n
       | Block => [] end) (clues p).

Lemma yajilin_ok p T : yajilin p T = true ->
  forallb (holds (truth (cell_board p) T)) (yajilin_model p) = true.
Proof.
  unfold yajilin, yajilin_model. rewrite andb_true_iff. intros [A C].
  rewrite forallb_app, shading_ok by auto. simpl andb. rewrite forallb_flat_map.
  revert C. apply forallb_impl. intros [c [w n |]] _ E; auto. apply shaded_are_ok; auto.
Qed.

Definition koburin_model (near : cell -> list cell) (p : puzzle amount) : list (rule thing) :=
  shading_model p (has_clue p) ++ flat_map (fun '(c, n) => shaded_are p (has_clue p) (near c) n) (clues p).

Lemma koburin_ok near p T : koburin near p T = true ->
  forallb (holds (truth (cell_board p) T)) (koburin_model near p) = true.
Proof.
  unfold koburin, koburin_model. rewrite andb_true_iff. intros [A C].
  rewrite forallb_app, shading_ok by auto. simpl andb. rewrite forallb_flat_map.
  revert C. apply forallb_impl. intros [c n] _ E. apply shaded_are_ok; auto.
Qed.

Definition regional_yajilin_model (p : puzzle amount) : list (rule thing) :=
  shading_model p (outside_regions p)
  ++ flat_map (fun '(c, n) =>
       match name_at p c with
       | Some name => shaded_are p (outside_regions p) (region p name) n | None => [] end) (clues p).

Lemma regional_yajilin_ok p T : regional_yajilin p T = true ->
  forallb (holds (truth (cell_board p) T)) (regional_yajilin_model p) = true.
Proof.
  unfold regional_yajilin, regional_yajilin_model. rewrite andb_true_iff. intros [A C].
  rewrite forallb_app, shading_ok by auto. simpl andb. rewrite forallb_flat_map.
  revert C. apply forallb_impl. intros [c n] _ E. destruct (name_at p c); auto.
  apply shaded_are_ok; auto.
Qed.
