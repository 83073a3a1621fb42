"""Lines on a board, for compiled code: which are known, in which order, and why.

`trail` has the order, `rules` the counts, `paths` the ends of paths, `clauses` watched clauses. The
SAT engine's propagation, the search for alternatives and the replay of refutations work on these
(`docs/explanation/kernels.md`). `rules_kernel` draws conclusions from the rules of a model, also by
failed literals, for the SAT engine and the frontier engine.
"""
