(** All kinds: how their clues are read, their specs, their models. *)
From Coq Require Import List ZArith NArith Bool Lia String Ascii Decimal.
From Verified Require Import Spec.Drawing Spec.Grid Spec.Puzzle Spec.Slitherlink Spec.Masyu Spec.Shading
  Spec.Regions Spec.Cells Spec.Arms Spec.Numberlink Graph Squares Model PathModel Parse Kinds.Loops Kinds.Circles Kinds.Shading Kinds.Regions.
Import ListNotations.
Open Scope Z_scope.

(** What a solution joins: all lines are one loop, or paths between pairs. *)
Inductive shape (clue : Type) := ALoop | Joining (pairs : puzzle clue -> list (cell * cell)).
Arguments ALoop {clue}. Arguments Joining {clue}.
Definition shaped {clue} (s : shape clue) (B : board line cell) (p : puzzle clue) (T : line -> bool) : Prop :=
  match s with ALoop => one_loop B T | Joining pairs => paths B (pairs p) T end.

(** A kind in one variant. *)
Record kind := Kind {
  title : string * string;                            (* its name and variant *)
  usual : bool;                                       (* the variant need not be named *)
  clue : Type;
  read : string -> option clue;
  show : clue -> string;
  proper : clue -> bool;
  own_lists : list string;                            (* which lists a file may have *)
  fine : puzzle clue -> bool;                         (* what else a file must fulfil *)
  dots : bool;                                        (* lines join dots at corners of cells *)
  form : shape clue;
  spec : puzzle clue -> (line -> bool) -> bool;       (* the other rules *)
  model : puzzle clue -> list (rule thing);
  title_ok : good_word (fst title) && good_word (snd title) = true;
  read_show_ok : forall k, proper k = true -> read (show k) = Some k;
  model_ok : forall p T,
    let more := if dots then 1 else 0 in
    let B := grid (rows p + more) (cols p + more) in
    shaped form B p T -> spec p T = true -> forallb (holds (truth B T)) (model p) = true }.

Definition board_of (K : kind) (p : puzzle (clue K)) : board line cell :=
  let more := if dots K then 1 else 0 in grid (rows p + more) (cols p + more).

(** A drawing solves a puzzle of a kind. *)
Definition solves (K : kind) (p : puzzle (clue K)) (T : line -> bool) : Prop :=
  shaped (form K) (board_of K p) p T /\ spec K p T && lists_kept p T = true.

(** The lists of a file are those of its kind, and their words are lines and places of its board. *)
Definition lists_fine (K : kind) (p : puzzle (clue K)) : bool :=
  let more := if dots K then 1 else 0 in
  let r := rows p + more in let c := cols p + more in
  forallb (fun l =>
    match l with
    | name :: words =>
        existsb (String.eqb name) (own_lists K) &&
        forallb (fun w =>
          if String.eqb name "holes" || String.eqb name "ends"
          then match place_of w with Some d => on_grid r c d | None => false end
          else match line_of w with Some l => line_on_grid r c l | None => false end) words
    | [] => false end) (lists p).

(** ** Clues *)

Open Scope string_scope.

Definition read_hole (w : string) : option unit := if String.eqb w "*" then Some tt else None.
Definition show_hole (_ : unit) : string := "*".
Definition any {A} (_ : A) : bool := true.

Definition read_pearl (w : string) : option pearl :=
  if String.eqb w "w" then Some White else if String.eqb w "b" then Some Black
  else if String.eqb w "?" then Some Either else None.
Definition show_pearl (k : pearl) : string := match k with White => "w" | Black => "b" | Either => "?" end.

Definition read_circle (w : string) : option bool :=
  if String.eqb w "w" then Some true else if String.eqb w "b" then Some false else None.
Definition show_circle (k : bool) : string := if k then "w" else "b".

Definition read_number (w : string) : option Z :=
  match read_amount w with Some (Exactly k) => Some k | _ => None end.
Definition show_number (k : Z) : string := show_amount (Exactly k).

Definition read_way (a : ascii) : option way :=
  match a with "n" => Some North | "e" => Some East | "s" => Some South | "w" => Some West | _ => None end%char.
Definition show_way (w : way) : ascii :=
  match w with North => "n" | East => "e" | South => "s" | West => "w" end%char.

Definition read_arrow (w : string) : option arrow :=
  if String.eqb w "x" then Some Block
  else match span w with
       | (u, String a "") => option_map (fun d => Arrow d (amount_of u)) (read_way a) | _ => None end.
Definition show_arrow (k : arrow) : string :=
  match k with Block => "x" | Arrow d n => digits (digits_of n) (String (show_way d) "") end.
Definition proper_arrow (k : arrow) : bool := match k with Block => true | Arrow _ n => proper_amount n end.

Definition read_colour (w : string) : option (option bool) :=
  if String.eqb w "" then Some None else if String.eqb w "o" then Some (Some true)
  else if String.eqb w "x" then Some (Some false) else None.
Definition show_colour (b : option bool) : string :=
  match b with None => "" | Some true => "o" | Some false => "x" end.
Definition read_wall (w : string) : option wall :=
  if String.eqb w "?" then Some {| ahead_are := None; inside_loop := None |}
  else match span w with
       | (u, String a w') =>
           match read_way a, read_colour w' with
           | Some d, Some b => Some {| ahead_are := Some (amount_of u, d); inside_loop := b |}
           | None, _ => match u, read_colour w with
                        | Nil, Some b => Some {| ahead_are := None; inside_loop := b |} | _, _ => None end
           | _, _ => None end
       | _ => None end.
Definition show_wall (k : wall) : string :=
  match ahead_are k, inside_loop k with
  | None, None => "?"
  | None, b => show_colour b
  | Some (n, d), b => digits (digits_of n) (String (show_way d) (show_colour b)) end.
Definition proper_wall (k : wall) : bool :=
  match ahead_are k with Some (n, _) => proper_amount n | None => true end.

Definition read_coloured (w : string) : option (colour * amount) :=
  match w with
  | String a w' =>
      match (match a with "w" => Some WhiteCircle | "b" => Some BlackCircle | "?" => Some AnyCircle
                     | _ => None end)%char, span w' with
      | Some k, (u, "") => Some (k, amount_of u) | _, _ => None end
  | "" => None end.
Definition show_coloured (k : colour * amount) : string :=
  String (match fst k with WhiteCircle => "w" | BlackCircle => "b" | AnyCircle => "?" end)%char
         (digits (digits_of (snd k)) "").
Definition proper_coloured (k : colour * amount) : bool := proper_amount (snd k).

Lemma hole_ok k : any k = true -> read_hole (show_hole k) = Some k.
Proof. destruct k; auto. Qed.
Lemma pearl_ok k : any k = true -> read_pearl (show_pearl k) = Some k.
Proof. destruct k; auto. Qed.
Lemma circle_ok k : any k = true -> read_circle (show_circle k) = Some k.
Proof. destruct k; auto. Qed.
Lemma number_ok k : (0 <=? k)%Z = true -> read_number (show_number k) = Some k.
Proof. intros P. unfold read_number, show_number. rewrite read_show_amount; auto. Qed.
Lemma arrow_ok k : proper_arrow k = true -> read_arrow (show_arrow k) = Some k.
Proof.
  destruct k as [d n |]; auto. intros P. unfold read_arrow, show_arrow.
  replace (String.eqb _ "x") with false.
  - rewrite span_digits by (destruct d; auto). rewrite amount_digits by auto. destruct d; auto.
  - destruct (digits_of n), d; auto.
Qed.
Lemma wall_ok k : proper_wall k = true -> read_wall (show_wall k) = Some k.
Proof.
  destruct k as [[[n d] |] b]; unfold read_wall, show_wall; cbn [ahead_are inside_loop]; intros P.
  - replace (String.eqb _ "?") with false.
    + rewrite span_digits by (destruct d; auto). rewrite amount_digits by auto.
      destruct d, b as [[|] |]; auto.
    + destruct (digits_of n), d; auto.
  - destruct b as [[|] |]; auto.
Qed.
Lemma coloured_ok k : proper_coloured k = true -> read_coloured (show_coloured k) = Some k.
Proof.
  destruct k as [c n]. unfold proper_coloured. cbn [snd]. intros P. unfold read_coloured, show_coloured.
  cbn [fst snd]. rewrite span_digits by auto. rewrite amount_digits by auto. destruct c; auto.
Qed.

(** ** The list *)

Ltac by_model lemma := intros p T; cbv zeta; cbv iota; rewrite ?Z.add_0_r; intros L R; apply lemma; auto.

Open Scope string_scope.
Definition cell_lists : list string := ["given"; "forbidden"].
Definition dot_lists : list string := ["given"; "forbidden"; "holes"].

Definition kinds : list kind.
Proof.
  refine [
    Kind ("slitherlink", "loop") true amount read_amount show_amount proper_amount dot_lists without_regions true ALoop
      slitherlink slitherlink_model _ _ _;
    Kind ("slitherlink", "path") false amount read_amount show_amount proper_amount ("ends" :: dot_lists)
      (fun p => without_regions p && two_ends p) true (Joining end_pairs) slitherlink slitherlink_model _ _ _;
    Kind ("grandtour", "loop") true Empty_set (fun _ => None) (fun k => match k with end) any cell_lists
      without_regions true ALoop grand_tour grand_tour_model _ _ _;
    Kind ("numberlink", "free") true Z read_number show_number (fun k => (0 <=? k)%Z) cell_lists
      (fun p => without_regions p && in_twos p) false (Joining number_pairs) (fun _ _ => true) (fun _ => []) _ _ _;
    Kind ("numberlink", "fill") false Z read_number show_number (fun k => (0 <=? k)%Z) cell_lists
      (fun p => without_regions p && in_twos p) false (Joining number_pairs) all_cells_used
      numberlink_fill_model _ _ _;
    Kind ("slitherlink", "fill") false amount read_amount show_amount proper_amount dot_lists without_regions true ALoop
      (fun p T => slitherlink p T && every_dot p T) every_dot_model _ _ _;
    Kind ("simpleloop", "loop") true unit read_hole show_hole any cell_lists without_regions false ALoop
      simple_loop simple_loop_model _ _ _;
    Kind ("masyu", "loop") true pearl read_pearl show_pearl any cell_lists without_regions false ALoop masyu masyu_model _ _ _;
    Kind ("masyu", "fill") false pearl read_pearl show_pearl any cell_lists without_regions false ALoop
      (fun p T => masyu p T && every_cell p T) masyu_fill_model _ _ _;
    Kind ("yajilin", "loop") true arrow read_arrow show_arrow proper_arrow cell_lists without_regions false ALoop yajilin yajilin_model _ _ _;
    Kind ("koburin", "loop") true amount read_amount show_amount proper_amount cell_lists without_regions false ALoop
      (koburin beside) (koburin_model beside) _ _ _;
    Kind ("koburin", "eight") false amount read_amount show_amount proper_amount cell_lists without_regions false ALoop
      (koburin eight) (koburin_model eight) _ _ _;
    Kind ("regionalyajilin", "loop") true amount read_amount show_amount proper_amount cell_lists with_regions false ALoop
      regional_yajilin regional_yajilin_model _ _ _;
    Kind ("countryroad", "loop") true amount read_amount show_amount proper_amount cell_lists with_regions false ALoop
      (country_road [2]) (country_road_model [2]) _ _ _;
    Kind ("countryroad", "skip") false amount read_amount show_amount proper_amount cell_lists with_regions false ALoop
      (country_road [0; 2]) (country_road_model [0; 2]) _ _ _;
    Kind ("linesweeper", "loop") true Z read_number show_number (fun k => (0 <=? k)%Z) cell_lists without_regions false ALoop
      linesweeper linesweeper_model _ _ _;
    Kind ("entryexit", "loop") true Empty_set (fun _ => None) (fun k => match k with end) any cell_lists with_regions false ALoop
      entry_exit entry_exit_model _ _ _;
    Kind ("doubleback", "loop") true unit read_hole show_hole any cell_lists with_holes false ALoop
      double_back double_back_model _ _ _;
    Kind ("castlewall", "loop") true wall read_wall show_wall proper_wall cell_lists without_regions false ALoop
      castle_wall castle_wall_model _ _ _;
    Kind ("dotchiloop", "loop") true bool read_circle show_circle any cell_lists with_regions false ALoop
      dotchi_loop dotchi_loop_model _ _ _;
    Kind ("geradeweg", "loop") true amount read_amount show_amount proper_amount cell_lists without_regions false ALoop
      (two_arms geradeweg) (arms_model geradeweg) _ _ _;
    Kind ("geradeweg", "fill") false amount read_amount show_amount proper_amount cell_lists without_regions false ALoop
      (fun p T => two_arms geradeweg p T && forallb (visited (cell_board p) T) (cells p))
      (arms_fill_model geradeweg) _ _ _;
    Kind ("shingoki", "loop") true (colour * amount) read_coloured show_coloured proper_coloured cell_lists without_regions false ALoop
      (two_arms shingoki) (arms_model shingoki) _ _ _;
    Kind ("balanceloop", "loop") true (colour * amount) read_coloured show_coloured proper_coloured cell_lists without_regions false ALoop
      (two_arms balance_loop) (arms_model balance_loop) _ _ _;
    Kind ("balanceloop", "fill") false (colour * amount) read_coloured show_coloured proper_coloured cell_lists without_regions false ALoop
      (fun p T => two_arms balance_loop p T && forallb (visited (cell_board p) T) (cells p))
      (arms_fill_model balance_loop) _ _ _ ]%string;
  try reflexivity;
  try apply read_show_amount; try apply hole_ok; try apply pearl_ok; try apply circle_ok;
  try apply number_ok; try apply arrow_ok; try apply wall_ok; try apply coloured_ok;
  try (intros []; fail).
  - by_model slitherlink_ok.
  - by_model slitherlink_ok.
  - by_model grand_tour_ok.
  - intros p T; cbv zeta; cbv iota; rewrite ?Z.add_0_r; intros L R; apply numberlink_fill_ok; auto.
  - by_model every_dot_ok.
  - by_model simple_loop_ok.
  - by_model masyu_ok.
  - by_model masyu_fill_ok.
  - by_model yajilin_ok.
  - by_model (koburin_ok beside).
  - by_model (koburin_ok eight).
  - by_model regional_yajilin_ok.
  - by_model (country_road_ok [2]).
  - by_model (country_road_ok [0; 2]).
  - by_model linesweeper_ok.
  - by_model entry_exit_ok.
  - by_model double_back_ok.
  - by_model castle_wall_ok.
  - by_model dotchi_loop_ok.
  - by_model (@arms_ok amount geradeweg).
  - by_model (@arms_fill_ok amount geradeweg).
  - by_model (@arms_ok (colour * amount) shingoki).
  - by_model (@arms_ok (colour * amount) balance_loop).
  - by_model (@arms_fill_ok (colour * amount) balance_loop).
Defined.
