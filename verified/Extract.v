(** The checker as a program. *)
From Coq Require Import Extraction ExtrOcamlBasic ExtrOcamlString.
From Verified Require Import Check.
Extraction Language OCaml.
Extraction "checker.ml" check.
