(** What a puzzle on squares is: rows of cells, each with a clue or without, perhaps the name of the
    region of each cell, and lists beside the grid, such as lines that are given. *)
From Coq Require Import List ZArith NArith Bool String Ascii Decimal.
From Verified Require Import Spec.Drawing Spec.Grid.
Import ListNotations.
Open Scope Z_scope.

(** [lists]: for each list its name and its words, as in "given 0,0-0,1 2,2-3,2". *)
Record puzzle (clue : Type) := Puzzle {
  lists : list (list string);
  clue_rows : list (list (option clue));
  name_rows : list (list string) }.
Arguments Puzzle {clue}. Arguments lists {clue}. Arguments clue_rows {clue}. Arguments name_rows {clue}.

(** A number in a clue, or "?". *)
Inductive amount := Exactly (k : Z) | Unknown.
Definition is_amount (n : amount) (k : Z) : bool :=
  match n with Exactly m => k =? m | Unknown => true end.

Section Puzzles.
Context {clue : Type} (p : puzzle clue).

Definition rows : Z := Z.of_nat (List.length (clue_rows p)).
Definition cols : Z := match clue_rows p with [] => 0 | r :: _ => Z.of_nat (List.length r) end.
Definition cells : list cell := cells_of rows cols.
Definition on_cells (c : cell) : bool := on_grid rows cols c.

(** All clues with their cells, in reading order. *)
Fixpoint clues_of_row (row col : Z) (l : list (option clue)) : list (cell * clue) :=
  match l with
  | [] => []
  | Some k :: l' => ((row, col), k) :: clues_of_row row (col + 1) l'
  | None :: l' => clues_of_row row (col + 1) l' end.
Fixpoint clues_of_rows (row : Z) (l : list (list (option clue))) : list (cell * clue) :=
  match l with [] => [] | r :: l' => clues_of_row row 0 r ++ clues_of_rows (row + 1) l' end.
Definition clues : list (cell * clue) := clues_of_rows 0 (clue_rows p).

Definition clue_at (c : cell) : option clue :=
  if on_cells c then nth (Z.to_nat (snd c)) (nth (Z.to_nat (fst c)) (clue_rows p) []) None else None.
Definition has_clue (c : cell) : bool := match clue_at c with Some _ => true | None => false end.

(** The name of the region of a cell; "." and "-" are outside all regions, and without any names
    there is one region. *)
Definition name_at (c : cell) : option string :=
  if on_cells c then
    match name_rows p with
    | [] => Some ""%string
    | _ => let name := nth (Z.to_nat (snd c)) (nth (Z.to_nat (fst c)) (name_rows p) []) "."%string in
           if String.eqb name "." || String.eqb name "-" then None else Some name end
  else None.
Definition in_region (name : string) (c : cell) : bool :=
  match name_at c with Some n => String.eqb n name | None => false end.
Definition outside_regions (c : cell) : bool :=
  match name_at c with Some _ => false | None => true end.
Definition region_names : list string :=
  nodup string_dec (flat_map (fun c => match name_at c with Some n => [n] | None => [] end) cells).
(** The cells of a region, and the lines across its border. *)
Definition region (name : string) : list cell := filter (in_region name) cells.
Definition border (name : string) : list line :=
  filter (fun l => xorb (in_region name (fst (ends_of l))) (in_region name (snd (ends_of l))))
         (lines (grid rows cols)).
End Puzzles.

(** ** Words of lists *)

(** The digits at the beginning of a word, and the rest. *)
Definition digit (a : ascii) : option (uint -> uint) :=
  match a with
  | "0" => Some D0 | "1" => Some D1 | "2" => Some D2 | "3" => Some D3 | "4" => Some D4
  | "5" => Some D5 | "6" => Some D6 | "7" => Some D7 | "8" => Some D8 | "9" => Some D9
  | _ => None end%char.
Fixpoint span (w : string) : uint * string :=
  match w with
  | EmptyString => (Nil, EmptyString)
  | String a w' => match digit a with Some d => let (u, r) := span w' in (d u, r) | None => (Nil, w) end end.

(** "2,3" is a place, "2,3-2,4" a line. *)
Definition place_and_rest (w : string) : option (cell * string) :=
  match span w with
  | (Nil, _) => None
  | (r, String "," w') =>
      match span w' with
      | (Nil, _) => None
      | (c, rest) => Some ((Z.of_N (N.of_uint r), Z.of_N (N.of_uint c)), rest) end
  | _ => None end.
Definition place_of (w : string) : option cell :=
  match place_and_rest w with Some (c, EmptyString) => Some c | _ => None end.
Definition line_of (w : string) : option line :=
  match place_and_rest w with
  | Some (c, String "-" w') =>
      match place_of w' with
      | Some d => find (fun l => (same (fst (ends_of l)) c && same (snd (ends_of l)) d)
                                 || (same (fst (ends_of l)) d && same (snd (ends_of l)) c)) (four_lines c)
      | None => None end
  | _ => None end.

Section Lists.
Context {clue : Type} (p : puzzle clue).
Definition words_of (name : string) : list string :=
  flat_map (fun l => match l with n :: words => if String.eqb n name then words else [] | [] => [] end) (lists p).
Definition all_of {A} (read : string -> option A) (name : string) : list A :=
  flat_map (fun w => match read w with Some a => [a] | None => [] end) (words_of name).

(** Given lines are drawn, forbidden ones are not, and no line ends at a missing dot. *)
Definition lists_kept (T : line -> bool) : bool :=
  forallb T (all_of line_of "given") && forallb (fun l => negb (T l)) (all_of line_of "forbidden")
  && forallb (fun d => how_many T (four_lines d) =? 0) (all_of place_of "holes").
End Lists.

(** The eight cells around a cell, and the four beside it. *)
Definition eight (c : cell) : list cell :=
  let (r, k) := c in
  [(r-1, k-1); (r-1, k); (r-1, k+1); (r, k-1); (r, k+1); (r+1, k-1); (r+1, k); (r+1, k+1)].
Definition beside (c : cell) : list cell := map (ahead c) ways.
