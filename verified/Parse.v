(** Puzzle files: a header, rows of cells, perhaps rows of regions.  A printer shows that nothing is
    misread: what it prints is read back as the same puzzle. *)
From Coq Require Import List ZArith NArith Bool Lia String Ascii Decimal DecimalN DecimalNat.
From Verified Require Import Spec.Grid Spec.Puzzle.
Import ListNotations.
Open Scope string_scope.

(** ** Words *)

(** The parts of a text between separators. *)
Fixpoint split (sep : ascii) (s : string) : list string :=
  match s with
  | "" => [""]
  | String a s' =>
      if Ascii.eqb a sep then "" :: split sep s'
      else match split sep s' with w :: ws => String a w :: ws | [] => [String a ""] end end.

Fixpoint join (sep : ascii) (l : list string) : string :=
  match l with
  | [] => ""
  | [w] => w
  | w :: l' => w ++ String sep (join sep l') end.

Fixpoint lacks (sep : ascii) (w : string) : bool :=
  match w with "" => true | String a w' => negb (Ascii.eqb a sep) && lacks sep w' end.

Lemma split_word sep w : lacks sep w = true -> split sep w = [w].
Proof.
  induction w as [| a w IH]; simpl; auto. intros E. apply andb_true_iff in E as [E F].
  apply negb_true_iff in E. rewrite E, IH; auto.
Qed.

Lemma split_app sep w s : lacks sep w = true -> split sep (w ++ String sep s) = w :: split sep s.
Proof.
  induction w as [| a w IH]; simpl; intros E.
  - rewrite Ascii.eqb_refl; auto.
  - apply andb_true_iff in E as [E F]. apply negb_true_iff in E. rewrite E, IH; auto.
Qed.

Lemma split_join sep l : l <> [] -> forallb (lacks sep) l = true -> split sep (join sep l) = l.
Proof.
  induction l as [| w l IH]; [tauto |]. intros _ E. cbn [forallb] in E. apply andb_true_iff in E as [E F].
  destruct l as [| x l]; [apply split_word; auto |].
  change (join sep (w :: x :: l)) with (w ++ String sep (join sep (x :: l))).
  rewrite split_app; auto. rewrite IH; auto. discriminate.
Qed.

Definition newline : ascii := "010".
Definition space : ascii := " ".
Definition some_text (w : string) : bool := match w with "" => false | _ => true end.

(** Comments run to the end of a line. *)
Fixpoint before_comment (s : string) : string :=
  match s with
  | "" => ""
  | String a s' => if Ascii.eqb a "#" then "" else String a (before_comment s') end.

Definition words (line : string) : list string := filter some_text (split space (before_comment line)).
Definition lines_of_words (text : string) : list (list string) :=
  filter (fun l => match l with [] => false | _ => true end) (map words (split newline text)).

Definition good_word (w : string) : bool := some_text w && lacks space w && lacks newline w && lacks "#" w.
Definition good_line (l : list string) : bool := (match l with [] => false | _ => true end) && forallb good_word l.

Lemma filter_all {A} (f : A -> bool) l : forallb f l = true -> filter f l = l.
Proof.
  induction l as [| a l IH]; simpl; auto. intros E. apply andb_true_iff in E as [E F].
  rewrite E, IH; auto.
Qed.

Lemma forallb_weaken {A} (f g : A -> bool) l :
  (forall x, f x = true -> g x = true) -> forallb f l = true -> forallb g l = true.
Proof. rewrite !forallb_forall. auto. Qed.

Lemma before_comment_all s : lacks "#" s = true -> before_comment s = s.
Proof.
  induction s as [| a s IH]; simpl; auto. intros E. apply andb_true_iff in E as [E F].
  apply negb_true_iff in E. rewrite E, IH; auto.
Qed.

Lemma lacks_app sep a b : lacks sep (a ++ b) = lacks sep a && lacks sep b.
Proof. induction a as [| x a IH]; simpl; auto. rewrite IH, andb_assoc; auto. Qed.

Lemma lacks_join sep l : sep <> space -> forallb (lacks sep) l = true -> lacks sep (join space l) = true.
Proof.
  intros NE. induction l as [| w l IH]; auto. cbn [forallb]. intros E. apply andb_true_iff in E as [E F].
  destruct l as [| x l]; [auto |].
  change (join space (w :: x :: l)) with (w ++ String space (join space (x :: l))).
  rewrite lacks_app, E. cbn [lacks]. rewrite (IH F), andb_true_r.
  destruct (Ascii.eqb_spec space sep); [congruence | auto].
Qed.

Lemma good_lacks sep l : (sep = newline \/ sep = "#"%char) -> forallb good_word l = true ->
  lacks sep (join space l) = true.
Proof.
  intros S G. apply lacks_join; [destruct S; subst; discriminate |]. revert G.
  apply forallb_weaken. unfold good_word. intros w E. rewrite !andb_true_iff in E.
  destruct S; subst; tauto.
Qed.

Lemma words_join l : good_line l = true -> words (join space l) = l.
Proof.
  unfold good_line, words. rewrite andb_true_iff. intros [N G].
  rewrite before_comment_all by (apply good_lacks; auto).
  rewrite split_join; [apply filter_all | destruct l; [discriminate | congruence] |];
  revert G; apply forallb_weaken; unfold good_word; intros w E; rewrite !andb_true_iff in E; tauto.
Qed.

Definition text_of (l : list (list string)) : string := join newline (map (join space) l).

Theorem words_text l : l <> [] -> forallb good_line l = true -> lines_of_words (text_of l) = l.
Proof.
  intros N G. unfold lines_of_words, text_of. rewrite forallb_forall in G. rewrite split_join.
  - rewrite map_map. replace (map (fun x => words (join space x)) l) with l.
    + apply filter_all. apply forallb_forall. intros x I. apply G in I. destruct x; auto.
    + rewrite <- (map_id l) at 1. apply map_ext_in. intros x I. symmetry. apply words_join; auto.
  - destruct l; [tauto | discriminate].
  - apply forallb_forall. intros x I. apply in_map_iff in I as [y [<- I]]. apply G in I.
    unfold good_line in I. apply andb_true_iff in I as [_ I]. apply good_lacks; auto.
Qed.

(** ** Puzzles *)

Section Puzzles.
Context {clue : Type} (read : string -> option clue) (show : clue -> string) (proper : clue -> bool).
Hypothesis read_show : forall k, proper k = true -> read (show k) = Some k.

Definition is_empty (w : string) : bool := String.eqb w "." || String.eqb w "-".
Definition read_cell (w : string) : option (option clue) :=
  if is_empty w then Some None else option_map Some (read w).
Definition show_cell (k : option clue) : string := match k with None => "." | Some k => show k end.

Fixpoint all_some {A} (l : list (option A)) : option (list A) :=
  match l with
  | [] => Some []
  | Some a :: l' => option_map (cons a) (all_some l')
  | None :: _ => None end.

Fixpoint characters (w : string) : list string :=
  match w with "" => [] | String a w' => String a "" :: characters w' end.
(** A row of one word has a character for each cell. *)
Definition cells_of_line (l : list string) : list string := match l with [w] => characters w | _ => l end.

(** The lines up to one that says "regions", and those after it. *)
Fixpoint cut_at_regions (l : list (list string)) : list (list string) * list (list string) :=
  match l with
  | [] => ([], [])
  | x :: l' => if match x with [w] => String.eqb w "regions" | _ => false end then ([], l')
               else let (a, b) := cut_at_regions l' in (x :: a, b) end.

(** The names of lists beside the grid. *)
Definition list_names : list string := ["ends"; "given"; "forbidden"; "holes"; "walls"].
Definition names_list (w : string) : bool := existsb (String.eqb w) list_names.
Definition is_list (l : list string) : bool := match l with w :: _ => names_list w | [] => false end.

Definition wide (n : nat) {A} (l : list A) : bool := Nat.eqb (List.length l) n.

Definition fitting (p : puzzle clue) : bool :=
  match clue_rows p with
  | [] => false
  | r :: _ =>
      Nat.leb 2 (List.length r) && forallb (wide (List.length r)) (clue_rows p)
      && forallb (wide (List.length r)) (name_rows p)
      && (match name_rows p with [] => true | _ => wide (List.length (clue_rows p)) (name_rows p) end) end.

Definition read_rows (l : list (list string)) : option (puzzle clue) :=
  let (above, names) := cut_at_regions l in
  let cells := filter (fun r => negb (is_list r)) above in
  match all_some (map (fun r => all_some (map read_cell (cells_of_line r))) cells) with
  | Some rows =>
      let p := Puzzle (filter is_list above) rows (map cells_of_line names) in
      if fitting p then Some p else None
  | None => None end.

Definition show_rows (p : puzzle clue) : list (list string) :=
  lists p ++ map (map show_cell) (clue_rows p) ++ (match name_rows p with [] => [] | _ => ["regions"] :: name_rows p end).

(** Puzzles that can be written: their clues are proper, names of regions are words. *)
Definition proper_cell (k : option clue) : bool :=
  match k with
  | None => true | Some k => proper k && good_word (show k) && negb (is_empty (show k)) && negb (names_list (show k)) end.
Definition writable (p : puzzle clue) : bool :=
  fitting p && forallb (fun l => is_list l && good_line l) (lists p) && forallb (forallb proper_cell) (clue_rows p) && forallb (forallb good_word) (name_rows p).

Lemma all_some_map {A B} (f : B -> option A) (g : A -> B) (ok : A -> bool) l :
  (forall a, ok a = true -> f (g a) = Some a) -> forallb ok l = true -> all_some (map f (map g l)) = Some l.
Proof.
  intros H; induction l as [| a l IH]; simpl; auto. intros E. apply andb_true_iff in E as [E F].
  rewrite H; auto. rewrite IH; auto.
Qed.

Lemma read_show_cell k : proper_cell k = true -> read_cell (show_cell k) = Some k.
Proof.
  destruct k as [k |]; simpl; auto. rewrite !andb_true_iff. intros [[[P _] N] _].
  apply negb_true_iff in N. unfold read_cell. rewrite N, read_show; auto.
Qed.

Lemma cells_of_wide l n : (2 <= n)%nat -> wide n l = true -> cells_of_line l = l.
Proof.
  unfold wide. intros N W. apply Nat.eqb_eq in W. destruct l as [| a [| b l]]; simpl in *; auto; lia.
Qed.

(** Neither lists nor rows look like the line before regions. *)
Definition no_regions_line (l : list string) : bool :=
  match l with [w] => negb (String.eqb w "regions") | _ => true end.

Lemma cut_rows l names : forallb no_regions_line l = true ->
  cut_at_regions (l ++ match names with [] => [] | _ => ["regions"] :: names end) = (l, names).
Proof.
  induction l as [| x l IH]; simpl; intros W.
  - destruct names; auto.
  - apply andb_true_iff in W as [W V]. rewrite (IH V).
    destruct x as [| a [| b x]]; simpl in *; auto. apply negb_true_iff in W. rewrite W; auto.
Qed.

Lemma list_no_regions l : is_list l = true -> no_regions_line l = true.
Proof.
  destruct l as [| w [| x l]]; auto. simpl. intros E. apply negb_true_iff.
  destruct (String.eqb_spec w "regions"); auto. subst. discriminate.
Qed.

Lemma filter_both {A} (f : A -> bool) a b : forallb f a = true -> forallb (fun x => negb (f x)) b = true ->
  filter f (a ++ b) = a /\ filter (fun x => negb (f x)) (a ++ b) = b.
Proof.
  intros H K. rewrite !filter_app, (filter_all f a H), (filter_all _ b K). split.
  - replace (filter f b) with (@nil A); [apply app_nil_r |].
    clear H. induction b as [| x b IH]; simpl in *; auto. apply andb_true_iff in K as [K1 K2].
    apply negb_true_iff in K1. rewrite K1. auto.
  - replace (filter (fun x => negb (f x)) a) with (@nil A); auto.
    clear K. induction a as [| x a IH]; simpl in *; auto. apply andb_true_iff in H as [H1 H2].
    rewrite H1. simpl. auto.
Qed.

Lemma cell_no_list r : forallb proper_cell r = true -> is_list (map show_cell r) = false.
Proof.
  destruct r as [| k r]; auto. cbn [forallb]. intros E. apply andb_true_iff in E as [E _].
  destruct k as [k |]; auto. simpl in *. rewrite !andb_true_iff in E. apply negb_true_iff. tauto.
Qed.

Theorem read_show_rows p : writable p = true -> read_rows (show_rows p) = Some p.
Proof.
  destruct p as [more rows names]. unfold writable. cbn [lists clue_rows name_rows].
  rewrite !andb_true_iff. intros [[[F Li] C] G].
  pose proof F as K. unfold fitting in K. cbn [clue_rows name_rows] in K. destruct rows as [| r rest]; [discriminate |].
  set (rows := r :: rest) in *. rewrite !andb_true_iff in K. destruct K as [[[N W] V] _].
  apply Nat.leb_le in N. unfold read_rows, show_rows. cbn [lists clue_rows name_rows].
  assert (L1 : forallb is_list more = true).
  { revert Li. apply forallb_weaken. intros x E. apply andb_true_iff in E; tauto. }
  assert (L2 : forallb (fun x => negb (is_list x)) (map (map show_cell) rows) = true).
  { rewrite forallb_forall in C |- *. intros x I. apply in_map_iff in I as [y [<- I]].
    rewrite cell_no_list; auto. }
  rewrite app_assoc, cut_rows.
  - destruct (filter_both is_list more (map (map show_cell) rows) L1 L2) as [-> ->].
    rewrite (all_some_map (fun r => all_some (map read_cell (cells_of_line r))) (map show_cell)
               (fun x => wide (List.length r) x && forallb proper_cell x)).
    + replace (map cells_of_line names) with names; [rewrite F; auto |].
      rewrite <- (map_id names) at 1. apply map_ext_in. intros x I. symmetry.
      apply (cells_of_wide x (List.length r) N). rewrite forallb_forall in V; auto.
    + intros x E. apply andb_true_iff in E as [E1 E2].
      rewrite (cells_of_wide _ (List.length r) N).
      * apply (all_some_map read_cell show_cell proper_cell); auto. apply read_show_cell.
      * unfold wide in *. rewrite map_length; auto.
    + rewrite forallb_forall in W, C |- *. intros x I. rewrite W, C; auto.
  - rewrite forallb_app, andb_true_iff. split.
    + revert L1. apply forallb_weaken. apply list_no_regions.
    + rewrite forallb_forall in W |- *. intros x I. apply in_map_iff in I as [y [<- I]].
      specialize (W y I). unfold wide in W. apply Nat.eqb_eq in W.
      destruct y as [| a [| b y]]; auto. simpl in W. lia.
Qed.

(** ** Files *)

(** The first line names the kind and its variant; the usual variant may be left out. *)
Variables (title : string * string) (usual : bool).

Definition is_title (l : list string) : bool :=
  match l with
  | [k; v] => String.eqb k (fst title) && String.eqb v (snd title)
  | [k] => usual && String.eqb k (fst title)
  | _ => false end.

Definition read_file (text : string) : option (puzzle clue) :=
  match lines_of_words text with
  | t :: rest => if is_title t then read_rows rest else None
  | [] => None end.

Definition print_file (p : puzzle clue) : string := text_of ([fst title; snd title] :: show_rows p).

Hypothesis good_title : good_word (fst title) && good_word (snd title) = true.

Lemma writable_lines p : writable p = true -> forallb good_line (show_rows p) = true.
Proof.
  destruct p as [more rows names]. unfold writable, show_rows. cbn [lists clue_rows name_rows].
  rewrite !andb_true_iff. intros [[[F Li] C] G].
  unfold fitting in F. cbn [clue_rows name_rows] in F. destruct rows as [| r rest]; [discriminate |].
  set (rows := r :: rest) in *. rewrite !andb_true_iff in F. destruct F as [[[N W] V] _].
  apply Nat.leb_le in N. rewrite !forallb_app, !andb_true_iff. split; [| split].
  - revert Li. apply forallb_weaken. intros x E. apply andb_true_iff in E; tauto.
  - rewrite forallb_forall in *. intros x I. apply in_map_iff in I as [y [<- I]].
    specialize (C y I). specialize (W y I). unfold wide in W. apply Nat.eqb_eq in W.
    unfold good_line. apply andb_true_iff. split.
    + destruct y; simpl in *; auto. lia.
    + rewrite forallb_forall in *. intros w J. apply in_map_iff in J as [k [<- J]].
      specialize (C k J). destruct k as [k |]; auto. simpl in *. rewrite !andb_true_iff in C. tauto.
  - assert (forallb good_line names = true) as H.
    { rewrite forallb_forall in *. intros x I. specialize (V x I). specialize (G x I).
      unfold wide in V. apply Nat.eqb_eq in V. unfold good_line. rewrite G, andb_true_r.
      destruct x; simpl in *; auto. lia. }
    destruct names as [| x names]; auto.
Qed.

Theorem read_print p : writable p = true -> read_file (print_file p) = Some p.
Proof.
  intros W. unfold read_file, print_file. rewrite words_text.
  - unfold is_title. rewrite !String.eqb_refl. apply read_show_rows; auto.
  - discriminate.
  - cbn [forallb]. rewrite writable_lines; auto. unfold good_line. cbn [forallb].
    rewrite !andb_true_r. exact good_title.
Qed.
End Puzzles.

(** ** Regions *)

(** Whether cells of one name hang together: else a name would stand for several regions. *)
Fixpoint grow (fuel : nat) (frontier rest : list cell) : list cell :=
  match fuel with
  | O => rest
  | S fuel' =>
      let near := fun c => existsb (fun d => existsb (same d) frontier) (beside c) in
      match filter near rest with
      | [] => rest
      | more => grow fuel' more (filter (fun c => negb (near c)) rest) end end.
Definition connected (l : list cell) : bool :=
  match l with
  | [] => true
  | c :: l' => match grow (List.length l) [c] l' with [] => true | _ => false end end.

Definition without_regions {clue} (p : puzzle clue) : bool := match name_rows p with [] => true | _ => false end.
Definition with_regions {clue} (p : puzzle clue) : bool :=
  forallb (fun name => connected (region p name)) (region_names p).
(** Cells with clues are outside all regions, so that they cut regions. *)
Definition with_holes {clue} (p : puzzle clue) : bool :=
  with_regions p && forallb (fun x => outside_regions p (fst x)) (clues p).

(** ** Clues *)

(** A number as digits, before another text. *)
Fixpoint digits (u : uint) (r : string) : string :=
  match u with
  | Nil => r
  | D0 u => String "0" (digits u r) | D1 u => String "1" (digits u r) | D2 u => String "2" (digits u r)
  | D3 u => String "3" (digits u r) | D4 u => String "4" (digits u r) | D5 u => String "5" (digits u r)
  | D6 u => String "6" (digits u r) | D7 u => String "7" (digits u r) | D8 u => String "8" (digits u r)
  | D9 u => String "9" (digits u r) end.

Definition no_digit (r : string) : bool :=
  match r with "" => true | String a _ => match digit a with None => true | _ => false end end.

Lemma span_digits u r : no_digit r = true -> span (digits u r) = (u, r).
Proof.
  intros N. induction u; simpl; try (rewrite IHu; auto; fail).
  destruct r as [| a r]; auto. simpl in *. destruct (digit a); [discriminate | auto].
Qed.

(** A number, or nothing. *)
Definition amount_of (u : uint) : amount :=
  match u with Nil => Unknown | _ => Exactly (Z.of_N (N.of_uint u)) end.
Definition digits_of (n : amount) : uint :=
  match n with Exactly k => N.to_uint (Z.to_N k) | Unknown => Nil end.
Definition proper_amount (n : amount) : bool := match n with Exactly k => (0 <=? k)%Z | Unknown => true end.

Lemma amount_digits n : proper_amount n = true -> amount_of (digits_of n) = n.
Proof.
  destruct n as [k |]; auto. simpl. intros P. apply Z.leb_le in P. unfold amount_of.
  pose proof (DecimalN.Unsigned.of_to (Z.to_N k)) as E.
  assert (N.to_uint (Z.to_N k) <> Nil) as NN.
  { destruct (Z.to_N k); simpl; [discriminate | apply DecimalPos.Unsigned.to_uint_nonnil]. }
  destruct (N.to_uint (Z.to_N k)); try congruence; rewrite E, Z2N.id; auto.
Qed.

(** A clue as digits and other signs. *)
Definition read_amount (w : string) : option amount :=
  if String.eqb w "?" then Some Unknown
  else match span w with
       | (Nil, _) => None | (u, "") => Some (amount_of u) | _ => None end.
Definition show_amount (n : amount) : string :=
  match n with Unknown => "?" | Exactly _ => digits (digits_of n) "" end.

Lemma read_show_amount n : proper_amount n = true -> read_amount (show_amount n) = Some n.
Proof.
  intros P. destruct n as [k |]; auto. unfold read_amount, show_amount.
  pose proof (amount_digits _ P) as E. rewrite (span_digits _ "") by auto.
  destruct (digits_of (Exactly k)) eqn:D; [discriminate | ..]; rewrite E; auto.
Qed.
