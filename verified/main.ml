(* Read a puzzle and the steps of a proof, and ask the checker.  Only [text_of_file] and the last
   lines are trusted: the theorem holds for all steps, however they are read. *)
open Checker

let text_of_file name =
  let file = open_in_bin name in
  let text = really_input_string file (in_channel_length file) in
  close_in file; text

let explode text = List.init (String.length text) (String.get text)

let rec pos n =
  if n < 1 then failwith "a number is not positive" else
  if n = 1 then XH else if n land 1 = 1 then XI (pos (n lsr 1)) else XO (pos (n lsr 1))
let integer n = if n = 0 then Z0 else if n > 0 then Zpos (pos n) else Zneg (pos (- n))

let rec number = function XH -> 1 | XO n -> 2 * number n | XI n -> 2 * number n + 1

(* The lines of a loop or path: 0 or 1 (to the right, or down), row, column, and so on. *)
let rec lines = function
  | 0 :: r :: c :: more -> Across (integer r, integer c) :: lines more
  | 1 :: r :: c :: more -> Down (integer r, integer c) :: lines more
  | [] -> []
  | _ -> failwith "a line of a solution"

(* Lines of a board that is given by its faces: two vertices each. *)
let rec sides = function
  | v :: w :: more -> (integer v, integer w) :: sides more
  | [] -> []
  | _ -> failwith "a side"

let literal n = (pos (abs n), n > 0)
let witness n = if n > 0 then ByLine (pos n) else if n < 0 then ByClause (pos (- n)) else Nothing

let ints text =
  List.map int_of_string (List.filter (fun word -> word <> "") (String.split_on_char ' ' text))

let steps_of_file name =
  let solutions = ref [] and loops = ref [] and questions = ref [] and steps = ref [] in
  let add step = steps := step :: !steps in
  let read line =
    match line.[0], ints (String.sub line 1 (String.length line - 1)) with
    | 's', numbers -> solutions := [lines numbers] :: !solutions
    | 'p', numbers ->
        (match !solutions with
         | paths :: others -> solutions := (paths @ [lines numbers]) :: others
         | [] -> failwith "a path before all solutions")
    | 'r', literals -> add (Rule (List.map literal literals))
    | 'f', numbers -> loops := sides numbers :: !loops
    | 'q', size :: more ->
        let literals = List.filteri (fun i _ -> i < size) more in
        let allowed = List.filteri (fun i _ -> i >= size) more in
        questions := (List.map literal literals, List.map integer allowed) :: !questions
    | 't', [d] -> add (Counted (pos d))
    | 'd', d :: literals -> add (Defined (pos d, List.map literal literals))
    | 'o', [] -> add SomeLine
    | 'n', [i] -> add (Not (pos i))
    | 'c', w :: w' :: set -> add (Cut (List.map pos set, witness w, witness w'))
    | 'l', ids -> add (Resolve (List.map pos ids))
    | _ -> failwith "a step" in
  List.iter (fun line -> if line <> "" then read line) (String.split_on_char '\n' (text_of_file name));
  (List.rev !solutions, List.rev !loops, List.rev !questions, List.rev !steps)

let () =
  match Sys.argv with
  | [| _; puzzle; steps |] ->
      let text = text_of_file puzzle in
      let solutions, loops, questions, steps =
        try steps_of_file steps with Failure what -> prerr_endline ("invalid: " ^ what); exit 2 in
      let number_of_them, verdict =
        match check (explode text) solutions questions steps with
        | NoPuzzle -> List.length loops, check_faces (explode text) loops questions steps
        | verdict -> List.length solutions, verdict in
      (match verdict with
       | Verified ->
           Printf.printf "verified: exactly %d solution%s of this puzzle:\n%s"
             number_of_them (if number_of_them = 1 then "" else "s") text
       | NoPuzzle -> print_endline "unknown: not a puzzle that the checker knows"; exit 2
       | WrongSolutions -> print_endline "refused: a solution is wrong, or there twice"; exit 1
       | WrongStep n -> Printf.printf "refused: step %d does not follow\n" (number n); exit 1)
  | [| _; "--try"; puzzle; drawings |] ->
      let text = explode (text_of_file puzzle) in
      let tried line =
        if line <> "" then
          print_endline (match try_drawing text (lines (ints line)) with
            | Some true -> "right" | Some false -> "wrong" | None -> "unknown") in
      List.iter tried (String.split_on_char '\n' (text_of_file drawings))
  | _ -> prerr_endline "usage: checker PUZZLE STEPS, or checker --try PUZZLE DRAWINGS"; exit 2
