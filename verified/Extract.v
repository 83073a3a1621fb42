(** The checker as a program. *)
From Coq Require Import Extraction ExtrOcamlBasic ExtrOcamlString.
From Verified Require Import Check Faces Decide.
Extraction Language OCaml.
Extraction "checker.ml" check check_faces try_drawing.
