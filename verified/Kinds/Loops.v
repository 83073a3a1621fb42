(** For each kind whose solution is one loop: its model, and that it holds in every solution. *)
From Coq Require Import List ZArith Bool Lia String.
From Verified Require Import Spec.Drawing Spec.Grid Spec.Puzzle Spec.Slitherlink Spec.Masyu Spec.Shading
  Spec.Regions Spec.Cells Spec.Arms Spec.Numberlink Graph Squares Model.
Import ListNotations.
Open Scope Z_scope.

Notation thing := (thing line cell).

(** Boards of cells, and boards of dots, which have one row and column more. *)
Notation cell_board p := (grid (rows p) (cols p)).
Notation dot_board p := (grid (rows p + 1) (cols p + 1)).

(** ** Parts of models *)

Definition numbers (n : amount) (r : list Z -> list (rule thing)) : list (rule thing) :=
  match n with Exactly k => r [k] | Unknown => [] end.

Lemma is_amount_ok (n : amount) k (holds1 : rule thing -> bool) (r : list Z -> list (rule thing)) :
  is_amount n k = true -> (forall m, forallb holds1 (r [m]) = (k =? m)) ->
  forallb holds1 (numbers n r) = true.
Proof. destruct n as [m |]; simpl; auto. intros E H. rewrite H; auto. Qed.

Lemma one_allowed k m : existsb (Z.eqb k) [m] = (k =? m).
Proof. simpl. apply orb_false_r. Qed.

Section Cells.
Variables (rows cols : Z) (T : line -> bool).
Let B := grid rows cols.
Notation ok := (holds (truth B T)).

(** Passed cells have two lines, cells left out have none. *)
Definition two_lines (c : cell) : rule thing := lines_are (four_lines c) [2].
Definition no_lines (c : cell) : rule thing := lines_are (four_lines c) [0].

Lemma two_lines_ok c : one_loop B T -> visited B T c = true -> ok (two_lines c) = true.
Proof.
  intros L V. unfold two_lines. rewrite lines_are_ok, one_allowed. apply Z.eqb_eq.
  apply (visited_two B T c L V).
Qed.

Lemma no_lines_ok c : visited B T c = false -> ok (no_lines c) = true.
Proof.
  intros V. unfold no_lines. rewrite lines_are_ok, one_allowed. apply Z.eqb_eq.
  apply (unvisited_none B T c V).
Qed.

(** Cells of a list with a property have no lines, others have two. *)
Definition but (closed : cell -> bool) (c : cell) : list (rule thing) :=
  [if closed c then no_lines c else two_lines c].
Definition out_only (closed : cell -> bool) (c : cell) : list (rule thing) :=
  if closed c then [no_lines c] else [].

Lemma out_only_ok closed l :
  forallb (fun c => negb (closed c && visited B T c)) l = true -> forallb ok (flat_map (out_only closed) l) = true.
Proof.
  rewrite forallb_flat_map. apply forallb_impl. intros c _. unfold out_only.
  destruct (closed c); [| auto]. intros V. cbn [forallb]. rewrite no_lines_ok; auto.
  apply negb_true_iff; auto.
Qed.

Lemma but_ok closed l : one_loop B T ->
  forallb (fun c => negb (closed c && visited B T c)) l = true ->
  forallb (fun c => closed c || visited B T c) l = true -> forallb ok (flat_map (but closed) l) = true.
Proof.
  intros L. rewrite forallb_flat_map, !forallb_forall. intros A C c I. specialize (A c I). specialize (C c I).
  unfold but. cbn [forallb]. rewrite andb_true_r. destruct (closed c).
  - apply no_lines_ok. apply negb_true_iff; auto.
  - apply two_lines_ok; auto.
Qed.

(** One of two cells is passed. *)
Definition one_seen (c d : cell) : rule thing := seen_are [c; d] [1; 2].
Lemma one_seen_ok c d : visited B T c || visited B T d = true -> ok (one_seen c d) = true.
Proof.
  unfold one_seen. rewrite seen_are_ok. cbn [how_many].
  destruct (visited B T c), (visited B T d); auto.
Qed.
End Cells.

(** ** Slitherlink *)

Definition slitherlink_model (p : puzzle amount) : list (rule thing) :=
  flat_map (fun '(c, n) => numbers n (fun a => [lines_are (around c) a])) (clues p).

Lemma slitherlink_ok B p T : slitherlink p T = true ->
  forallb (holds (truth (place := cell) B T)) (slitherlink_model p) = true.
Proof.
  unfold slitherlink_model. rewrite forallb_flat_map. apply forallb_impl.
  intros [c n] _ E. apply (is_amount_ok _ _ _ _ E). intros m. cbn [forallb].
  rewrite andb_true_r, lines_are_ok. apply one_allowed.
Qed.

Definition every_dot_model (p : puzzle amount) : list (rule thing) :=
  slitherlink_model p ++ map two_lines (places (dot_board p)).

Lemma every_dot_ok p T : one_loop (dot_board p) T -> slitherlink p T && every_dot p T = true ->
  forallb (holds (truth (dot_board p) T)) (every_dot_model p) = true.
Proof.
  intros L. rewrite andb_true_iff. intros [A C]. unfold every_dot_model.
  rewrite forallb_app, slitherlink_ok by auto. rewrite forallb_map. simpl andb.
  revert C. apply forallb_impl. intros c _ V. apply two_lines_ok; auto.
Qed.

Definition grand_tour_model (p : puzzle Empty_set) : list (rule thing) := map two_lines (places (dot_board p)).

Lemma grand_tour_ok p T : one_loop (dot_board p) T -> grand_tour p T = true ->
  forallb (holds (truth (dot_board p) T)) (grand_tour_model p) = true.
Proof.
  intros L. unfold grand_tour, grand_tour_model. cbv zeta. rewrite forallb_map. apply forallb_impl.
  intros c _ V. apply two_lines_ok; auto.
Qed.

(** ** Numberlink *)

Lemma equal_pairs_in l a b : In (a, b) (equal_pairs l) -> In a (map fst l) /\ In b (map fst l).
Proof.
  induction l as [| [c n] l IH]; simpl; [tauto |]. intros I. apply in_app_or in I as [I | I].
  - apply in_map_iff in I as [[d m] [E I]]. inversion E; subst. apply filter_In in I as [I _].
    split; auto. right. apply (in_map fst _ _ I).
  - destruct (IH I); auto.
Qed.

Definition numberlink_fill_model (p : puzzle Z) : list (rule thing) :=
  flat_map (fun c => if existsb (same c) (map fst (clues p)) then [] else [two_lines c]) (cells p).

Lemma numberlink_fill_ok p T : paths (cell_board p) (number_pairs p) T -> all_cells_used p T = true ->
  forallb (holds (truth (cell_board p) T)) (numberlink_fill_model p) = true.
Proof.
  intros P. unfold all_cells_used, numberlink_fill_model. rewrite forallb_flat_map. apply forallb_impl.
  intros c _ V. destruct (existsb (same c) (map fst (clues p))) eqn:E; auto.
  cbn [forallb]. rewrite andb_true_r. unfold two_lines. rewrite lines_are_ok, one_allowed. apply Z.eqb_eq.
  rewrite visited_count, negb_true_iff, Z.eqb_neq in V.
  destruct (none_or_two_elsewhere _ _ _ P c) as [F | F]; auto; [| tauto].
  assert (N : ~ In c (map fst (clues p))).
  { intros I. enough (existsb (same c) (map fst (clues p)) = true) by congruence.
    apply existsb_exists. exists c. split; auto. apply same_ok; auto. }
  intros a b I. apply equal_pairs_in in I as [I1 I2]. split; intros ->; auto.
Qed.

(** ** Lists beside the grid *)

Definition list_model {clue} (p : puzzle clue) : list (rule thing) :=
  map (fun l => lines_are [l] [1]) (all_of p line_of "given")
  ++ map (fun l => lines_are [l] [0]) (all_of p line_of "forbidden")
  ++ map no_lines (all_of p place_of "holes").

Lemma list_model_ok {clue} B (p : puzzle clue) T : lists_kept p T = true ->
  forallb (holds (truth (place := cell) B T)) (list_model p) = true.
Proof.
  unfold lists_kept, list_model. rewrite !andb_true_iff. intros [[A C] D].
  rewrite !forallb_app, !forallb_map, !andb_true_iff. split; [| split].
  - revert A. apply forallb_impl. intros l _ E. rewrite lines_are_ok. cbn [how_many]. rewrite E. auto.
  - revert C. apply forallb_impl. intros l _ E. apply negb_true_iff in E.
    rewrite lines_are_ok. cbn [how_many]. rewrite E. auto.
  - revert D. apply forallb_impl. intros d _ E. unfold no_lines. rewrite lines_are_ok, one_allowed. auto.
Qed.

(** ** Simple Loop, Linesweeper, Castle Wall *)

Lemma avoids_clues_ok {clue} (p : puzzle clue) T : avoids_clues p T = true ->
  forallb (holds (truth (cell_board p) T)) (map (fun x => no_lines (fst x)) (clues p)) = true.
Proof.
  rewrite forallb_map. apply forallb_impl. intros [c k] _ V. apply no_lines_ok. apply negb_true_iff; auto.
Qed.

Definition simple_loop_model (p : puzzle unit) : list (rule thing) :=
  map (fun x => no_lines (fst x)) (clues p)
  ++ flat_map (fun c => if has_clue p c then [] else [two_lines c]) (cells p).

Lemma simple_loop_ok p T : one_loop (cell_board p) T -> simple_loop p T = true ->
  forallb (holds (truth (cell_board p) T)) (simple_loop_model p) = true.
Proof.
  intros L. unfold simple_loop. rewrite andb_true_iff. intros [A C]. unfold simple_loop_model.
  rewrite forallb_app, avoids_clues_ok by auto. rewrite forallb_flat_map. simpl andb.
  revert C. apply forallb_impl. intros c _ V. destruct (has_clue p c); auto.
  cbn [forallb]. rewrite two_lines_ok; auto.
Qed.

Definition linesweeper_model (p : puzzle Z) : list (rule thing) :=
  map (fun x => no_lines (fst x)) (clues p) ++ map (fun '(c, n) => seen_are (eight c) [n]) (clues p).

Lemma linesweeper_ok p T : linesweeper p T = true ->
  forallb (holds (truth (cell_board p) T)) (linesweeper_model p) = true.
Proof.
  unfold linesweeper. rewrite andb_true_iff. intros [A C]. unfold linesweeper_model.
  rewrite forallb_app, avoids_clues_ok by auto. rewrite forallb_map. simpl andb.
  revert C. apply forallb_impl. intros [c n] _ E. rewrite seen_are_ok, one_allowed. auto.
Qed.

(** The numbers up to the length of a list that are odd, or even. *)
Definition parities (odd : bool) (n : Z) : list Z := filter (fun k => Bool.eqb (Z.odd k) odd) (upto (n + 1)).

Lemma how_many_length {A} (f : A -> bool) l : how_many f l <= Z.of_nat (List.length l).
Proof. induction l as [| a l IH]; cbn [how_many List.length]; [lia | destruct (f a); lia]. Qed.

Lemma parities_ok {A} (f : A -> bool) l odd : Bool.eqb (Z.odd (how_many f l)) odd = true ->
  existsb (Z.eqb (how_many f l)) (parities odd (Z.of_nat (List.length l))) = true.
Proof.
  intros E. apply existsb_exists. exists (how_many f l). split; [| apply Z.eqb_refl].
  apply filter_In. split; auto. apply upto_ok.
  pose proof (how_many_nonneg f l). pose proof (how_many_length f l). lia.
Qed.

Definition castle_wall_model (p : puzzle wall) : list (rule thing) :=
  map (fun x => no_lines (fst x)) (clues p)
  ++ flat_map (fun '(c, k) =>
       match ahead_are k with
       | Some (n, w) => numbers n (fun a => [lines_are (lines_ahead p c w) a]) | None => [] end
       ++ match inside_loop k with
          | Some b => [lines_are (ray p c) (parities b (Z.of_nat (List.length (ray p c))))]
          | None => [] end) (clues p).

Lemma castle_wall_ok p T : castle_wall p T = true ->
  forallb (holds (truth (cell_board p) T)) (castle_wall_model p) = true.
Proof.
  unfold castle_wall. rewrite andb_true_iff. intros [A C]. unfold castle_wall_model.
  rewrite forallb_app, avoids_clues_ok by auto. rewrite forallb_flat_map. simpl andb.
  revert C. apply forallb_impl. intros [c [a b]] _. cbn [ahead_are inside_loop].
  rewrite andb_true_iff. intros [D E]. rewrite forallb_app. apply andb_true_iff. split.
  - destruct a as [[n w] |]; auto. apply (is_amount_ok _ _ _ _ D). intros m. cbn [forallb].
    rewrite andb_true_r, lines_are_ok. apply one_allowed.
  - destruct b as [b |]; auto. cbn [forallb]. rewrite andb_true_r, lines_are_ok.
    apply parities_ok; auto.
Qed.

(** ** Dotchi Loop *)

(** Two circles with two lines each: the first four things are the lines of one, the others those of
    the other; both go straight, or both turn. *)
Definition alike (bs : list bool) : bool :=
  match bs with
  | [n; e; s; w; n'; e'; s'; w'] =>
      (how_many (fun b => b) [n; e; s; w] =? 2) && (how_many (fun b => b) [n'; e'; s'; w'] =? 2)
      && Bool.eqb (n && s || e && w) (n' && s' || e' && w')
  | _ => false end.

Definition dotchi_loop_model (p : puzzle bool) : list (rule thing) :=
  flat_map (out_only (outside_regions p)) (cells p)
  ++ flat_map (fun '(c, white) => [if white : bool then two_lines c else no_lines c]) (clues p)
  ++ flat_map (fun '(c, white) => flat_map (fun '(d, white') =>
       if white && white' && match name_at p c with Some n => in_region p n d | None => false end
       then [Table (map Line (four_lines c ++ four_lines d)) alike] else []) (clues p)) (clues p).

Lemma dotchi_loop_ok p T : one_loop (cell_board p) T -> dotchi_loop p T = true ->
  forallb (holds (truth (cell_board p) T)) (dotchi_loop_model p) = true.
Proof.
  intros L. unfold dotchi_loop. rewrite !andb_true_iff. intros [[A C] D]. unfold dotchi_loop_model.
  rewrite !forallb_app, !andb_true_iff. split; [| split].
  - apply out_only_ok; auto.
  - rewrite forallb_flat_map. revert C. apply forallb_impl. intros [c white] _ E.
    apply eqb_prop in E. cbn [forallb]. rewrite andb_true_r. destruct white.
    + apply two_lines_ok; auto.
    + apply no_lines_ok; auto.
  - rewrite forallb_flat_map. rewrite forallb_forall in C, D |- *. intros [c white] I. specialize (D _ I). cbv beta iota in D.
    rewrite forallb_flat_map. rewrite forallb_forall in D |- *. intros [d white'] J. specialize (D _ J). cbv beta iota in D.
    pose proof (C _ I) as Cc. pose proof (C _ J) as Cd. apply eqb_prop in Cc, Cd.
    destruct (white && white' && _) eqn:W; auto. cbn [negb orb] in D. apply eqb_prop in D.
    apply andb_true_iff in W as [W _]. apply andb_true_iff in W as [W1 W2]. subst white white'.
    pose proof (visited_two _ T c L Cc) as Hc. pose proof (visited_two _ T d L Cd) as Hd.
    cbn [forallb]. rewrite andb_true_r. simpl holds. unfold alike.
    unfold goes_straight in D.
    change (how_many T (lines_at (cell_board p) c)) with
      (how_many (fun b => b) [T (line_to c North); T (line_to c East); T (line_to c South); T (line_to c West)]) in Hc.
    change (how_many T (lines_at (cell_board p) d)) with
      (how_many (fun b => b) [T (line_to d North); T (line_to d East); T (line_to d South); T (line_to d West)]) in Hd.
    apply andb_true_iff; split; [apply andb_true_iff; split |].
    + apply Z.eqb_eq; exact Hc.
    + apply Z.eqb_eq; exact Hd.
    + apply eqb_true_iff. exact D.
Qed.
