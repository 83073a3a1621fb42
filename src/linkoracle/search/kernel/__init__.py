"""The compiled search: conflict-driven clause learning over the edges of a lattice.

Variables are the edges, then for each face whether it *matches* (has its true count), then for each
face its side of the line, then one that belongs to the question; a literal is twice the variable,
plus one for its negation. The rules of the board are no clauses: each vertex and face keeps how
many of its edges are on and off, each path of chosen edges its two ends, and they act when that
changes (`propagation`). Why a rule acted is not written down but found again when a conflict asks
for it. What is learned from that (`conflicts`) are clauses with two watched literals (Moskewicz et
al., Chaff, DAC 2001), cut at the first unique implication point, and the variables to branch on
come from a queue of the most recently blamed ones, as in the solvers of the MiniSat and CaDiCaL
families (Eén and Sörensson, SAT 2003; Biere and Fröhlich, SAT 2015).

**Cycles.** A path must not close while anything is on elsewhere. The reason is the path, or else
what surrounds it: all edges that leave it, on the side where the other is, are off. That is the cut
of `linkoracle.sat`, and of the two the one is taken that rests on fewer decisions.

**Levels.** Level 0 holds what is true for good, levels 1 and 2 the assumptions of a question,
further levels are decisions. Clauses follow from the rules of the board alone, assumptions being
literals as any other, so they stay for later questions. Only those that lean on the question's own
clause have its variable in them, and are struck out when it is answered (`questions`).

An alternative is known before everything is decided: see `questions.is_alternative`. A series of
questions is asked without a way back to Python: see `engine.try_all`. `state` says what stands
where; only `run` is called from Python and kept in Numba's cache, the other functions are compiled
into it.
"""

from linkoracle.search.kernel.engine import compiled, run

__all__ = ["compiled", "run"]
