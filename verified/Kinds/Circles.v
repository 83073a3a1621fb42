(** Masyu, Geradeweg, Shingoki and Balance Loop: their models, and that these hold in every solution. *)
From Coq Require Import List ZArith Bool Lia.
From Verified Require Import Spec.Drawing Spec.Grid Spec.Puzzle Spec.Masyu Spec.Arms Graph Squares Model Kinds.Loops.
Import ListNotations.
Open Scope Z_scope.

(** ** Masyu *)

Definition pearl_table (k : pearl) (bs : list bool) : bool :=
  match bs with
  | [n; e; s; w; nn; ee; ss; ww] => on_pearl k n e s w nn ee ss ww | _ => false end.

Definition masyu_model (p : puzzle pearl) : list (rule thing) :=
  map (fun '(c, k) =>
    Table (map Line (four_lines c ++ map (fun w => line_to (ahead c w) w) ways)) (pearl_table k)) (clues p).

Lemma masyu_ok p T : masyu p T = true ->
  forallb (holds (truth (cell_board p) T)) (masyu_model p) = true.
Proof. unfold masyu_model. rewrite forallb_map. apply forallb_impl. intros [c k] _ E. exact E. Qed.

Definition masyu_fill_model (p : puzzle pearl) : list (rule thing) :=
  masyu_model p ++ map two_lines (cells p).

Lemma every_cell_ok (B := fun r c => grid r c) r c T l : one_loop (B r c) T ->
  forallb (visited (B r c) T) l = true -> forallb (holds (truth (B r c) T)) (map two_lines l) = true.
Proof.
  intros L. rewrite forallb_map. apply forallb_impl. intros x _ V. apply two_lines_ok; auto.
Qed.

Lemma masyu_fill_ok p T : one_loop (cell_board p) T -> masyu p T && every_cell p T = true ->
  forallb (holds (truth (cell_board p) T)) (masyu_fill_model p) = true.
Proof.
  intros L. rewrite andb_true_iff. intros [A C]. unfold masyu_fill_model.
  rewrite forallb_app, masyu_ok by auto. apply every_cell_ok; auto.
Qed.

(** ** Lengths *)

Section Arms.
Context {clue : Type} (fits : clue -> bool -> Z -> Z -> bool) (p : puzzle clue).

Definition arms_model : list (rule thing) :=
  map (fun x => two_lines (fst x)) (clues p)
  ++ flat_map (fun '(c, k) => map (fun '(v, w) =>
       Arms (map Line (arm (rows p) (cols p) c v)) (map Line (arm (rows p) (cols p) c w))
            (fun i j => (i =? 0) || (j =? 0) || fits k (opposite v w) i j)) two_ways) (clues p).

Lemma arms_ok T : one_loop (cell_board p) T -> two_arms fits p T = true ->
  forallb (holds (truth (cell_board p) T)) arms_model = true.
Proof.
  intros L A. unfold two_arms in A. rewrite forallb_forall in A. unfold arms_model.
  rewrite forallb_app, forallb_map, forallb_flat_map, !andb_true_iff, !forallb_forall. split.
  - intros [c k] I. apply A in I. apply andb_true_iff in I as [V _]. apply two_lines_ok; auto.
  - intros [c k] I. apply A in I. apply andb_true_iff in I as [_ C]. rewrite forallb_map. revert C.
    apply forallb_impl. intros [v w] _ E. simpl holds. rewrite !(run_map _ T); auto.
Qed.

Definition arms_fill_model : list (rule thing) := arms_model ++ map two_lines (cells p).

Lemma arms_fill_ok T : one_loop (cell_board p) T ->
  two_arms fits p T && forallb (visited (cell_board p) T) (cells p) = true ->
  forallb (holds (truth (cell_board p) T)) arms_fill_model = true.
Proof.
  intros L. rewrite andb_true_iff. intros [A C]. unfold arms_fill_model.
  rewrite forallb_app, arms_ok by auto. apply every_cell_ok; auto.
Qed.
End Arms.
