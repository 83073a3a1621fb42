(** Slitherlink on any board: a face is a list of the vertices around it.  A line joins two vertices
    that follow each other around some face; the first of its two numbers is the smaller one. *)
From Coq Require Import List ZArith Bool.
From Verified Require Import Spec.Drawing Spec.Puzzle.
Import ListNotations.
Open Scope Z_scope.

(** Each face with its clue, if it has one. *)
Definition faces_puzzle := list (option amount * list Z).

Definition line_between (v w : Z) : Z * Z := (Z.min v w, Z.max v w).
Definition line_eqb (l m : Z * Z) : bool := (fst l =? fst m) && (snd l =? snd m).
(** Members of a list, each once. *)
Fixpoint once {A} (same : A -> A -> bool) (l : list A) : list A :=
  match l with
  | [] => []
  | a :: l' => if existsb (same a) l' then once same l' else a :: once same l' end.

(** The sides of a face: from each vertex to the next, from the last to the first. *)
Fixpoint sides_from (first : Z) (walk : list Z) : list (Z * Z) :=
  match walk with
  | [] => []
  | [v] => [line_between v first]
  | v :: ((w :: _) as walk') => line_between v w :: sides_from first walk' end.
Definition sides (walk : list Z) : list (Z * Z) :=
  match walk with [] => [] | v :: _ => once line_eqb (sides_from v walk) end.

Definition faces_board (p : faces_puzzle) : board (Z * Z) Z :=
  let all := once line_eqb (flat_map (fun f => sides (snd f)) p) in {|
    lines := all;
    places := once Z.eqb (flat_map snd p);
    ends := fun l => l;
    lines_at := fun v => filter (fun l => (fst l =? v) || (snd l =? v)) all |}.

(** A clue says how many sides of its face are drawn. *)
Definition faces_spec (p : faces_puzzle) (T : Z * Z -> bool) : bool :=
  forallb (fun f => match fst f with
    | Some n => is_amount n (how_many T (sides (snd f))) | None => true end) p.

Definition solves_faces (p : faces_puzzle) (T : Z * Z -> bool) : Prop :=
  one_loop (faces_board p) T /\ faces_spec p T = true.
