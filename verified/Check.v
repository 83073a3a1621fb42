(** The checker, and what its answer means. *)
From Coq Require Import List ZArith NArith Bool String.
From Verified Require Import Spec.Drawing Spec.Grid Spec.Puzzle Spec.Claim Graph Squares Cuts Model PathModel
  Parse Kinds.Loops Kinds.All.
Import ListNotations.
Open Scope list_scope.
Open Scope Z_scope.

(** The puzzle of a kind that a text says, if it is one. *)
Definition puzzle_of (K : kind) (text : string) : option (puzzle (clue K)) :=
  match read_file (read K) (title K) (usual K) text with
  | Some p => if lists_fine K p && fine K p then Some p else None
  | None => None end.

(** For its pair, the number of smaller numbers of pairs: any number would do. *)
Definition rank {clue} (value : cell -> Z) (p : puzzle clue) (ab : cell * cell) : N :=
  Z.to_N (how_many (fun x => value (fst x) <? value (fst ab)) (clues p) / 2).
Definition value_at (K : kind) (p : puzzle (clue K)) (c : cell) : Z :=
  match clue_at p c with
  | Some k => match span (show K k) with (u, _) => Z.of_N (N.of_uint u) end | None => 0 end.

Definition check_kind (K : kind) (p : puzzle (clue K)) (solutions : list (list (list line)))
    (qs : list question) (steps : list step) : verdict :=
  let more := if dots K then 1 else 0 in
  let r := rows p + more in let c := cols p + more in
  let rules := (model K p ++ list_model p)%list in
  let right := fun T => spec K p T && lists_kept p T in
  match form K with
  | ALoop =>
      check_loop (grid r c) (square_board r c) (square_numbers r c) rules right
        (map (@List.concat line) solutions) qs steps
  | Joining pairs =>
      if forallb (fun ab => on_grid r c (fst ab) && on_grid r c (snd ab)) (pairs p)
      then check_paths (grid r c) (square_board r c) (square_numbers r c) cell_dec (pairs p)
             (rank (value_at K p) p) rules right solutions qs steps
      else WrongSolutions end.

(** Whether a text is a puzzle that has exactly these solutions, as the steps prove. *)
Fixpoint check_any (Ks : list kind) (text : string) (solutions : list (list (list line))) (qs : list question) (steps : list step) : verdict :=
  match Ks with
  | [] => NoPuzzle
  | K :: Ks' =>
      match puzzle_of K text with
      | Some p => check_kind K p solutions qs steps
      | None => check_any Ks' text solutions qs steps end end.
Definition check : string -> list (list (list line)) -> list question -> list step -> verdict := check_any kinds.

Theorem check_kind_ok K p solutions qs steps :
  check_kind K p solutions qs steps = Verified -> exactly (solves K p) (map (@List.concat line) solutions).
Proof.
  unfold check_kind, solves, board_of. cbv zeta. pose proof (model_ok K p) as M. cbv zeta in M.
  unfold shaped in *. destruct (form K) as [| pairs].
  - intros C. refine (check_loop_ok _ _ _ _ _ _ _ _ _ C). intros T [L R].
    rewrite forallb_app, M, list_model_ok; auto; apply andb_true_iff in R; tauto.
  - destruct (forallb _ (pairs p)) eqn:E; [| discriminate]. intros C.
    refine (check_paths_ok _ _ _ _ _ _ _ _ _ _ _ _ _ C).
    + intros a b I. rewrite forallb_forall in E. apply E, andb_true_iff in I.
      cbn [places grid]. rewrite !cells_of_ok. auto.
    + intros T [L R]. rewrite forallb_app, M, list_model_ok; auto; apply andb_true_iff in R; tauto.
Qed.

Lemma check_any_ok Ks text solutions qs steps : check_any Ks text solutions qs steps = Verified ->
  exists K p, In K Ks /\ puzzle_of K text = Some p /\ exactly (solves K p) (map (@List.concat line) solutions).
Proof.
  induction Ks as [| K Ks IH]; simpl; [discriminate |].
  destruct (puzzle_of K text) as [p |] eqn:P.
  - intros E. exists K, p. split; [auto | split; [auto |]]. apply (check_kind_ok K p solutions qs steps E).
  - intros E. destruct (IH E) as [K' [p [I H]]]. exists K', p; auto.
Qed.

(** If the checker says yes, the text is a puzzle of one of the kinds, and the solutions given (each a list
    of paths, or one loop) are exactly those of the spec of this kind. *)
Theorem check_ok text solutions qs steps : check text solutions qs steps = Verified ->
  exists K p, In K kinds /\ puzzle_of K text = Some p /\ exactly (solves K p) (map (@List.concat line) solutions).
Proof. apply check_any_ok. Qed.

(** What is printed is read back as the same puzzle. *)
Theorem puzzle_of_print K p :
  writable (show K) (proper K) p = true -> lists_fine K p && fine K p = true ->
  puzzle_of K (print_file (show K) (title K) p) = Some p.
Proof.
  intros W E. unfold puzzle_of.
  rewrite (read_print (read K) (show K) (proper K)); auto; [rewrite E; auto | apply read_show_ok | apply title_ok].
Qed.

Print Assumptions check_ok.
Print Assumptions puzzle_of_print.
