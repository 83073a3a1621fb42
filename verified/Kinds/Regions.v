(** Country Road, Entry Exit and Double Back: their models, and that these hold in every solution. *)
From Coq Require Import List ZArith Bool Lia String.
From Verified Require Import Spec.Drawing Spec.Grid Spec.Puzzle Spec.Regions Graph Squares Model Kinds.Loops.
Import ListNotations.
Open Scope Z_scope.

Section Regions.
Context {clue : Type} (p : puzzle clue) (closed : cell -> bool).
Notation B := (cell_board p).

Definition crossed_model (allowed : list Z) : list (rule thing) :=
  map (fun name => lines_are (border p name) allowed) (region_names p).

Lemma crossed_ok T allowed : borders_crossed p T allowed = true ->
  forallb (holds (truth B T)) (crossed_model allowed) = true.
Proof.
  unfold crossed_model. rewrite forallb_map. apply forallb_impl.
  intros name _ E. rewrite lines_are_ok. auto.
Qed.

Definition several (rules : list (rule thing)) : list (rule thing) := if one_region p then [] else rules.

Lemma several_ok T allowed : one_region p || borders_crossed p T allowed = true ->
  forallb (holds (truth B T)) (several (crossed_model allowed)) = true.
Proof. unfold several. destruct (one_region p); auto. apply crossed_ok. Qed.

Lemma passes_ok T : one_loop B T -> leaves_out p T closed = true -> passes_all_others p T closed = true ->
  forallb (holds (truth B T)) (flat_map (but closed) (cells p)) = true.
Proof. intros L A C. apply but_ok; auto. Qed.
End Regions.

Definition entry_exit_model (p : puzzle Empty_set) : list (rule thing) :=
  flat_map (but (outside_regions p)) (cells p) ++ several p (crossed_model p [2]).

Lemma entry_exit_ok p T : one_loop (cell_board p) T -> entry_exit p T = true ->
  forallb (holds (truth (cell_board p) T)) (entry_exit_model p) = true.
Proof.
  intros L. unfold entry_exit, entry_exit_model. rewrite !andb_true_iff. intros [[A C] D].
  rewrite forallb_app, passes_ok, several_ok; auto.
Qed.

Definition double_back_model (p : puzzle unit) : list (rule thing) :=
  let hole := fun c => outside_regions p c || has_clue p c in
  flat_map (but hole) (cells p) ++ crossed_model p [4].

Lemma double_back_ok p T : one_loop (cell_board p) T -> double_back p T = true ->
  forallb (holds (truth (cell_board p) T)) (double_back_model p) = true.
Proof.
  intros L. unfold double_back, double_back_model. cbv zeta. rewrite !andb_true_iff. intros [[A C] D].
  rewrite forallb_app, passes_ok, crossed_ok; auto.
Qed.

Definition across_model (p : puzzle amount) (c d : cell) : list (rule thing) :=
  if outside_regions p c || outside_regions p d
     || match name_at p c with Some n => in_region p n d | None => false end
  then [] else [one_seen c d].
Definition country_road_model (allowed : list Z) (p : puzzle amount) : list (rule thing) :=
  flat_map (out_only (outside_regions p)) (cells p) ++ several p (crossed_model p allowed)
  ++ flat_map (fun c => across_model p c (ahead c East) ++ across_model p c (ahead c South)) (cells p)
  ++ flat_map (fun '(c, n) =>
       match name_at p c with
       | Some name => numbers n (fun a => [seen_are (region p name) a]) | None => [] end) (clues p).

Lemma country_road_ok allowed p T : country_road allowed p T = true ->
  forallb (holds (truth (cell_board p) T)) (country_road_model allowed p) = true.
Proof.
  unfold country_road, country_road_model. cbv zeta. rewrite !andb_true_iff. intros [[[A C] D] E].
  assert (K : forall c d, outside_regions p c || outside_regions p d
     || match name_at p c with Some n => in_region p n d | None => false end || seen p T c || seen p T d = true ->
     forallb (holds (truth (cell_board p) T)) (across_model p c d) = true).
  { intros c d. unfold across_model.
    destruct (outside_regions p c || outside_regions p d
      || match name_at p c with Some n => in_region p n d | None => false end); auto. intros V.
    cbn [forallb]. rewrite one_seen_ok; auto. }
  rewrite !forallb_app, out_only_ok, several_ok; auto. simpl andb. rewrite andb_true_iff. split.
  - rewrite forallb_flat_map. revert D. apply forallb_impl. intros c _ D.
    apply andb_true_iff in D as [D1 D2]. rewrite forallb_app, !K; auto.
  - rewrite forallb_flat_map. revert E. apply forallb_impl. intros [c n] _ E.
    destruct (name_at p c); auto. apply (is_amount_ok _ _ _ _ E). intros m. cbn [forallb].
    rewrite andb_true_r, seen_are_ok. apply one_allowed.
Qed.
