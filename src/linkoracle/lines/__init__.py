"""Lines on a board, for compiled code: which are known, in which order, and why.

`lines.pxd` has the order, the counts, the ends of paths and watched clauses. The SAT engine's
propagation, the search for alternatives and the replay of refutations work on these
(`docs/explanation/kernels.md`). `rules_kernel` draws conclusions from the rules of a model, also by
failed literals, for the SAT engine and the frontier engine.
"""

from linkoracle.core import exports

__all__, __getattr__, __dir__ = exports(__name__, {})
