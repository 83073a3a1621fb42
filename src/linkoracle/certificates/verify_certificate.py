#!/usr/bin/env python3
"""Check certificates: "this puzzle has exactly these solutions".

    python verify_certificate.py [--puzzle PUZZLE] FILE...

Needs Python 3.11 or later and nothing else: copy this file wherever you like, and read it. PUZZLE
is a file with one puzzle (text or JSON) or a puzz.link URL: then the certificate must be of that
puzzle, which is printed as this program reads it (docs/reference/file-formats.md has the grammar).
Exit status: 0 if all certificates hold, 1 if one is refused, 2 if a file cannot be read or checked.

This program checks (1) every solution, by the rules of the puzzle; (2) that there is no other. For
(2) it states *axioms*: clauses that every solution of the puzzle satisfies, and for each solution
of the certificate a clause that forbids it. A *cut* is another axiom: if lines are on both sides of
a border, a line crosses it. A *lemma* follows from axioms and earlier lemmas by resolution (from
"A or x" and "B or not x" follows "A or B"). The last lemma is the empty clause, which nothing
satisfies: so there is no other solution. docs/reference/certificate-format.md has the format, and
docs/explanation/certificates.md proves the axioms.
"""

import json
import lzma
import os
import re
import sys
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator
from itertools import (
    accumulate,
    chain,
    combinations,
    count,
    islice,
    pairwise,
    product,
    repeat,
    starmap,
)
from math import atan2, comb, floor, hypot
from operator import neg
from pathlib import Path
from typing import Any

FORMAT, VERSION = "linkoracle certificate", 3
#: Limits, so that no file takes more than 10 seconds a megabyte, or 200 MB: bytes of a file, packed
#: or not; bytes of the first line, or of a puzzle; lists, objects and keys in JSON; cells; vertices
#: of all solutions; memory for clauses, in units of 8 bytes; variables of a model.
MOST_BYTES, MOST_HEADER, MOST_LISTS, MOST_CELLS = 2 * 10**7, 4 * 10**6, 10**5, 4 * 10**4
MOST_VERTICES, MOST_LITERALS, MOST_VARIABLES = 2 * 10**6, 8 * 10**6, 10**6
#: Corners of polygons: the same up to the first, distinct beyond the second of these fractions of
#: the size of a board; coordinates; sines that count as 0; comparisons of sides.
SAME, NEAR, FAR, FLAT, MOST_COMPARED = 2.0**-40, 2.0**-24, 1e100, 1e-9, 4 * 10**7
#: A step is the work for one literal: the steps of any proof, and those of each of its bytes.
FREE_STEPS, STEPS_PER_BYTE = 2 * 10**7, 40
#: A count has new variables where its clauses would have more literals than this for each of its
#: own; the second number is for boards with too many clauses by the first. The work for a variable.
LONG, NODE = (2000, 100), 40
VARIANTS: dict[str, tuple[str, ...]] = {"model": ("loop", "paths")}
VARIANTS |= {"slitherlink": ("loop", "path"), "numberlink": ("free", "fill")}
#: The clues of each kind: numbers, or words of a pattern. All but the first two are of one loop.
CELLS: dict[str, range | str] = {"slitherlink": range(-1, 5), "numberlink": range(1, 10**18)}
CELLS |= {"simpleloop": range(1), "doubleback": range(1), "entryexit": range(0)}
CELLS |= {
    "countryroad": range(-1, 10**18),
    "regionalyajilin": range(-1, 10**18),
    "linesweeper": range(9),
}
CELLS |= {"koburin": range(-1, 5), "geradeweg": range(-1, 10**18)}
CELLS |= {"masyu": "[wb?]", "dotchiloop": "[wb]", "yajilin": "[0-9]{0,3}[nesw]|x"}
CELLS |= {"castlewall": "[0-9]{0,3}[nesw][ox]?|[ox?]"}
CELLS |= {"shingoki": "[wb?]([1-9][0-9]{0,2})?", "balanceloop": "[wb]([1-9][0-9]{0,2})?"}
VARIANTS |= dict.fromkeys(("masyu", "geradeweg", "balanceloop"), ("loop", "fill"))
VARIANTS |= {"countryroad": ("loop", "skip"), "koburin": ("loop", "eight")}
VARIANTS |= {kind: ("loop",) for kind in CELLS if kind not in VARIANTS}
#: The names of variants, which no other key of a puzzle and no comment above it may hold.
WORDS = {"loop", "path", "free", "fill", "apart", "fill-apart", "skip"}
WORDS |= {"outside", "eight", "outside-eight", "all"}
COMMENT = re.compile("[ \t]*#[ \t]*(?:rules?|variant|flavour)[ \t]*:(.*)", re.IGNORECASE)
#: Kinds with regions, those with one number at most in a region, and signs for numbers in text.
REGIONS = {"countryroad", "regionalyajilin", "entryexit", "doubleback", "dotchiloop"}
NUMBERED = {"countryroad", "regionalyajilin"}
SIGNS: dict[str, dict[str, Any]] = {kind: {"*": 0} for kind in ("simpleloop", "doubleback")}
SIGNS |= {kind: {"?": -1} for kind in ("slitherlink", "koburin", "geradeweg", *NUMBERED)}
#: The keys of the first line, of a puzzle, and of a model: any board and constraints.
HEADER, GRID = "format version puzzle solutions auxiliary taut", "kind variant grid ends regions"
#: The keys of a puzzle whose cells are the faces of a board.
FACES = "kind variant board clues"
MODEL = "kind variant vertices edges sides degrees pairs faces given forbidden shapes counts"
MODEL += " clauses"
#: Control characters except tab, line separators, and marks that change the direction of text.
CONTROL = re.compile("[\0-\x08\x0b-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069]")
#: A URL of puzz.link, the codes of cells in it, and lines of text that are not rows of cells.
URL = re.compile("https?://[^?]*[?]([a-z]+)/([0-9]{1,6})/([0-9]{1,6})(?:/([^/]*))?/*")
CODES = {"slitherlink": "[0-9a-eg-z.]", "simpleloop": "[0-9a-v]"}
CODES["numberlink"] = "[0-9a-z]|-[0-9a-f]{2}|[+][0-9a-f]{3}"
ENDS = re.compile("[ \t]*ends[ \t]+N,N[ \t]+N,N[ \t]*".replace("N", "([0-9]{1,18})"))
LISTS = "board ends forbidden given holes regions walls"
SIZES = re.compile("[ \t]*[0-9]+[ \t]+[0-9]+[ \t]*")

Cell = tuple[int, int]
Point = tuple[float, float]
Clause = tuple[int, ...]
#: Edges, the allowed numbers of lines among them, and the cell of the clue, if any.
Rule = tuple[list[int], Collection[int], int | None]


class Refused(Exception):
    """The certificate does not hold, or is not one; the text says what failed, and where."""


def need(holds: object, reason: str) -> None:
    if not holds:
        raise Refused(reason)


def are_integers(values: Any) -> bool:
    """Return whether this is a list of whole numbers; True and 1.0 are not."""
    return isinstance(values, list) and all(type(value) is int for value in values)


def lists(least: int, most: int, *values: Any) -> tuple[Any, ...]:
    """Return these values, which must be lists of whole numbers from ``least`` to ``most``."""
    need(all(map(are_integers, values)), "expected a list of whole numbers")
    need(all(least <= x <= most for some in values for x in some), "a number is out of range")
    return values


def masked(mask: int, *numbers: int) -> tuple[list[int], Collection[int]]:
    """Return the numbers, and the counts that bit k of the mask allows for k; -1 allows all."""
    need(type(mask) is int and mask >= -1, "a mask is invalid")
    every = range(len(numbers) + 1)
    return [*numbers], every if mask < 0 else {k for k in every if mask >> k & 1}


def once(members: list[tuple[str, Any]]) -> dict[str, Any]:
    """Return an object of JSON; refuse it if a key is there twice: which value would count?"""
    found = dict(members)
    need(len(found) == len(members), "a key is there twice")
    return found


def parsed(text: str) -> Any:
    """Return a value of JSON. Lists and keys are limited: each takes a hundred bytes of memory."""
    need(sum(map(text.count, "[{:")) <= MOST_LISTS, "there are too many lists in it")
    return json.loads(text, object_pairs_hook=once)


class Puzzle:
    """A puzzle: its kind and variant, rows of cells (a number or None), and ends of an open path.

    The cells of a Slitherlink on any board are its faces, each a list of the vertices around it.
    """

    def __init__(self, record: Any) -> None:
        need(isinstance(record, dict), "a puzzle is not a JSON object")
        self.kind, self.variant, grid = map(record.get, ("kind", "variant", "grid"))
        known = VARIANTS.get(self.kind, ()) if isinstance(self.kind, str) else ()
        need(self.variant in known, "unknown kind")
        #: Equal for equal puzzles: in a Numberlink, numbers are only names.
        self.essence: Any = record
        self.size = f"{record.get('vertices')} vertices"
        self.model: dict[str, Any] | None = record if self.kind == "model" else None
        self.clued = 0
        if self.kind == "model":
            return
        if record.get("board") is not None:
            self.take_board(record)
            return
        fixed = map(record.get, ("given", "forbidden", "holes"))
        need(all(listed in (None, []) for listed in fixed), "lines or holes are fixed")
        need(isinstance(grid, list) and all(isinstance(row, list) for row in grid), "expected rows")
        self.rows, self.cols = len(grid), len(grid[0]) if grid else 0
        need(0 < self.rows * self.cols <= MOST_CELLS, "the board is too large, or has no cells")
        need(all(len(row) == self.cols for row in grid), "the rows have different lengths")
        self.size = f"{self.rows}x{self.cols} cells"
        self.cells = [cell for row in grid for cell in row]
        for place, cell in enumerate(self.cells):
            need(cell is None or is_clue(self.kind, cell), f"cell {place} is invalid")
        self.regions = self.regions_of(record.get("regions") or [])
        #: The indices of the cells with each clue, in reading order.
        self.places: dict[Any, list[int]] = {}
        for place, cell in enumerate(self.cells):
            if cell is not None:
                self.places.setdefault(cell, []).append(place)
        self.clued = sum(map(len, self.places.values()))
        if self.kind in NUMBERED:
            numbered = [self.regions[place] for place in sorted(chain(*self.places.values()))]
            need(None not in numbered, "a number is outside all regions")
            need(len({*numbered}) == len(numbered), "a region has two numbers")
        twos = all(len(places) == 2 for places in self.places.values())
        need(twos or self.kind != "numberlink", "a number is not in two cells")
        ends = record.get("ends")
        fits = (ends is None) != (self.variant == "path")
        need(fits, "ends are for an open path, which needs them")
        dots = isinstance(ends, list) and all(are_integers(dot) and len(dot) == 2 for dot in ends)
        need(ends is None or (dots and len(ends) == 2 and ends[0] != ends[1]), "expected two ends")
        self.ends: list[list[int]] = sorted(ends or [])
        for row, col in self.ends:
            inside = row in range(self.rows + 1) and col in range(self.cols + 1)
            need(inside and (row in (0, self.rows) or col in (0, self.cols)), "an end is inside")
        numbers = sorted(self.places.values()) if self.kind == "numberlink" else self.cells
        what = self.kind, self.variant, self.ends
        self.essence = *what, self.rows, self.cols, numbers, self.regions

    def regions_of(self, rows: Any) -> list[int | None]:
        """Return the region of each cell, as numbers from 0 in the order of their first cells.

        Cells of one name are in one region if they hang together. In a Double Back, holes are the
        cells outside all regions.
        """
        need(isinstance(rows, list), "expected rows")
        need(not rows or self.kind in REGIONS, "the kind has no regions")
        need(all(isinstance(row, list | str) for row in rows), "a row is invalid")
        rows = [words_of(row) if isinstance(row, str) else row for row in rows]
        need([len(row) for row in rows] in ([], [self.cols] * self.rows), "the regions do not fit")
        names = [name for row in rows for name in row] or [0] * len(self.cells)
        for name in names:
            fits = type(name) is int and -(10**17) < name < 10**18
            need(fits or isinstance(name, str | None), "the name of a region is invalid")
        names = [None if name in (".", "-") else name for name in names]
        holes = self.kind == "doubleback"
        need(holes or any(name is not None for name in names), "there is no region")
        if holes:
            both = [*zip(names, self.cells, strict=True)]
            self.cells = [0 if name is None else cell for name, cell in both]
            names = [name if cell is None else None for name, cell in both]
        found: list[int | None] = [None] * len(names)
        regions = 0
        for start, name in enumerate(names):
            if name is None or found[start] is not None:
                continue
            found[start], waiting = regions, [start]
            while waiting:
                row, col = divmod(waiting.pop(), self.cols)
                for r, c in ((row - 1, col), (row, col + 1), (row + 1, col), (row, col - 1)):
                    at = r * self.cols + c
                    inside = 0 <= r < self.rows and 0 <= c < self.cols
                    if inside and names[at] == name and found[at] is None:
                        found[at] = regions
                        waiting.append(at)
            regions += 1
        # On a board of holes alone.
        return found if regions else [0] * len(names)

    def take_board(self, record: dict[str, Any]) -> None:
        """Make a model of a Slitherlink on any board: a clue counts the sides of its face.

        Faces are polygons, or lists of vertices. Edges are numbered by their ends, in order,
        or as ``edges`` lists all of them.
        """
        board: Any = record["board"]
        need((self.kind, self.variant) == ("slitherlink", "loop"), "boards are for loops on dots")
        other = {"rows", "cols", "given", "forbidden", "holes", *GRID.split()[2:]}
        need(all(record.get(key) in (None, []) for key in other), "more than a board and clues")
        need(isinstance(board, dict), "expected a board as an object")
        if board.keys() == {"polygons"}:
            size, faces = drawn(board["polygons"])
            more: Any = []
        else:
            size, faces, more = board.get("vertices"), board.get("faces"), board.get("edges", [])
            need(board.keys() <= {"vertices", "faces", "edges"}, "an unknown key of the board")
        if isinstance(size, list):
            size = len([point_of(corner) for corner in size])
        need(type(size) is int and isinstance(more, list), "expected vertices, faces and edges")
        need(isinstance(faces, list) and faces, "expected faces")
        need(size <= 2 * MOST_CELLS, "the board is too large")
        lists(0, size - 1, *faces, *more)
        fit = all(len(face) > 2 for face in faces) and all(len(pair) == 2 for pair in more)
        need(fit, "a face needs three corners, and an edge two ends")
        walks = [[(*sorted(two),) for two in pairwise([*face, *face[:1]])] for face in faces]
        beside = Counter(chain(*walks))
        stated: list[Any] = [(*sorted(pair),) for pair in more]
        need(len({*stated}) == len(stated), "an edge is listed twice")
        # A list of all edges says how they are numbered.
        edges = stated if beside.keys() <= {*stated} else sorted({*beside, *stated})
        need(all(v < w for v, w in edges), "an edge joins a vertex to itself")
        need(max(beside.values()) < 3, "a side has more than two faces")
        number = {ends: edge for edge, ends in enumerate(edges)}
        around = [sorted({number[side] for side in walk}) for walk in walks]
        clues: Any = [None] * len(faces) if record.get("clues") in (None, []) else record["clues"]
        fit = isinstance(clues, list) and len(clues) == len(faces)
        need(fit, "expected a clue or null for each face")
        for face, (clue, some) in enumerate(zip(clues, around, strict=True)):
            fits = clue is None or (type(clue) is int and -1 <= clue <= len(some))
            need(fits, f"the clue of face {face} is invalid")
        self.size, self.clued = f"{len(faces)} faces", sum(clue is not None for clue in clues)
        self.essence = self.kind, self.variant, size, edges, faces, clues
        masks = (-1 if clue in (None, -1) else 1 << clue for clue in clues)
        self.model = {key: [] for key in MODEL.split()} | {
            "vertices": size,
            "edges": [*chain(*edges)],
            "sides": [0] * size,
            "degrees": [5] * size,
            "faces": [[mask, *some] for mask, some in zip(masks, around, strict=True)],
        }

    def __str__(self) -> str:
        """Return the puzzle as text; a model, or one on a board that is not square, as JSON."""
        if self.model is not None:
            return json.dumps(self.essence)
        ends = ["ends {},{} {},{}".format(*self.ends[0], *self.ends[1])] if self.ends else []
        signs = {None: "."} | {number: sign for sign, number in SIGNS.get(self.kind, {}).items()}
        lines = [f"{self.kind} {self.variant}", *ends]
        for what, values in (("", self.cells), ("regions", self.regions)):
            if not what or {*values} != {0}:
                cells = [
                    str(value) if what and value is not None else signs.get(value, str(value))
                    for value in values
                ]
                width, gap = max(map(len, cells)), " " * any(len(cell) > 1 for cell in cells)
                rows = (cells[at : at + self.cols] for at in range(0, len(cells), self.cols))
                lines += [what] * bool(what)
                lines += (gap.join(cell.rjust(width) for cell in row) for row in rows)
        return "\n".join(lines)


def point_of(corner: Any) -> Point:
    """Return a corner as two numbers."""
    fits = isinstance(corner, list) and len(corner) == 2
    fits = fits and all(type(x) in (int, float) and abs(x) < FAR for x in corner)
    need(fits, "a corner is not a pair of numbers")
    return float(corner[0]), float(corner[1])


def drawn(polygons: Any) -> tuple[int, list[list[int]]]:
    """Return the number of vertices of a drawing, and the vertices of each polygon.

    A vertex stands where the first of its corners is (docs/reference/file-formats.md).
    """
    need(isinstance(polygons, list) and polygons, "expected polygons")
    need(all(isinstance(some, list) and len(some) > 2 for some in polygons), "expected corners")
    corners = [[point_of(corner) for corner in some] for some in polygons]
    left, top = (min(axis) for axis in zip(*chain(*corners), strict=True))
    right, bottom = (max(axis) for axis in zip(*chain(*corners), strict=True))
    size = max(right - left, bottom - top)
    need(size * FAR > 1, "the board is too small")
    points: list[Point] = []
    # Squares of twice the distance NEAR: what is near is in one of nine.
    squares: dict[Cell, list[int]] = {}

    def vertex(x: float, y: float) -> int:
        here = floor((x - left) / (2 * size * NEAR)), floor((y - top) / (2 * size * NEAR))
        for at in product(*((k - 1, k, k + 1) for k in here)):
            for v in squares.get(at, ()):
                apart = max(abs(x - points[v][0]), abs(y - points[v][1]))
                if apart <= size * SAME:
                    return v
                close = f"the corners {points[v]} and {(x, y)} are nearly the same"
                need(apart > size * NEAR, close)
        squares.setdefault(here, []).append(len(points))
        points.append((x, y))
        return len(points) - 1

    faces = [list(starmap(vertex, some)) for some in corners]
    need(all(len({*face}) == len(face) for face in faces), "a polygon has a corner twice")
    check_drawing(points, faces)
    return len(points), faces


def check_drawing(points: list[Point], faces: list[list[int]]) -> None:
    """Check that polygons meet only at corners and whole sides of both, and hang together."""

    def turn(a: int, b: int, c: int) -> int:
        """Return on which side of the line from a to b the point c is; 0 is on it."""
        x, y, far_x, far_y = (
            points[v][axis] - points[a][axis] for v, axis in product((b, c), (0, 1))
        )
        cross = x * far_y - y * far_x
        flat = abs(cross) <= FLAT * (hypot(x, y) * hypot(far_x, far_y))
        return 0 if flat else 1 if cross > 0 else -1

    def meet(a: int, b: int, c: int, d: int) -> bool:
        """Return whether sides ab and cd share more than an end of both."""
        if shared := {a, b} & {c, d}:
            (v,) = shared
            (x, y), (ax, ay), (bx, by) = (points[end] for end in (v, a + b - v, c + d - v))
            along = (ax - x) * (bx - x) + (ay - y) * (by - y)
            return along > 0 and turn(v, a + b - v, c + d - v) == 0
        ends = turn(a, b, c) * turn(a, b, d), turn(c, d, a) * turn(c, d, b)
        # Bounding boxes meet, which is enough for sides on one line.
        return max(ends) <= 0

    near: list[set[int]] = [set() for _ in points]
    for face in faces:
        for v, w in pairwise([*face, face[0]]):
            near[v].add(w)
            near[w].add(v)
    # A line sweeps from left to right over the bounding boxes of sides.
    boxes = []
    for v, w in ((v, w) for v, others in enumerate(near) for w in others if v < w):
        (x, far_x), (y, far_y) = map(sorted, zip(points[v], points[w], strict=True))
        boxes.append((x, far_x, y, far_y, v, w))
    beside: list[tuple[float, float, float, float, int, int]] = []
    compared = 0
    for box in sorted(boxes):
        beside = [other for other in beside if other[1] >= box[0]]
        compared += len(beside)
        need(compared <= MOST_COMPARED, "too many sides are above each other")
        for _, _, upper, lower, v, w in beside:
            if lower >= box[2] and upper <= box[3]:
                # This takes about as long as thirty comparisons of boxes.
                compared += 30
                need(not meet(v, w, *box[4:]), "sides meet elsewhere than at a corner of both")
        beside.append(box)
    seen, waiting = {faces[0][0]}, [faces[0][0]]
    while waiting:
        waiting += (fresh := near[waiting.pop()] - seen)
        seen |= fresh
    need(len(seen) == len(points), "the polygons do not hang together")
    # Nothing is inside of a polygon: at each corner, its two sides follow each other.
    after: dict[Cell, int] = {}
    for v, (x, y) in enumerate(points):
        ring = sorted(near[v], key=lambda w, x=x, y=y: atan2(points[w][1] - y, points[w][0] - x))  # type: ignore[misc]
        after |= {(w, v): ring[at - 1] for at, w in enumerate(ring)}
    used: set[Cell] = set()
    for face in faces:
        (x, y), *_ = at = [points[v] for v in face]
        area = sum((a - x) * (d - y) - (c - x) * (b - y) for (a, b), (c, d) in pairwise(at))
        walk = face if area > 0 else face[::-1]
        steps = [*pairwise([*walk, *walk[:2]])]
        follow = all(after[one] == other[1] for one, other in pairwise(steps))
        need(follow and used.isdisjoint(steps), "a polygon overlaps another")
        used.update(steps)


def is_clue(kind: str, cell: Any) -> bool:
    """Return whether a cell of a kind may have this clue."""
    known = CELLS[kind]
    if isinstance(known, str):
        return isinstance(cell, str) and re.fullmatch(known, cell) is not None
    # A Geradeweg counts from 1, and writes -1 for a number that is not known.
    return type(cell) is int and cell in known and (kind, cell) != ("geradeweg", 0)


def read_puzzle(argument: str) -> Puzzle:
    """Read a puzzle from a URL of puzz.link, or from a file with one puzzle, as text or JSON."""
    if "://" in argument:
        data = argument.encode()
    else:
        with Path(argument).open("rb") as file:
            data = file.read(MOST_HEADER + 1)
    need(len(data) <= MOST_HEADER, "the file is too long")
    text = data.decode("utf-8-sig").replace("\r\n", "\n").replace("\xa0", " ")
    lines = text.split("\n")
    refuse_odd(CONTROL, enumerate(lines))
    full = [at for at, line in enumerate(lines) if not re.fullmatch("[ \t]*(#.*)?", line)]
    need(full, "there is no puzzle in it")
    need(len(full) <= 2 * MOST_CELLS, "the board is too large, or there are too many lines")
    first, lines = full[0], lines[: full[-1] + 1]
    for at, line in enumerate(lines[:first]):
        said = COMMENT.fullmatch(line)
        need(not said or said[1].strip().lower() not in WORDS, f"line {at + 1}: a variant")
    if lines[first].lstrip(" \t").startswith("{"):
        return puzzle_of_json("\n" * first + "\n".join(lines[first:]))
    need(all(line.strip(" \t") for line in lines[first:]), "more follows after an empty line")
    if "://" in (url := lines[first].partition("#")[0]):
        need(len(full) == 1, "more follows after a URL")
        return puzzle_of_url(first, url)
    (_, header), *rows = ((at, lines[at].partition("#")[0]) for at in full)
    kind, variant, *more = [*re.findall("[^ \t]+", header.lower()), "", ""]
    need(kind in CELLS and not any(more), f"line {first + 1}: expected a kind like 'slitherlink'")
    record: dict[str, Any] = {"kind": kind, "variant": variant or VARIANTS[kind][0]}
    if rows and (found := ENDS.fullmatch(rows[0][1])):
        ends = [*map(int, found.groups())]
        record["ends"] = [ends[:2], ends[2:]]
        del rows[0]
    sizes = rows and SIZES.fullmatch(rows[0][1])
    need(not sizes, "the first row may be numbers of rows and columns: write the puzzle as JSON")
    refuse_odd(re.compile("[^\t -~]"), rows)
    words = [re.findall("[^ \t]+", row.lower()) for _, row in rows]
    for (at, _), (first, *_) in zip(rows, words, strict=True):
        fits = first not in LISTS.split() or (first == "regions" and kind in REGIONS)
        need(fits, f"line {at + 1}: the list {first!r} is not read here")
    if kind in REGIONS and ["regions"] in words:
        start = words.index(["regions"])
        need([line[0] for line in words].count("regions") == 1, "there are two lists of regions")
        names = (words_of(row) for _, row in rows[start + 1 :])
        record["regions"], rows = [[*row] for row in names], rows[:start]
    return Puzzle(record | {"grid": [cells_of(row, kind, f"line {at + 1}") for at, row in rows]})


def refuse_odd(pattern: re.Pattern[str], lines: Iterable[tuple[int, str]]) -> None:
    for at, line in lines:
        if odd := pattern.search(line):
            place = f"line {at + 1}, column {odd.start() + 1}"
            raise Refused(f"{place}: the character {odd[0]!a} is not allowed")


def puzzle_of_json(text: str) -> Puzzle:
    record: Any = {key: value for key, value in parsed(text).items() if value is not None}
    name, kind, grid = map(record.get, ("name", "kind", "grid"))
    need(name is None or isinstance(name, str), "the name is not text")
    need(isinstance(kind, str) and kind in VARIANTS, "unknown kind or variant")
    for key in record.keys() - {"kind", "variant", "name", "author", "id"}:
        word = record[key].strip().lower() if isinstance(record[key], str) else ""
        need(word not in WORDS, f"a variant is not under 'variant', but under {key[:20]!a}")
    if kind == "model":
        return Puzzle(record)
    usual = VARIANTS[kind][kind == "slitherlink" and bool(record.get("ends"))]
    record = {"variant": usual} | record
    if "board" in record and (isinstance(record["board"], dict) or grid is None):
        record.pop("name", None)
        return Puzzle(record)
    # Beside a grid, other programs may use this key for something else.
    record.pop("board", None)
    if isinstance(grid, str):
        grid = grid.rstrip("\n").split("\n")
    if isinstance(grid, list) and all(isinstance(row, str) for row in grid):
        grid = [cells_of(row, kind, f"row {at} of the grid") for at, row in enumerate(grid, 1)]
    puzzle = Puzzle(record | {"grid": grid})
    for key, size in (("rows", puzzle.rows), ("cols", puzzle.cols)):
        need(repr(record.get(key)) in ("None", str(size)), f"the grid has {size} {key}")
    return puzzle


def words_of(row: str) -> list[str]:
    """Return the cells of a row as text: separated by spaces, or a character each."""
    cells = re.findall("[^ \t]+", row)
    return cells if len(cells) > 1 else [*"".join(cells)]


def cells_of(row: str, kind: str, where: str) -> list[Any]:
    """Return the clues of a row."""
    known = {".": None, "-": None} | SIGNS.get(kind, {})
    words = isinstance(CELLS[kind], str)
    for at, cell in enumerate(cells := words_of(row), start=1):
        fits = cell in known or words or re.fullmatch("[0-9]{1,18}", cell)
        need(fits, f"{where}, cell {at}: {cell[:20]!a} is not a cell")
    return [known[cell] if cell in known else cell if words else int(cell) for cell in cells]


def puzzle_of_url(at: int, url: str) -> Puzzle:
    """Return the puzzle of a URL as pzpr writes it: .../p?name/columns/rows/body."""
    refuse_odd(re.compile("[^\t -~]"), [(at, url)])
    found = URL.fullmatch(url.strip(" \t"))
    name, cols, rows, body = found.groups("") if found else [""] * 4
    kind = {"slither": "slitherlink", "numlin": "numberlink"}.get(name, name)
    need(kind in CODES, "the URL is of another kind, or has no size")
    width, size = int(cols), int(cols) * int(rows)
    need(0 < size <= MOST_CELLS, "the board is too large, or has no cells")
    if kind == "simpleloop" and not body:
        body = "0" * -(-size // 5)
    cells: list[int | None] = []
    for code in re.findall(f"{CODES[kind]}|.", body):
        need(re.fullmatch(CODES[kind], code), "the URL has codes that this program does not know")
        value = -1 if code == "." else int(code.lstrip("-+"), 16 if len(code) > 1 else 36)
        run = (value - 15) * (kind != "simpleloop" and len(code) == 1)
        need(len(cells) + max(run, 1) <= size, "the URL has more cells than its size")
        if kind == "simpleloop":
            cells += [0 if value >> bit & 1 else None for bit in (4, 3, 2, 1, 0)]
        elif run > 0:
            cells += [None] * run
        elif kind == "slitherlink" and value >= 0:
            cells += [value % 5] + [None] * (value // 5)
        else:
            cells.append(value if value >= 0 or kind == "slitherlink" else None)
    # The last code may stand for more empty cells than the board has.
    fits = len(cells) >= size and {*cells[size:]} <= {None}
    need(fits, "the URL has fewer cells than its size")
    grid = [cells[start : start + width] for start in range(0, size, width)]
    return Puzzle({"kind": kind, "variant": VARIANTS[kind][0], "grid": grid})


#: A literal that is never true: a line, or a visited cell, that is not on the board.
NEVER = 10**9
STEPS = {"n": (-1, 0), "e": (0, 1), "s": (1, 0), "w": (0, -1)}
STRAIGHT, TURNS = [("n", "s"), ("e", "w")], [("n", "e"), ("e", "s"), ("s", "w"), ("w", "n")]


def ahead(cell: Cell, way: str) -> Cell:
    return cell[0] + STEPS[way][0], cell[1] + STEPS[way][1]


class Loop:
    """One loop through cells: literals for lines and for visited cells, and counts of them.

    A kind states its rules by counts, each of which holds for every solution. Cells in ``closed``
    have no line, and those in ``always`` have two.
    """

    def __init__(self, board: "Board", puzzle: Puzzle, avoids: bool) -> None:
        self.board, self.rows, self.cols = board, puzzle.rows, puzzle.cols
        self.variant = puzzle.variant
        self.cells = [divmod(place, self.cols) for place in range(len(puzzle.cells))]
        self.region = dict(zip(self.cells, puzzle.regions, strict=True))
        both = zip(self.cells, puzzle.cells, strict=True)
        self.clues: list[tuple[Cell, Any]] = [(at, clue) for at, clue in both if clue is not None]
        self.closed = {cell for cell in self.cells if self.region[cell] is None}
        self.closed |= {cell for cell, _ in self.clues if avoids}
        self.always: set[Cell] = set()
        self.members: dict[int | None, list[Cell]] = {}
        for cell, region in self.region.items():
            self.members.setdefault(region, []).append(cell)
        self.steps = 0
        self.counts: list[tuple[list[int], Collection[int]]] = []

    def on(self, cell: Cell) -> bool:
        return cell in self.region

    def line(self, cell: Cell, way: str) -> int:
        beyond = ahead(cell, way)
        if not (self.on(cell) and self.on(beyond)):
            return NEVER
        return self.board.line(*(row * self.cols + col for row, col in (cell, beyond)))

    def visited(self, cell: Cell) -> int:
        if not self.on(cell):
            return NEVER
        return len(self.board.edges) + 1 + cell[0] * self.cols + cell[1]

    def count(self, literals: Iterable[int], allowed: Iterable[int]) -> None:
        """State that an allowed number of the literals is true."""
        known = [*literals]
        # Each takes about as long as four steps of a proof.
        self.steps += len(known) + 8
        need(4 * self.steps <= MOST_LITERALS, "its clues say too much")
        sure = known.count(-NEVER)
        there = [literal for literal in known if abs(literal) != NEVER]
        self.counts.append((there, {number - sure for number in allowed if number >= sure}))

    def clause(self, *literals: int) -> None:
        """State that one of the literals is true."""
        if -NEVER not in literals:
            self.steps += len(literals) + 8
            need(4 * self.steps <= MOST_LITERALS, "its clues say too much")
            there = [literal for literal in literals if literal != NEVER]
            self.counts.append((there, range(1, len(there) + 1)))

    def row(self, cell: Cell, way: str) -> list[Cell]:
        """Return the cells after one, up to the border."""
        cells = []
        while self.on(cell := ahead(cell, way)):
            cells.append(cell)
        return cells

    def around(self, cell: Cell) -> list[Cell]:
        """Return the cells of the region of a number."""
        need(self.region[cell] is not None, "a number is outside all regions")
        return self.members[self.region[cell]]

    def borders(self) -> Iterator[tuple[Cell, str, Cell]]:
        """Yield two cells on both sides of a border, and the way from the first to the second."""
        for cell in self.cells:
            for way in "es":
                beyond = ahead(cell, way)
                if self.on(beyond) and self.region[beyond] != self.region[cell]:
                    yield cell, way, beyond

    def enter(self, times: int) -> None:
        """State how often the loop enters each of several regions."""
        crossed: dict[int | None, list[int]] = {region: [] for region in self.members}
        for cell, way, beyond in self.borders():
            for one in (cell, beyond):
                crossed[self.region[one]].append(self.line(cell, way))
        crossed.pop(None, None)
        skipped = {0} if self.variant == "skip" else set[int]()
        for lines in crossed.values() if times > 1 or len(crossed) > 1 else ():
            self.count(lines, {2 * times} | skipped)

    def shade(self) -> None:
        """State that of two neighbours that are not closed, one is visited."""
        for cell in self.cells:
            for beyond in (ahead(cell, "e"), ahead(cell, "s")):
                if self.on(beyond) and not {cell, beyond} & self.closed:
                    self.clause(self.visited(cell), self.visited(beyond))

    def count_shaded(self, cells: Iterable[Cell], number: int) -> None:
        """State the number of cells that are neither visited nor closed."""
        may_be = [cell for cell in cells if self.on(cell) and cell not in self.closed]
        self.count((-self.visited(cell) for cell in may_be), {number})

    def arms(self, right: Callable[[Any, bool, int, int], Iterable[int]]) -> None:
        """State that clues are visited, and the lengths of any two lines that leave a clue.

        ``right`` takes the clue, whether both make one line, the length of the first, and the most
        of the second; it returns the lengths that the second may have then, in rising order.
        """
        self.always.update(cell for cell, _ in self.clues)
        # The negations of the lines of each row, and of each column.
        rows, cols = range(self.rows), range(self.cols)
        across = [[-self.line((row, col), "e") for col in cols[:-1]] for row in rows]
        down = [[-self.line((row, col), "s") for row in rows[:-1]] for col in cols]
        for (row, col), clue in self.clues:
            arms = {"n": down[col][:row][::-1], "s": down[col][row:]}
            arms |= {"w": across[row][:col][::-1], "e": across[row][col:]}
            for one, other in STRAIGHT + TURNS:
                first, second = arms[one], arms[other]
                most = len(second)
                fits = [
                    [*right(clue, (one, other) in STRAIGHT, size, most)] * (most > 0)
                    for size in range(1, len(first) + 1)
                ]
                # Where no length from one on is right, all of these are excluded at once.
                while fits and not fits[-1]:
                    del fits[-1]
                for size, lengths in enumerate(fits, start=1):
                    self.second_arm(
                        [*first[:size], *map(neg, first[size : size + 1])], second, lengths
                    )
                if second and len(fits) < len(first):
                    self.clause(*first[: len(fits) + 1], second[0])

    def second_arm(self, unless: list[int], arm: list[int], lengths: list[int]) -> None:
        """State which lengths an arm has, if any line, and unless one of some literals holds."""
        shorter = 0
        for length in lengths:
            # If it is longer than those before, it has this length at least.
            for line in arm[shorter + 1 : length]:
                self.clause(*unless, *arm[: shorter + 1], -line)
            shorter = length
        if shorter < len(arm):
            self.clause(*unless, *arm[: shorter + 1])


def masyu(at: Loop) -> None:
    for cell, pearl in at.clues:
        at.always.add(cell)
        for one, other in STRAIGHT:
            a, b = at.line(cell, one), at.line(cell, other)
            after, before = at.line(ahead(cell, one), one), at.line(ahead(cell, other), other)
            if pearl == "b":
                at.count([a, b], {1})
                at.clause(-a, after)
                at.clause(-b, before)
            elif pearl == "w":
                at.count([a, b], {0, 2})
                at.clause(-a, -after, -before)
            else:
                at.clause(-a, -b, -after, -before)
                at.clause(-a, b, after)
                at.clause(a, -b, before)


def yajilin(at: Loop) -> None:
    at.shade()
    for cell, word in at.clues:
        if word[:-1]:
            at.count_shaded(at.row(cell, word[-1]), int(word[:-1]))


def koburin(at: Loop) -> None:
    at.shade()
    for cell, number in at.clues:
        if number >= 0:
            sides = [ahead(cell, way) for way in STEPS]
            at.count_shaded(eight(cell) if at.variant == "eight" else sides, number)


def regional_yajilin(at: Loop) -> None:
    at.shade()
    for cell, number in at.clues:
        if number >= 0:
            at.count_shaded(at.around(cell), number)


def country_road(at: Loop) -> None:
    at.enter(1)
    for cell, _, beyond in at.borders():
        if not {cell, beyond} & at.closed:
            at.clause(at.visited(cell), at.visited(beyond))
    for cell, number in at.clues:
        if number >= 0:
            at.count(map(at.visited, at.around(cell)), {number})


def eight(cell: Cell) -> list[Cell]:
    """Return the cells around one, on the board or off it."""
    row, col = cell
    return [(row + a, col + b) for a in (-1, 0, 1) for b in (-1, 0, 1) if a or b]


def linesweeper(at: Loop) -> None:
    for cell, number in at.clues:
        at.count(map(at.visited, eight(cell)), {number})


def castle_wall(at: Loop) -> None:
    for cell, word in at.clues:
        if len(number := word.rstrip("ox?")) > 1:
            lines = (at.line(one, number[-1]) for one in at.row(cell, number[-1]))
            at.count(lines, {int(number[:-1])})
        if word[-1] in "ox":
            # A ray up, a little to the right of the cell, leaves the loop as often as it enters.
            crossed = [at.line(above, "e") for above in at.row(cell, "n")]
            at.count(crossed, range(word[-1] == "o", len(crossed) + 1, 2))


def dotchi_loop(at: Loop) -> None:
    at.closed |= {cell for cell, circle in at.clues if circle == "b"}
    white = [cell for cell, circle in at.clues if circle == "w"]
    at.always.update(white)
    circles = {*white}
    for some in at.members.values():
        for pair in pairwise(cell for cell in some if cell in circles):
            for (one, other), axis, turn in product((pair, pair[::-1]), STRAIGHT, TURNS):
                lines = [at.line(one, way) for way in axis] + [at.line(other, way) for way in turn]
                at.clause(*map(neg, lines))


def geradeweg(number: int, straight: bool, i: int, most: int) -> Iterable[int]:
    if number == -1:
        return within([i], most) if not straight else range(1, most + 1)
    return within([number - i] if straight else [i] * (i == number), most)


def shingoki(circle: str, straight: bool, i: int, most: int) -> Iterable[int]:
    if circle[0] != "?" and straight != (circle[0] == "w"):
        return ()
    return within([int(circle[1:]) - i], most) if circle[1:] else range(1, most + 1)


def balance_loop(circle: str, _: bool, i: int, most: int) -> Iterable[int]:
    lengths = within([int(circle[1:]) - i], most) if circle[1:] else range(1, most + 1)
    return (j for j in lengths if (i == j) == (circle[0] == "w"))


def within(lengths: list[int], most: int) -> Collection[int]:
    return [length for length in lengths if 0 < length <= most]


#: For each kind of one loop through cells: whether the loop avoids clues, whether it visits every
#: other cell, and a function that states the other rules.
LOOPS: dict[str, tuple[bool, bool, Callable[[Loop], None]]] = {
    "simpleloop": (True, True, lambda _: None),
    "masyu": (False, False, masyu),
    "yajilin": (True, False, yajilin),
    "koburin": (True, False, koburin),
    "regionalyajilin": (False, False, regional_yajilin),
    "countryroad": (False, False, country_road),
    "linesweeper": (True, False, linesweeper),
    "entryexit": (False, True, lambda at: at.enter(1)),
    "doubleback": (True, True, lambda at: at.enter(2)),
    "castlewall": (True, False, castle_wall),
    "dotchiloop": (False, False, dotchi_loop),
    "geradeweg": (False, False, lambda at: at.arms(geradeweg)),
    "shingoki": (False, False, lambda at: at.arms(shingoki)),
    "balanceloop": (False, False, lambda at: at.arms(balance_loop)),
}


class Board:
    """Vertices and edges, and the allowed numbers of lines at vertices and around clues.

    The variable of edge e is e + 1, true if it is a line. A literal -x is "not x".
    """

    def __init__(self, puzzle: Puzzle, taut: bool = False) -> None:
        # Free: one path, which ends anywhere.
        self.loop, self.free = puzzle.variant == "loop" or puzzle.kind in LOOPS, False
        #: See `LONG`; the rules of a lattice are short.
        self.long = LONG[0]
        #: Of a model: literals, with the allowed numbers of true ones; and all their variables.
        self.counts: list[tuple[list[int], Collection[int]]] = []
        self.named: set[int] = set()
        #: Of a model: vertices, with the sets of their edges that may be the lines there.
        self.shapes: list[tuple[int, Collection[frozenset[int]]]] = []
        lay_out = self.lay_out_squares if puzzle.model is None else self.lay_out_model
        #: The pairs of vertices that paths join, the allowed numbers of lines at each vertex, and 1
        #: and -1 for the colours of a checkerboard.
        self.pairs, self.degrees, self.sides, clues = lay_out(puzzle, taut)
        self.mate = {one: sum(pair) - one for pair in self.pairs for one in pair}
        for vertex in self.mate:
            self.degrees[vertex] = {1}
        #: The rules of each vertex, then those of each clue.
        self.rules: list[Rule] = [*zip(self.around, self.degrees, repeat(None)), *clues]
        #: New variables, each taken once: a board states its axioms once.
        self.names = count(max(len(self.edges), *self.named, 0) + 1)

    def join(self, edges: Iterable[tuple[int, int]], size: int) -> None:
        self.edges = list(edges)
        self.around: list[list[int]] = [[] for _ in range(size)]
        for edge, (v, w) in enumerate(self.edges):
            self.around[v].append(edge)
            self.around[w].append(edge)

    def lay_out_squares(self, puzzle: Puzzle, taut: bool) -> tuple[Any, ...]:
        """Lay out a lattice. Lines of a Slitherlink run between dots, others between cells.

        Edges are numbered by their first vertex in reading order, the one to the right before the
        one down.
        """
        dots = puzzle.kind == "slitherlink"
        self.rows, self.cols = rows, cols = puzzle.rows + dots, puzzle.cols + dots
        size, edges = rows * cols, []
        for v in range(size):
            edges += [(v, v + 1)] * ((v + 1) % cols > 0) + [(v, v + cols)] * (v + cols < size)
        self.join(edges, size)
        self.edge_of = {ends: edge for edge, ends in enumerate(edges)}
        pairs = [tuple(row * cols + col for row, col in puzzle.ends)] * bool(puzzle.ends)
        if puzzle.kind == "numberlink":
            pairs = [tuple(pair) for _, pair in sorted(puzzle.places.items())]
            need(pairs, "there are no numbers to join")
        degrees = [{2} if puzzle.variant == "fill" and not taut else {0, 2}] * size
        if puzzle.kind in LOOPS:
            degrees = self.lay_out_loop(puzzle)
        corners = (v for v in range(size) if dots and (v + 1) % cols)
        clued = zip(corners, enumerate(puzzle.cells), strict=False)
        clues = [(self.square(v), {clue}, cell) for v, (cell, clue) in clued if clue in range(5)]
        return pairs, degrees, [(-1) ** sum(divmod(v, cols)) for v in range(size)], clues

    def lay_out_loop(self, puzzle: Puzzle) -> list[set[int]]:
        """Return the allowed numbers of lines at each cell; state the other rules of the kind."""
        avoids, every, state = LOOPS[puzzle.kind]
        loop = Loop(self, puzzle, avoids)
        state(loop)
        self.counts = loop.counts
        self.named = {abs(x) for literals, _ in self.counts for x in literals}
        self.choose_long(self.counts)
        usual = {2} if every or puzzle.variant == "fill" else {0, 2}
        may = ({0} if cell in loop.closed else usual for cell in loop.cells)
        return [
            some & ({2} if at in loop.always else some)
            for some, at in zip(may, loop.cells, strict=True)
        ]

    def lay_out_model(self, puzzle: Puzzle, _: bool) -> tuple[Any, ...]:
        """Lay out any board; ``ValueError`` for too few or too many numbers in a list."""
        record = puzzle.model or {}
        need(record.keys() == {*MODEL.split()}, "a model has other members")
        ((size,),) = lists(0, 2 * MOST_CELLS, [record["vertices"]])
        two = (iter(some) for some in lists(0, size - 1, record["edges"], record["pairs"]))
        edges, pairs = (list(zip(some, some, strict=True)) for some in two)
        need(len(edges) <= 4 * MOST_CELLS and all(v < w for v, w in edges), "its edges are wrong")
        self.join(edges, size)
        ends = {vertex for pair in pairs for vertex in pair}
        need(len(ends) == 2 * len(pairs) and not (self.loop and ends), "its pairs are wrong")
        (sides,), (masks,) = lists(-1, 1, record["sides"]), lists(1, 6, record["degrees"])
        need(all(sides[v] == -sides[w] for v, w in edges), "its sides are wrong")
        self.free = not (self.loop or ends) and any(mask & 2 for mask in masks)
        fit = self.free or [m == 2 for m in masks] == [v in ends for v in range(size)]
        fit &= {*masks}.isdisjoint({3, 5} if self.free else {6})
        need(fit and len(sides) == len(masks) == size, "its vertices are wrong")
        degrees = [masked(mask, 0, 0)[1] for mask in masks]
        last, top, work = len(edges) - 1, len(edges) + size, 0
        listed = map(record.get, ("shapes", "clauses", "counts", "faces"))
        need(all(isinstance(value, list) for value in listed), "its constraints are not lists")
        given, forbidden = lists(0, last, record["given"], record["forbidden"])
        clauses = [[edge + 1] for edge in given] + [[-1 - edge] for edge in forbidden]
        for vertex, *sets in lists(-1, max(last, size), *record["shapes"]):
            ring, two = self.around[vertex], iter(sets)
            work += len(ring) ** 2
            need(vertex >= 0 and work <= MOST_VARIABLES, "its shapes are wrong or too large")
            # Twice -1 is no line. A set does not count if the vertex cannot have all its lines.
            own = {*ring}
            named = ({*some} for some in zip(two, two, strict=True))
            sets_here = (some & own for some in named if some == {-1} or some <= own)
            allowed = {frozenset(some) for some in sets_here if len(some) in degrees[vertex]}
            self.shapes.append((vertex, allowed))
            clauses += shape_clauses(ring, degrees[vertex], allowed)
        clauses += lists(-MOST_VARIABLES, MOST_VARIABLES, *record["clauses"])
        rows = [*record["counts"], *record["faces"]]
        need(all(isinstance(row, list) and row for row in rows), "a count or a face is not a list")
        self.counts = [masked(*count) for count in record["counts"]]
        lists(-top, top, *(literals for literals, _ in self.counts))
        self.counts += ((clause, range(1, len(clause) + 1)) for clause in clauses)
        self.named = {abs(x) for literals, _ in self.counts for x in literals}
        need(0 not in self.named, "0 is not a literal")
        faces = [masked(*face) for face in record["faces"]]
        lists(0, last, *(edges for edges, _ in faces))
        rules = [*zip(self.around, degrees, strict=True), *faces, *self.counts]
        self.choose_long(rules)
        return pairs, degrees, sides, [(*face, number) for number, face in enumerate(faces)]

    def choose_long(self, rules: list[tuple[list[int], Collection[int]]]) -> None:
        """Choose which counts have new variables."""
        self.long = next((long for long in LONG if fit(rules, long)), 0)
        need(self.long, "its counts take too many clauses")

    def line(self, one: int, other: int) -> int:
        return self.edge_of[min(one, other), max(one, other)] + 1

    def square(self, v: int) -> list[int]:
        w = v + self.cols
        return [self.edge_of[ends] for ends in ((v, v + 1), (v, w), (v + 1, w + 1), (w, w + 1))]

    def beyond(self, edge: int, vertex: int) -> int:
        return self.edges[edge][self.edges[edge][0] == vertex]

    def check_solution(self, edges: Any, name: str, more: Any = ()) -> dict[int, int]:
        """Check the edges and true auxiliary variables of a solution; return each vertex's path."""
        need(are_integers(edges) and (edges or not self.loop), f"{name} is not a list of edges")
        need(all(a < b for a, b in pairwise([-1, *edges, len(self.edges)])), f"{name}: wrong edges")
        chosen = set(edges)
        for index, (around, allowed, cell) in enumerate(self.rules):
            lines = sum(map(chosen.__contains__, around))
            if lines not in allowed:
                where = f"at vertex {index}" if cell is None else f"around cell {cell}"
                raise Refused(f"{name}: {lines} lines {where}")
        for vertex, listed in self.shapes:
            lines_there = frozenset(chosen.intersection(self.around[vertex]))
            need(lines_there in listed, f"{name}: no shape of vertex {vertex} has its lines")
        path_of: dict[int, int] = {}
        ends = [v for v, around in enumerate(self.around) if len(chosen.intersection(around)) == 1]
        free = [(*ends, 0, 0)[:2]] * self.free
        ways = [(self.edges[edges[0]][0],) * 2] if self.loop else self.pairs + free
        for number, (start, goal) in enumerate(ways):
            here, last = start, -1
            while here not in path_of:
                path_of[here] = number
                onward = [edge for edge in self.around[here] if edge in chosen and edge != last]
                if onward:
                    last = onward[0]
                    here = self.beyond(last, here)
            need(here == goal, f"{name}: the line from vertex {start} ends elsewhere")
        need(len(path_of) - len(self.pairs + free) == len(edges), f"{name}: lines are left over")
        visited = {len(self.edges) + 1 + vertex for vertex in path_of}
        true = visited.union((edge + 1 for edge in edges), more)
        for index, (literals, allowed) in enumerate(self.counts):
            number = sum((x > 0) == (abs(x) in true) for x in literals)
            need(number in allowed, f"{name}: {number} literals of constraint {index} are true")
        return path_of

    def check_taut(self, path_of: dict[int, int], edges: list[int], name: str) -> None:
        """Check that no path of a solution can be rerouted: it has no chord and no detour."""
        chosen = set(edges)
        for edge, (v, w) in enumerate(self.edges):
            same = v in path_of and path_of[v] == path_of.get(w)
            need(edge in chosen or not same, f"{name}: a path has a chord at vertex {v}")
        seen = set(path_of)
        for start in range(len(self.around)):
            region = [] if start in seen else [start]
            seen.add(start)
            touched: dict[int, int] = {}
            for vertex in region:
                for beside in (self.beyond(edge, vertex) for edge in self.around[vertex]):
                    if beside in path_of:
                        same = touched.setdefault(path_of[beside], beside) == beside
                        need(same, f"{name}: there is a detour at vertex {vertex}")
                    elif beside not in seen:
                        seen.add(beside)
                        region.append(beside)

    def axioms(self, solutions: list[list[int]], taut: bool) -> Iterator[tuple[Clause, int | None]]:
        """Yield the axioms of the puzzle in order, each with the cell of its clue, if any."""
        for edges, allowed, cell in self.rules:
            yield from zip(self.saying([e + 1 for e in edges], allowed), repeat(cell), strict=False)
        yield from zip(self.stated(), repeat(None), strict=False)
        if self.loop:
            yield tuple(range(1, len(self.edges) + 1)), None
        yield from ((tuple(-1 - edge for edge in solution), None) for solution in solutions)
        # Each line has one end of each colour of a checkerboard, so both colours have equally many.
        both = zip(self.sides, self.degrees, strict=True)
        # Rules that contradict each other leave no number.
        ends = [(side * max(may, default=0), len(may)) for side, may in both if side]
        if sum(end for end, _ in ends) and all(number == 1 for _, number in ends):
            yield (), None
        if len(self.pairs) > 1 or taut:
            yield from zip(self.colours(), repeat(None), strict=False)
        if taut:
            yield from zip(self.taut_axioms(), repeat(None), strict=False)

    def saying(self, literals: list[int], allowed: Collection[int]) -> Iterator[Clause]:
        """Return clauses that say that the number of true literals is allowed."""
        if is_long(literals, allowed, self.long):
            return diagram(literals, allowed, self.names)
        return counted(literals, allowed)

    def stated(self) -> Iterator[Clause]:
        """Yield the other constraints of a model, without clauses that always hold."""
        for literals, allowed in self.counts:
            clauses = self.saying(literals, allowed)
            if len({*map(abs, literals)}) == len(literals):
                yield from clauses
                continue
            for clause in map(dict.fromkeys, clauses):
                if not any(-literal in clause for literal in clause):
                    yield tuple(clause)
        for visited, around in enumerate(self.around, start=len(self.edges) + 1):
            if visited in self.named:
                yield -visited, *(edge + 1 for edge in around)
                yield from ((visited, -1 - edge) for edge in around)

    def colours(self) -> Iterator[Clause]:
        """Yield clauses that give each vertex its path's number, in binary: equal along lines."""
        bits = max(1, (len(self.pairs) - 1).bit_length())
        first = next(self.names)
        starts = range(first, first + bits * len(self.around), bits)
        self.colour = [range(start, start + bits) for start in starts]
        for number, pair in enumerate(self.pairs):
            for vertex in pair:
                for bit, variable in enumerate(self.colour[vertex]):
                    yield (variable if number >> bit & 1 else -variable,)
        for edge, (v, w) in enumerate(self.edges):
            for one, other in zip(self.colour[v], self.colour[w], strict=True):
                yield -1 - edge, -one, other
                yield -1 - edge, one, -other

    def taut_axioms(self) -> Iterator[Clause]:
        """Yield clauses that taut solutions satisfy (docs/explanation/taut.md)."""
        rows, cols, line = self.rows, self.cols, self.line
        bits, used = len(self.colour[0]), self.colour[-1].stop
        for vertex, around in enumerate(self.around):
            yield -used - vertex, *(edge + 1 for edge in around)
        for edge, (v, w) in enumerate(self.edges):
            yield -1 - edge, used + v
            yield -1 - edge, used + w
            first = used + len(self.around) + edge * bits
            differ = range(first, first + bits)
            for one, other, name in zip(self.colour[v], self.colour[w], differ, strict=True):
                yield -name, one, other
                yield -name, -one, -other
            yield edge + 1, -used - v, -used - w, *differ
        for v in range((rows - 1) * cols):
            if (v + 1) % cols:
                yield from (tuple(-1 - e for e in some) for some in combinations(self.square(v), 3))
        for side in (-1, 1):
            hangs = set()
            for v in reversed(range((rows - 1) * cols)):
                w, beyond = v + cols, v + cols + side
                if not 0 <= v % cols + side < cols or v in self.mate:
                    continue
                corner = -line(v, w), -line(v, v + side)
                if beyond in self.mate:
                    hung = -line(v + side, beyond), -line(w, beyond)
                elif beyond in hangs:
                    hung = line(beyond, beyond + cols), line(beyond, beyond + side)
                else:
                    yield corner
                    continue
                hangs.add(v)
                yield from ((*corner, literal) for literal in hung)
        for left in range(cols, rows * cols):
            for width in range(2, min(9, cols - left % cols)):
                heights = range(1, min(left // cols, width // 2) + 1)
                right = left + width
                above = (range(left - k * cols + k, right - k * cols - k + 1) for k in heights)
                if all(self.mate.keys().isdisjoint(cells) for cells in above):
                    run = (-line(v, v + 1) for v in range(left, right))
                    yield -line(left - cols, left), *run, -line(right - cols, right)

    def cut(self, inside: set[int], witnesses: list[int]) -> tuple[Clause, set[int | None]]:
        """Return the clause of a cut around a set X of vertices, and the cells of its clues.

        A witness shows that a line has an end in X; another, for a loop, that one has an end
        outside. It is an edge e ("if e is a line", so "not e" is in the clause), or a rule that
        requires more lines than it has edges with no end there.
        """
        clause = {e + 1 for v in inside for e in self.around[v] if self.beyond(e, v) not in inside}
        cells: set[int | None] = set()
        sides = [True, False] if self.loop or self.free else [True]
        ends = inside & self.mate.keys()
        if any(self.mate[vertex] not in inside for vertex in ends):
            sides = []  # a path must leave, and there is nothing to show
        need(not (sides and ends), "paths may stay inside")
        need(not any(witnesses[len(sides) :]), "a witness is not needed")
        for side, number in zip(sides, witnesses, strict=False):
            need(0 < number <= len(self.edges) + len(self.rules), "there is no such witness")
            need(self.requires(number, inside, side), "a witness is not on its side")
            if number <= len(self.edges):
                clause.add(-number)
            else:
                cells.add(self.rules[number - len(self.edges) - 1][2])
        return tuple(clause), cells

    def requires(self, witness: int, inside: set[int], side: bool) -> bool:
        """Return whether a witness shows that a line has an end in a set, or outside."""
        rule: Rule = ([witness - 1], {1}, None)
        if witness > len(self.edges):
            rule = self.rules[witness - len(self.edges) - 1]
        edges, allowed, _ = rule
        away = sum(all((v in inside) is not side for v in self.edges[edge]) for edge in edges)
        return away < min(allowed, default=0)


def shape_clauses(
    ring: list[int], degrees: Collection[int], listed: Collection[frozenset[int]]
) -> Iterator[list[int]]:
    """Yield clauses that hold if the lines among the edges of a vertex are a listed set.

    Where edges that are no listed set are lines, the listed set that has them all has another line.
    """
    onward: dict[frozenset[int], set[int]] = {}
    for lines in listed:
        for size in range(len(lines)):
            for some in map(frozenset, combinations(sorted(lines), size)):
                onward.setdefault(some, set()).update(lines - some)
    for chosen in chain(*(combinations(ring, size) for size in sorted(degrees))):
        if frozenset(chosen) not in listed:
            more = sorted(onward.get(frozenset(chosen), ()))
            yield [*(-1 - edge for edge in chosen), *(edge + 1 for edge in more)]


def counted(literals: list[int], allowed: Collection[int]) -> Iterator[Clause]:
    """Yield clauses that hold if and only if the number of true literals is allowed."""
    if allowed == range(1, len(literals) + 1):
        yield tuple(literals)
        return
    # If none of the numbers is possible, -1 makes the empty clause.
    may = {number for number in allowed if number <= len(literals)} or {-1}
    yield from combinations([-literal for literal in literals], max(may) + 1)
    if min(may) > 0:
        yield from combinations(literals, len(literals) - min(may) + 1)
    for number in sorted({*range(min(may), max(may))} - may):
        for some in combinations(range(len(literals)), number):
            clause = [*literals]
            for place in some:
                clause[place] *= -1
            yield tuple(clause)


def cost(literals: list[int], allowed: Collection[int]) -> int:
    """Return how many literals these have without new variables, or more: exact if few."""
    if allowed == range(1, len(literals) + 1):
        return len(literals)
    size, least, most = len(literals), min(allowed, default=0), max(allowed, default=0)
    numbers = {*range(max(least - 1, 0), min(most + 2, size + 1))}.difference(allowed)
    return sum((k if k > most else size) * comb(size, min(k, size - k, 12)) for k in numbers)


def is_long(literals: list[int], allowed: Collection[int], long: int) -> bool:
    """Return whether a count has new variables: else each literal would be in many clauses."""
    # At most 2 to the power of n clauses have n literals.
    few = len(literals) < long.bit_length()
    return not few and cost(literals, allowed) > long * len(literals)


def fit(rules: Iterable[tuple[list[int], Collection[int]]], long: int) -> bool:
    """Return whether the clauses of all rules together have few enough literals."""
    total = 0
    for literals, allowed in rules:
        nodes = (NODE * len(layer) for layer in layers(len(literals), allowed))
        for some in nodes if is_long(literals, allowed, long) else [cost(literals, allowed)]:
            total += some
            if total > FREE_STEPS:
                return False
    return True


def layers(size: int, allowed: Collection[int]) -> Iterator[list[int]]:
    """Yield for each of several literals the questions about it and those after it.

    A question is a mask: is the number of true ones a k whose bit is 1? Left out are those whose
    answer is known, since no number is allowed, or every one.
    """
    layer = [question(size, allowed)]
    for left in range(size, 0, -1):
        layer = [mask for mask in layer if 0 < mask.bit_count() <= left]
        yield layer
        layer = [*dict.fromkeys(chain(*(after(mask, left) for mask in layer)))]


def question(size: int, allowed: Collection[int]) -> int:
    return sum(1 << number for number in allowed if number <= size)


def after(mask: int, left: int) -> tuple[int, int]:
    """Return what to ask about the other literals, if the first is true, and if it is not."""
    return mask >> 1, mask - (mask >> left << left)


def diagram(
    literals: list[int], allowed: Collection[int], names: Iterator[int]
) -> Iterator[Clause]:
    """Yield clauses that hold if and only if the number of true literals is allowed.

    For each question of `layers` there is a new variable, true if the answer is yes. The first
    literal says which of two questions about the others has the same answer.
    """
    left = len(literals)
    named = ({mask: next(names) for mask in layer} for layer in layers(left, allowed))
    here, first = next(named, {}), question(left, allowed)
    yield from known(answer(first, left, here))
    for literal in literals:
        below = next(named, {})
        for mask, name in here.items():
            more, same = (answer(other, left - 1, below) for other in after(mask, left))
            yield from known(-name, -literal, more)
            yield from known(-name, literal, same)
            yield from known(name, -literal, -more)
            yield from known(name, literal, -same)
            # These follow, and say more to one who takes one clause at a time.
            yield from known(-name, more, same)
            yield from known(name, -more, -same)
        here, left = below, left - 1


def answer(mask: int, left: int, names: dict[int, int]) -> int:
    """Return the literal that says whether the number of true ones is one of the mask."""
    return names[mask] if mask in names else -NEVER if mask.bit_count() > left else NEVER


def known(*literals: int) -> Iterator[Clause]:
    """Yield a clause without what is never true, unless something in it always is."""
    if -NEVER not in literals:
        yield tuple(literal for literal in literals if literal != NEVER)


class Numbers:
    """The numbers of a proof: in base 128, the lowest digit first, all but the last plus 128."""

    def __init__(self, data: bytes) -> None:
        need(not data or data[-1] < 128, "the proof ends within a number")
        self.size, self.stream = len(data), self.read(data)
        #: The numbers left: each has one byte below 128.
        self.left = len(data.translate(None, bytes(range(128, 256))))

    def read(self, data: bytes) -> Iterator[int]:
        number = shift = 0
        for byte in data:
            if byte < 128:
                need(byte or not shift, "a number in the proof has a digit too many")
                yield number | byte << shift
                number = shift = 0
            else:
                number |= (byte & 127) << shift
                shift += 7
                need(shift < 28, "a number in the proof is too large")

    def next(self, size: int) -> Iterator[int]:
        """Return the next numbers, one at a time: a list would take too much memory."""
        need(size <= self.left, "the proof is shorter than it says")
        self.left -= size
        return islice(self.stream, size)

    def take(self, size: int) -> list[int]:
        return [*self.next(size)]

    def several(self, most: int = MOST_BYTES) -> list[int]:
        """Return a list of numbers, which begins with its length."""
        (size,) = self.take(1)
        need(size <= most, "there are too many numbers in a list")
        return self.take(size)


def unpack(data: bytes) -> tuple[dict[str, Any], bytes]:
    """Return the first line of a certificate, as JSON, and the bytes of its proof."""
    need(data[:6] == b"\xfd7zXZ\0", "not a certificate (no XZ file), or a damaged one")
    need(len(data) <= MOST_BYTES, "the file is too long")
    try:
        unpacker = lzma.LZMADecompressor(format=lzma.FORMAT_XZ, memlimit=MOST_BYTES)
        text = unpacker.decompress(data, max_length=MOST_BYTES)
        need(unpacker.eof and not unpacker.unused_data, "the file is too long, or cut short")
        size = text.find(b"\n", 0, MOST_HEADER)
        need(size >= 0, "the first line is too long, or has no end")
        header = parsed(text[:size].decode())
    except (lzma.LZMAError, EOFError, ValueError, RecursionError) as error:
        raise Refused(f"not a certificate, or a damaged one: {error}") from None
    need(isinstance(header, dict) and header.get("format") == FORMAT, "it is not a certificate")
    need(are_integers([header.get("version")]) and header["version"] == VERSION, "unknown version")
    need(header.keys() <= {*HEADER.split()}, "an unknown key")
    return header, text[size + 1 :]


def verify(data: bytes, puzzle: Puzzle | None = None) -> tuple[Puzzle, int, set[int]]:
    """Return the puzzle, its number of solutions, and the cells of clues that exclude others."""
    header, proof = unpack(data)
    try:
        own, taut = Puzzle(header.get("puzzle")), header.get("taut", False)
    except (ValueError, TypeError, OverflowError) as error:
        raise Refused(f"invalid puzzle: {error}") from None
    keys = GRID if own.model is None else FACES
    known = header.keys().isdisjoint({"auxiliary"}) and header["puzzle"].keys() <= {*keys.split()}
    need(known or own.kind == "model", "an unknown key")
    need(puzzle is None or own.essence == puzzle.essence, "it is of another puzzle")
    need(type(taut) is bool and (not taut or own.kind == "numberlink"), "taut is for Numberlinks")
    try:
        board = Board(own, taut)
    except (ValueError, TypeError, IndexError) as error:
        raise Refused(f"invalid model: {error}") from None
    solutions: Any = header.get("solutions")
    need(isinstance(solutions, list), "the solutions are not a list")
    literals = sum(len(rule[0]) for rule in board.rules + board.counts)
    size = max(len(board.around), len(board.shapes), literals // 8)
    need(len(solutions) * size <= MOST_VERTICES, "there are too many solutions")
    more = header.get("auxiliary", [[]] * len(solutions))
    need(isinstance(more, list) and len(more) == len(solutions), "auxiliary: wrong length")
    lists(len(board.edges) + len(board.around) + 1, MOST_VARIABLES, *more)
    for number, (edges, true) in enumerate(zip(solutions, more, strict=True), start=1):
        path_of = board.check_solution(edges, f"solution {number}", true)
        need(own.variant != "fill" or len(path_of) == len(board.around), "cells are left out")
        if taut:
            board.check_taut(path_of, edges, f"solution {number}")
    need(all(a < b for a, b in pairwise(solutions)), "the solutions are not in order, or twice")
    return own, len(solutions), refute(board, board.axioms(solutions, taut), Numbers(proof))


def refute(board: Board, axioms: Iterator[tuple[Clause, int | None]], numbers: Numbers) -> set[int]:
    """Follow the proof: axioms that it uses, cuts, lemmas; the last clause must be empty.

    Return the cells of its clues. Errors name a clause by its number, from 0.
    """
    clauses: list[Clause] = []
    cells: set[int | None] = set()
    literals, steps, most = 0, 0, FREE_STEPS + STEPS_PER_BYTE * numbers.size
    try:
        for skipped in numbers.next(*numbers.take(1)):
            steps += 8 * skipped + 8
            need(steps <= most and literals <= MOST_LITERALS, "the axioms are too many")
            clause, cell = next(islice(axioms, skipped, None), ((), -1))
            need(cell != -1, "an axiom that is not listed is used")
            clauses.append(clause)
            cells.add(cell)
            literals += 5 * len(clause) + 10
        for _ in range(*numbers.take(1)):
            gaps = numbers.several(len(board.around))
            need(sum(gaps) + len(gaps) <= len(board.around), "there is no such vertex")
            inside = {last - 1 for last in accumulate(gap + 1 for gap in gaps)}
            witnesses = numbers.take(2)
            clause, rests_on = board.cut(inside, witnesses)
            clauses.append(clause)
            cells |= rests_on
            literals += 5 * len(clause) + 10
            # `cut` has checked the witnesses.
            rules = (w - 1 - len(board.edges) for w in witnesses if w > len(board.edges))
            looked = [board.around[v] for v in inside] + [board.rules[i][0] for i in rules]
            steps += 4 * sum(map(len, looked)) + 32
            need(steps <= most and literals <= MOST_LITERALS, "the cuts are too long")
        for _ in range(*numbers.take(1)):
            backs = numbers.next(*numbers.take(1))
            lemma = set(clauses[-1 - next(backs, len(clauses))])
            steps += len(lemma) + 8
            for back in backs:
                clause = clauses[-1 - back]
                steps += len(clause) + 8
                need(steps <= most, "the proof takes too long")
                against = lemma.intersection(map(neg, clause))
                need(len(against) == 1, "two clauses do not resolve")
                literal = against.pop()
                lemma.remove(literal)
                need(-literal not in lemma, "a clause has a literal and its negation")
                lemma.update(clause)
                lemma.remove(-literal)
            clauses.append(tuple(lemma))
            literals += len(lemma) + 10
            need(steps <= most and literals <= MOST_LITERALS, "the lemmas are too long")
        need(not numbers.left, "the proof goes on after its end")
    except IndexError:
        raise Refused(f"clause {len(clauses)}: there is no clause so far back") from None
    except Refused as reason:
        raise Refused(f"clause {len(clauses)}: {reason}") from None
    need(clauses and not clauses[-1], "the proof does not end with the empty clause")
    return {cell for cell in cells if cell is not None}


def shown(text: str) -> str:
    """Return a text on one line, in quotes with escapes if a terminal would not just print it."""
    return text if text.isprintable() else repr(text)


def reason_of(error: Exception) -> str:
    """Return what an error says, or its name."""
    return shown(getattr(error, "strerror", None) or str(error) or type(error).__name__)


def main(arguments: list[str], puzzle: Puzzle | None = None) -> int:
    files, status = arguments, 0
    if arguments[:1] == ["--puzzle"] and len(arguments) > 1:
        files, name = arguments[2:], shown(arguments[1])
        try:
            puzzle = read_puzzle(arguments[1])
        except Exception as error:
            # Whatever a file makes of this program, the answer is one line.
            print(f"error: {name}: not a puzzle: {reason_of(error)}", file=sys.stderr)
            return 2
        print(f"{name}: read as this puzzle:\n\n{puzzle}\n")
    if not files:
        print("usage: verify_certificate.py [--puzzle PUZZLE] FILE...", file=sys.stderr)
        return 2
    for file_name in files:
        name = shown(file_name)
        try:
            with Path(file_name).open("rb") as file:
                own, number, clues = verify(file.read(MOST_BYTES + 1), puzzle)
        except Refused as reason:
            print(f"{name}: refused: {reason_of(reason)}")
            status = max(status, 1)
        except Exception as error:
            # No verdict: the file cannot be read, the memory is full, or this program has a defect.
            what = "cannot be read" if isinstance(error, OSError) else "cannot be checked"
            print(f"error: {name}: {what}: {reason_of(error)}", file=sys.stderr)
            status = 2
        else:
            what = f"exactly {number} solution{'s' * (number != 1)}" if number else "no solution"
            some = f"; {len(clues)} of its {own.clued} clues exclude all others"
            more = some * (own.kind == "slitherlink" and len(clues) < own.clued)
            board = f"{own.kind} ({own.variant}) of {own.size}"
            print(f"{name}: verified: {board}: {what}{more}")
    return status


if __name__ == "__main__":
    # A file may have a name that the terminal cannot show.
    sys.stdout.reconfigure(errors="backslashreplace")  # type: ignore[union-attr]
    try:
        ending = main(sys.argv[1:])
        sys.stdout.flush()
    except (KeyboardInterrupt, OSError) as stopped:
        print(f"error: stopped: {type(stopped).__name__}", file=sys.stderr)
        # Python would try to write the rest of the output once more.
        os._exit(2)
    sys.exit(ending)
