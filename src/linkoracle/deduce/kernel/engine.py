"""All techniques together, guesses, and `run`, the one way in from Python."""

from __future__ import annotations

from importlib.resources import files
from typing import Any

import numpy as np
from numba import njit

from linkoracle.core.compilation import digest, is_ready
from linkoracle.deduce import rules
from linkoracle.deduce.kernel import local
from linkoracle.deduce.kernel import state as st
from linkoracle.deduce.kernel.blocks import free_cell, note_windows, survey
from linkoracle.deduce.kernel.drawing import fail, next_waiting, note, put, undo, unite, wait
from linkoracle.deduce.kernel.paths import follow, pockets
from linkoracle.deduce.kernel.sides import colour, regions, shade


@st.internal
def deduce(f, s):  # type: ignore[no-untyped-def]
    """Apply the techniques, always the cheapest that has news, until none has; False: no solution.

    Only what is new on the trail is looked at; see `begin` for the first time.
    """
    while True:
        technique = _cheapest(f, s)
        if technique < 0:
            break
        if not _apply(f, s, technique):
            return False
    return s.n[st.UNDECIDED] > 0 or s.n[st.LEFT] == 0 or fail(s, rules.LOOP, st.NOWHERE)


@st.internal
def _cheapest(f, s):  # type: ignore[no-untyped-def]
    enabled = f.enabled[min(s.n[st.IN_TRIAL], 1)]
    for technique in range(rules.TECHNIQUES):
        if not enabled[technique]:
            continue
        has_news = s.heads[technique] < s.n[st.TRAIL]
        if technique == rules.STATIC:
            has_news = s.n[st.STATICS] < f.statics.shape[0]
        elif technique == rules.REGION:
            has_news = has_news or s.n[st.MERGES_SEEN] < s.n[st.MERGES]
        elif technique == rules.SHADE:
            has_news = has_news or s.n[st.SITES_WAITING] > 0
        elif technique == rules.WINDOW:
            has_news = has_news or s.n[st.SQUARES_WAITING] > 0
        elif technique == rules.WIDE:
            has_news = has_news or s.n[st.BLOCKS_WAITING] > 0
        elif technique == rules.UNIQUE:
            has_news = has_news or s.n[st.CELLS_WAITING] > 0
        if has_news:
            return technique
    return -1


@st.internal
def _apply(f, s, technique):  # type: ignore[no-untyped-def]
    """Let a technique look at its next piece of news."""
    if technique == rules.STATIC:
        s.n[st.STATICS] += 1
        instance = f.statics[s.n[st.STATICS] - 1]
        return s.missing[instance] > 0 or local.conclude(f, s, instance, rules.STATIC)
    at = s.heads[technique]
    if technique in (rules.POCKET, rules.REGION):
        s.heads[technique] = s.n[st.TRAIL]
        s.n[st.MERGES_SEEN] = s.n[st.MERGES]
        return pockets(f, s) if technique == rules.POCKET else regions(f, s)
    news = at < s.n[st.TRAIL]
    if news:
        s.heads[technique] = at + 1
    edge = s.trail[at] >> 1 if news else -1
    if technique == rules.CLUE:
        for k in range(2):
            face = f.sides[edge, k]
            if face < s.counts.shape[0] and not local.clue(f, s, face):
                return False
        return True
    if technique == rules.DOT:
        return local.dot(f, s, f.ends[edge, 0]) and local.dot(f, s, f.ends[edge, 1])
    if technique == rules.LOOP:
        return local.loop(f, s, at)
    if rules.REACH <= technique <= rules.SQUARE:
        return local.patterns(f, s, technique, technique - rules.REACH, at)
    if technique == rules.BLOCK:
        return local.patterns(f, s, technique, st.KINDS[4], at)
    if technique == rules.PARITY:
        return local.parity(f, s, f.cut_of[edge])
    if technique == rules.COLOUR:
        return colour(f, s, at)
    if technique == rules.SHADE:
        s.heads[rules.SHADE] = s.n[st.TRAIL]
        return s.n[st.SITES_WAITING] == 0 or shade(f, s, next_waiting(s, st.SITES))
    if technique in (rules.WINDOW, rules.WIDE):
        kind = technique - rules.WINDOW
        if news:
            note_windows(f, s, kind, at)
            return True
        return survey(f, s, kind, next_waiting(s, kind))
    if news and not f.rules[st.HAS_COLOURS]:
        return not f.rules[st.IS_FREE] or follow(f, s, at)
    if news:
        note(s, st.CELLS, edge, f.cell_start, f.cells_of, f.cell_on)
        return True
    return free_cell(f, s, next_waiting(s, st.CELLS))


@st.internal
def relate_ends(f, s):  # type: ignore[no-untyped-def]
    """Relate what is related before any line is drawn."""
    if f.rules[st.HAS_COLOURS]:
        if not f.rules[st.IS_LOOP]:
            # The path divides the outside in two.
            faces = s.counts.shape[0]
            unite(s, faces, faces + 1, st.OTHER, rules.COLOUR, st.NOWHERE)
        return
    first = np.full(f.rules[st.PAIRS] + 1, -1, np.int64)
    for vertex in range(f.terminal.shape[0]):
        label = f.terminal[vertex]
        if label:
            if first[label] >= 0:
                unite(s, first[label], vertex, st.SAME, rules.UNIQUE, st.NOWHERE)
            first[label] = vertex


@st.internal
def begin(f, s):  # type: ignore[no-untyped-def]
    """Look at every clue, dot and window once, then `deduce`; False: no solution."""
    if s.n[st.LEFT] == 0 and not local.cross_out(f, s):
        return False
    for face in range(s.counts.shape[0]):
        if f.enabled[0, rules.CLUE] and not local.clue(f, s, face):
            return False
    for vertex in range(f.degrees.shape[0]):
        if f.enabled[0, rules.DOT] and not local.dot(f, s, vertex):
            return False
    if f.enabled[0, rules.LOOP] and not local.check_ends(f, s):
        return False
    if f.enabled[0, rules.SHADE]:
        for site in range(s.site_mask.shape[0]):
            if s.site_mask[site]:
                wait(s, st.SITES, site)
    for kind in st.KINDS[:2]:
        if f.enabled[0, rules.WINDOW + kind]:
            for window in range(f.window_first[kind + 1] - f.window_first[kind]):
                if s.window_clues[f.window_first[kind] + window] > 0:
                    wait(s, kind, window)
    if f.enabled[0, rules.UNIQUE]:
        for cell in range(f.cell_on.shape[0]):
            if f.cell_on[cell] >= 0:
                wait(s, st.CELLS, cell)
    return deduce(f, s)


@st.internal
def assume(f, s, literal):  # type: ignore[no-untyped-def]
    """Put a guess on the trail and deduce from it; False: a contradiction."""
    s.n[st.TRIALS] += 1
    s.n[st.IN_TRIAL] += 1
    return put(f, s, literal, rules.REFUTED, literal >> 1) and deduce(f, s)


@st.internal
def _agree(s, depth, trail):  # type: ignore[no-untyped-def]
    """Collect the literals since ``trail`` that the snapshot has, too; return how many."""
    found = 0
    for at in range(trail, s.n[st.TRAIL]):
        literal = s.trail[at]
        if s.snapshots[depth, literal >> 1] == st.LINE + (literal & 1):
            s.agreed[depth, found] = literal
            found += 1
    return found


@st.internal
def _learn(f, s, depth, edge, line_fits, cross_fits, agreed):  # type: ignore[no-untyped-def]
    """Decide what both guesses about an edge have shown; 1: news, 0: none, -1: no solution."""
    if line_fits and cross_fits and agreed == 0:
        return 0
    if s.n[st.IN_TRIAL] == 0:
        s.n[st.DEPTH] = max(s.n[st.DEPTH], depth)
    if line_fits and cross_fits:
        fits = True
        for index in range(agreed):
            fits = fits and put(f, s, s.agreed[depth, index], rules.EITHER, edge)
    else:
        fits = put(f, s, 2 * edge + (not line_fits), rules.REFUTED, edge)
    return 1 if fits and deduce(f, s) else -1


@st.internal
def guess(f, s, depth):  # type: ignore[no-untyped-def]
    """Guess up to ``depth`` deep until that decides nothing more; False: no solution.

    Assume a line and deduce, assume a cross and deduce: a contradiction decides the edge, else what
    both ways agree on is kept. Deeper guesses wait until shallow ones have nothing to say.
    """
    edges = s.edge.shape[0]
    level = st.ONE
    while level <= depth and s.n[st.UNDECIDED] > 0:
        news, idle = 0, 0
        while idle < edges and s.n[st.UNDECIDED] > 0 and (level == 1 or news == 0):
            edge = s.cursors[level]
            s.cursors[level] = (edge + 1) % edges
            idle += 1
            if s.edge[edge] != st.OPEN:
                continue
            if s.n[st.BUDGET] == 0:
                return True
            s.n[st.BUDGET] -= 1
            trail, merges = s.n[st.TRAIL], s.n[st.MERGES]
            agreed = st.ZERO
            line_fits = assume(f, s, 2 * edge) and (level == 1 or guess(f, s, level - 1))
            s.n[st.IN_TRIAL] -= 1
            if line_fits:
                s.snapshots[level, :] = s.edge
            undo(f, s, trail, merges)
            cross_fits = True
            if line_fits:
                cross_fits = assume(f, s, 2 * edge + 1) and (level == 1 or guess(f, s, level - 1))
                s.n[st.IN_TRIAL] -= 1
                if cross_fits:
                    agreed = _agree(s, level, trail)
                undo(f, s, trail, merges)
            found = _learn(f, s, level, edge, line_fits, cross_fits, agreed)
            if found < 0:
                return False
            if found > 0:
                news, idle = 1, 0
        level = st.ONE if news and level > 1 else level + 1
    return True


def _way_in(sources: str) -> Any:
    """Make `run`, one way in for all tasks, because every way in compiles all of this once more.

    It holds ``sources``: see `linkoracle.core.compilation.digest`.
    """

    # Without the lock of the interpreter, so that another thread can end guesses: `Board.guess`.
    @njit(cache=True, nogil=True)
    def run(frame, state, task, argument, other):  # type: ignore[no-untyped-def]
        """Do a task on a board."""
        _ = sources
        f: Any = st.FrameRef(*frame)  # type: ignore[no-untyped-call]
        s: Any = st.StateRef(*state)  # type: ignore[no-untyped-call]
        if task == st.PUT:
            return put(f, s, argument, other, st.NOWHERE)
        if task == st.UNDO:
            undo(f, s, argument, other)
            return True
        if task == st.RELATE:
            relate_ends(f, s)
            return True
        if task == st.BEGIN:
            return begin(f, s)
        if task == st.DEDUCE:
            return deduce(f, s)
        if task == st.ASSUME:
            fits = assume(f, s, argument)
            s.n[st.IN_TRIAL] -= 1
            return fits
        if task == st.SHOW:
            for index in range(argument):
                local.show(f, s, s.chosen[index], st.ONE)
            for index in range(argument):
                if not local.look(f, s, s.chosen[index]):
                    return False
            return deduce(f, s)
        if task == st.HIDE:
            for index in range(argument):
                local.show(f, s, s.chosen[index], st.ZERO)
            return True
        return guess(f, s, argument)

    return run


_FOLDER = files("linkoracle.deduce")
# The numbers of the techniques are among the rules.
run = _way_in(digest([*(_FOLDER / "kernel").iterdir(), _FOLDER / "rules.py"]))


def compiled() -> bool:
    """Whether boards need not wait, half a minute or so, until all of this is compiled."""
    return is_ready(run)
