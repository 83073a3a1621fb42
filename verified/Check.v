(** The checker, and what its answer means. *)
From Coq Require Import List ZArith Bool String.
From Verified Require Import Spec.Drawing Spec.Grid Spec.Puzzle Spec.Claim Graph Squares Cuts Model Parse Kinds.All.
Import ListNotations.
Open Scope Z_scope.

(** The puzzle of a kind that a text says, if it is one. *)
Definition puzzle_of (K : kind) (text : string) : option (puzzle (clue K)) :=
  match read_file (read K) (title K) (usual K) text with
  | Some p => if fine K p then Some p else None
  | None => None end.

Definition check_kind (K : kind) (p : puzzle (clue K)) (solutions : list (list line)) (qs : list question) (steps : list step) : verdict :=
  let more := if dots K then 1 else 0 in
  let r := rows p + more in let c := cols p + more in
  check_loop (grid r c) (square_board r c) (square_numbers r c) (model K p) (spec K p) solutions qs steps.

(** Whether a text is a puzzle that has exactly these solutions, as the steps prove. *)
Fixpoint check_any (Ks : list kind) (text : string) (solutions : list (list line)) (qs : list question) (steps : list step) : verdict :=
  match Ks with
  | [] => NoPuzzle
  | K :: Ks' =>
      match puzzle_of K text with
      | Some p => check_kind K p solutions qs steps
      | None => check_any Ks' text solutions qs steps end end.
Definition check : string -> list (list line) -> list question -> list step -> verdict := check_any kinds.

Theorem check_kind_ok K p solutions qs steps :
  check_kind K p solutions qs steps = Verified -> exactly (solves K p) solutions.
Proof.
  unfold check_kind, solves, board_of. cbv zeta. intros C. refine (check_loop_ok _ _ _ _ _ _ _ _ _ C).
  intros T [L R]. apply (model_ok K p T L R).
Qed.

Lemma check_any_ok Ks text solutions qs steps : check_any Ks text solutions qs steps = Verified ->
  exists K p, In K Ks /\ puzzle_of K text = Some p /\ exactly (solves K p) solutions.
Proof.
  induction Ks as [| K Ks IH]; simpl; [discriminate |].
  destruct (puzzle_of K text) as [p |] eqn:P.
  - intros E. exists K, p. split; [auto | split; [auto |]]. apply (check_kind_ok K p solutions qs steps E).
  - intros E. destruct (IH E) as [K' [p [I H]]]. exists K', p; auto.
Qed.

(** If the checker says yes, the text is a puzzle of one of the kinds, and the solutions given are
    exactly those of the spec of this kind. *)
Theorem check_ok text solutions qs steps : check text solutions qs steps = Verified ->
  exists K p, In K kinds /\ puzzle_of K text = Some p /\ exactly (solves K p) solutions.
Proof. apply check_any_ok. Qed.

(** What is printed is read back as the same puzzle. *)
Theorem puzzle_of_print K p :
  writable (show K) (proper K) p = true -> fine K p = true ->
  puzzle_of K (print_file (show K) (title K) p) = Some p.
Proof.
  intros W E. unfold puzzle_of.
  rewrite (read_print (read K) (show K) (proper K)); auto; [rewrite E; auto | apply read_show_ok | apply title_ok].
Qed.

Print Assumptions check_ok.
Print Assumptions puzzle_of_print.
