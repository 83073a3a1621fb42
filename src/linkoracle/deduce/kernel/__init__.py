"""The deduction engine: one board, the trail of what was deduced, and the techniques.

**Trail.** Every decided edge is a *literal*, ``2 * edge`` for a line and ``2 * edge + 1`` for a
cross, on a trail, with the technique and the place that decided it. Each technique has a head, an
index into the trail: it has processed all literals before its head. `deduce` advances the head of
the first technique that is behind. So techniques process only changes, the simplest technique
first. Undoing a guess removes its literals from the trail.

**Contours.** ``mate`` is the other end of the path that ends at a vertex, kept up to date as lines
are drawn, so that a closed path is detected in constant time; ``label`` is the terminal that a path
has reached, if any.

**Colours.** Cells, and the world outside, are joined in a union-find structure with parity: two
cells are on the same side of the loop, or on different ones. Trees are merged by size and not
compressed, so that a merge can be undone. On a model of several paths, which have no sides, the
same structure records which vertices lie on the same path.

**Notes.** On a board of several paths, each vertex has the shapes that a path may still have there,
and each edge the numbers whose paths may use it. The notes follow from the trail, so they are not
undone: they are rebuilt when a guess is undone.

``board.pxd`` has the structs: `Frame` holds what a puzzle fixes, `State` what changes. Techniques
are functions on them: those for a single place stand in ``board.pxd``, those for several paths in
``routes.pxd``, those for sides and blocks in ``deduction_engine.pyx``, which puts them together.
Python sees two classes: `Positions` (``deduction_rules.pyx``), the rules, and `Engine`, a board
with the rules placed on it.
"""

from linkoracle.core import exports

__all__, __getattr__, __dir__ = exports(
    __name__,
    {
        "deduction_engine": "Engine",
        "deduction_rules": "Positions",
    },
)
