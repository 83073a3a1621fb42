"""Clues that come and go: see `linkoracle.deduce.thinning`."""

from __future__ import annotations

from linkoracle.deduce.kernel.drawing import allowed, wait
from linkoracle.deduce.kernel.local import check_end, clue, conclude, premises_hold
from linkoracle.deduce.kernel.state import KINDS, SEGMENTS, SITES, UNMET, internal
from linkoracle.deduce.techniques import CLUE, LOOP, SHADE, WINDOW
from linkoracle.model import ANY_COUNT


@internal
def show(f, s, face):  # type: ignore[no-untyped-def]
    """Show the clue of a face; `look` at it when all that come together are shown."""
    item = f.degrees.shape[0] + face
    s.counts[face] = f.clues[face]
    s.site_mask[item] = f.clues[face]
    s.n[UNMET] += 1 - allowed(f.clues[face], s.lines[item])
    for kind in KINDS[:2]:
        waits = f.enabled[0, WINDOW + kind]
        start = f.face_start[kind]
        for index in range(start[face], start[face + 1]):
            window = f.windows_at[index]
            if _count_in_window(f, s, kind, window, face, 1) and waits:
                wait(s, kind, window)
    if f.enabled[0, SHADE]:
        wait(s, SITES, item)
    for index in range(f.asked_start[face], f.asked_start[face + 1]):
        s.missing[f.asked_by[index]] -= 1


@internal
def look(f, s, face):  # type: ignore[no-untyped-def]
    """Deduce at once what a new clue says; False: no solution."""
    if f.enabled[0, CLUE] and not clue(f, s, face):
        return False
    for index in range(f.asked_start[face], f.asked_start[face + 1]):
        instance = f.asked_by[index]
        technique = f.techniques[instance]
        if s.missing[instance] or not f.enabled[0, technique]:
            continue
        if premises_hold(f, s, instance) and not conclude(f, s, instance, technique):
            return False
    if f.enabled[0, LOOP] and s.n[SEGMENTS] <= 2:
        # Closing the only path, or joining the only two, may have been right until now.
        for vertex in range(f.degrees.shape[0]):
            if not check_end(f, s, vertex):
                return False
    return True


@internal
def hide(f, s, face):  # type: ignore[no-untyped-def]
    """Take back `show`, after what was decided since then was undone."""
    item = f.degrees.shape[0] + face
    s.counts[face] = ANY_COUNT
    s.site_mask[item] = 0
    s.n[UNMET] -= 1 - allowed(f.clues[face], s.lines[item])
    for kind in KINDS[:2]:
        start = f.face_start[kind]
        for index in range(start[face], start[face + 1]):
            _count_in_window(f, s, kind, f.windows_at[index], face, -1)
    for index in range(f.asked_start[face], f.asked_start[face + 1]):
        s.missing[f.asked_by[index]] += 1


@internal
def _count_in_window(f, s, kind, window, face, step):  # type: ignore[no-untyped-def]
    """Count a clue for a window if it lies in it, not beside it; whether there is any clue then."""
    side = 2 + kind
    at = f.window_first[kind] + window
    for row in range(1, side + 1):
        for col in range(1, side + 1):
            if f.window_faces[at, row * (side + 2) + col] == face:
                s.window_clues[at] += step
    return s.window_clues[at] > 0
