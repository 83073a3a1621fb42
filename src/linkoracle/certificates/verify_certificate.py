#!/usr/bin/env python3
"""Check certificates: "this puzzle has exactly these solutions".

    python verify_certificate.py [--puzzle PUZZLE] FILE...

Needs Python 3.11 or later and nothing else: copy this file wherever you like, and read it. PUZZLE
is a file with one puzzle (text or JSON) or a puzz.link URL: then the certificate must be of that
puzzle. Exit status: 0 if all hold, 1 if one does not, 2 if a file cannot be read.

What is checked: (1) every solution, by the rules of the puzzle; (2) that there is no other. For (2)
this program states *axioms* from the puzzle alone, clauses that every solution satisfies, and for
each solution of the certificate one that forbids it. A *cut* is one more axiom: lines that are on
both sides of a border cross it. A *lemma* follows from axioms and earlier lemmas by resolution
(from "A or x" and "B or not x" follows "A or B"). The last lemma is the empty clause, which nothing
satisfies: there is no other solution. docs/certificates.md has the format, and proves the axioms.
"""

import json
import lzma
import re
import sys
from array import array
from collections.abc import Iterator
from itertools import accumulate, combinations, islice, pairwise, repeat
from operator import neg
from pathlib import Path
from typing import Any

FORMAT, VERSION = "linkoracle certificate", 1
#: No file may take hours, or all memory. So these are the most bytes, packed or not, and those of
#: the first line; cells; vertices of all solutions; literals that are kept, and that are looked at.
MOST_BYTES, MOST_HEADER, MOST_CELLS = 5 * 10**7, 10**7, 4 * 10**4
MOST_VERTICES, MOST_LITERALS, MOST_WORK = 10**7, 3 * 10**7, 10**9
RULES = {"slitherlink": ("loop", "path"), "numberlink": ("free", "fill"), "simpleloop": ("loop",)}
CELLS = {"slitherlink": range(5), "numberlink": range(1, 10**18), "simpleloop": range(1)}

Clause = tuple[int, ...]
#: Edges, how many of them may be lines, and the cell if a clue says so.
Rule = tuple[list[int], set[int], int | None]


class Refused(Exception):
    """The certificate does not hold, or is none; the text says what failed, and where."""


def need(holds: object, reason: str) -> None:
    if not holds:
        raise Refused(reason)


def are_integers(values: Any) -> bool:
    """Whether this is a list of whole numbers; True and 1.0 are none."""
    return isinstance(values, list) and all(type(value) is int for value in values)


def once(members: list[tuple[str, Any]]) -> dict[str, Any]:
    """An object of JSON, in which no key may stand twice: which of them would count?"""
    need(len(dict(members)) == len(members), "a key stands there twice")
    return dict(members)


class Puzzle:
    """A puzzle: its kind and rule, rows of cells (a number or None), and ends of an open path."""

    def __init__(self, record: Any) -> None:
        need(isinstance(record, dict), "a puzzle is no JSON object")
        need(not any(map(record.get, ("given", "forbidden", "holes"))), "lines or holes are fixed")
        self.kind, self.rule, grid = map(record.get, ("kind", "rule", "grid"))
        need(isinstance(self.kind, str) and self.rule in RULES.get(self.kind, ()), "no known kind")
        need(isinstance(grid, list) and all(isinstance(row, list) for row in grid), "no rows")
        self.rows, self.cols = len(grid), len(grid[0]) if grid else 0
        need(0 < self.rows * self.cols <= MOST_CELLS, "the board is too large, or has no cells")
        need(all(len(row) == self.cols for row in grid), "the rows are not equally long")
        self.cells = [cell for row in grid for cell in row]
        #: The places of each number, in reading order, as indices of cells.
        self.places: dict[int, list[int]] = {}
        for place, cell in enumerate(self.cells):
            if cell is not None:
                need(type(cell) is int and cell in CELLS[self.kind], f"cell {place} is wrong")
                self.places.setdefault(cell, []).append(place)
        ends = record.get("ends")
        need((ends is None) != (self.rule == "path"), "an open path, and nothing else, has ends")
        dots = isinstance(ends, list) and all(are_integers(dot) and len(dot) == 2 for dot in ends)
        need(ends is None or (dots and len(ends) == 2 and ends[0] != ends[1]), "it has no two ends")
        self.ends: list[list[int]] = sorted(ends or [])
        for row, col in self.ends:
            inside = row in range(self.rows + 1) and col in range(self.cols + 1)
            need(inside and (row in (0, self.rows) or col in (0, self.cols)), "no end is inside")
        #: What two puzzles share if they are one: in Numberlink, numbers are but names.
        numbers = sorted(self.places.values()) if self.kind == "numberlink" else grid
        self.essence = self.kind, self.rule, self.ends, self.rows, self.cols, numbers


def read_puzzle(argument: str) -> Puzzle:
    """A puzzle from a URL of puzz.link, or from a file with one puzzle, as text or as JSON."""
    text = argument if "://" in argument else Path(argument).read_text(encoding="utf-8-sig")
    lines = [line for row in text.splitlines() if (line := row.split("#")[0].strip())] or [""]
    if "://" in lines[0]:
        return puzzle_of_url(lines[0])
    if lines[0].startswith("{"):
        record: Any = json.loads(text, object_pairs_hook=once)
    else:
        kind, rule, *_ = [*lines.pop(0).split(), None, None]
        record = {"kind": kind, "rule": rule, "grid": lines}
        if lines and lines[0].startswith("ends"):
            dots = lines.pop(0).split()[1:]
            record["ends"] = [[int(part) for part in dot.split(",")] for dot in dots]
    rows = grid.splitlines() if isinstance(grid := record.get("grid"), str) else grid
    record["grid"] = [cells_of(row) if isinstance(row, str) else row for row in rows]
    record["rule"] = record.get("rule") or RULES.get(str(record.get("kind")), ("",))[0]
    return Puzzle(record)


def cells_of(row: str) -> list[int | None]:
    """The cells of a row as text: parted by spaces, or a character each."""
    cells = row.split() if len(row.split()) > 1 else row.strip()
    return [None if cell in (".", "-") else int(cell.replace("*", "0")) for cell in cells]


def puzzle_of_url(url: str) -> Puzzle:
    """The puzzle of a URL as pzpr writes it: .../p?name/columns/rows/body."""
    name, cols, rows, body, *more = [*url.partition("?")[2].split("/"), "", "", ""]
    kind = {"slither": "slitherlink", "numlin": "numberlink"}.get(name, name)
    need(kind in RULES and not any(more), "the URL is of no such puzzle")
    need(re.fullmatch("[0-9]{1,5},[0-9]{1,5}", f"{cols},{rows}"), "the URL has no size")
    width, size = int(cols), int(cols) * int(rows)
    code = "[0-9a-z.]|-[0-9a-f]{2}|[+][0-9a-f]{3}"
    need(re.fullmatch(f"(?:{code})*", body), "the URL has codes that this program does not know")
    cells: list[int | None] = []
    for found in re.findall(code, body):
        value = -1 if found == "." else int(found.lstrip("-+"), 16 if len(found) > 1 else 36)
        if kind == "simpleloop":
            cells += [0 if value >> bit & 1 else None for bit in (4, 3, 2, 1, 0)]
        elif value > 15 and len(found) == 1:
            cells += [None] * (value - 15)
        elif kind == "slitherlink" and value >= 0:
            cells += [value % 5] + [None] * (value // 5)
        else:
            cells.append(value if value >= 0 else None)
    need(0 < size <= MOST_CELLS and len(cells) <= size + 4, "the URL has another size than it says")
    cells += [None] * (size - len(cells))
    grid = [cells[start : start + width] for start in range(0, size, width)]
    return Puzzle({"kind": kind, "rule": RULES[kind][0], "grid": grid})


class Board:
    """The lattice on which lines are drawn, and how many lines the puzzle demands where.

    Lines of a Slitherlink run between dots, its cells are the faces; elsewhere cells are vertices.
    Edges are numbered by their first vertex in reading order, the one to the right before the one
    down. The variable of edge e is e + 1, true if it is a line. A literal -x is "not x".
    """

    def __init__(self, puzzle: Puzzle, taut: bool = False) -> None:
        dots = puzzle.kind == "slitherlink"
        self.rows, self.cols = puzzle.rows + dots, puzzle.cols + dots
        size = self.rows * self.cols
        self.edges: list[tuple[int, int]] = []
        self.around: list[list[int]] = [[] for _ in range(size)]
        for v in range(size):
            for w, there in ((v + 1, (v + 1) % self.cols), (v + self.cols, v + self.cols < size)):
                if there:
                    self.around[v].append(len(self.edges))
                    self.around[w].append(len(self.edges))
                    self.edges.append((v, w))
        self.edge_of = {ends: edge for edge, ends in enumerate(self.edges)}
        #: The pairs of vertices that paths join; none where the lines are one loop.
        self.pairs = [tuple(row * self.cols + col for row, col in puzzle.ends)] * bool(puzzle.ends)
        if puzzle.kind == "numberlink":
            self.pairs = [tuple(pair) for _, pair in sorted(puzzle.places.items())]
            need(self.pairs and all(len(pair) == 2 for pair in self.pairs), "numbers are no pairs")
        self.mate = {one: sum(pair) - one for pair in self.pairs for one in pair}
        self.degrees = [{2} if puzzle.rule == "fill" and not taut else {0, 2}] * size
        if puzzle.kind == "simpleloop":
            self.degrees = [{2} if cell is None else {0} for cell in puzzle.cells]
        for vertex in self.mate:
            self.degrees[vertex] = {1}
        #: How many lines there are at each vertex, then around each clue.
        self.rules: list[Rule] = list(zip(self.around, self.degrees, repeat(None), strict=False))
        for cell, clue in enumerate(puzzle.cells if dots else []):
            if clue is not None:
                edges = self.square(cell // puzzle.cols * self.cols + cell % puzzle.cols)
                self.rules.append((edges, {clue}, cell))

    def line(self, one: int, other: int) -> int:
        return self.edge_of[min(one, other), max(one, other)] + 1

    def square(self, v: int) -> list[int]:
        w = v + self.cols
        return [self.edge_of[ends] for ends in ((v, v + 1), (v, w), (v + 1, w + 1), (w, w + 1))]

    def beyond(self, edge: int, vertex: int) -> int:
        return self.edges[edge][self.edges[edge][0] == vertex]

    def check_solution(self, edges: Any, name: str) -> dict[int, int]:
        """That a set of edges solves the puzzle; the number of the path of each vertex on one."""
        need(are_integers(edges) and edges, f"{name} is no list of edges")
        need(all(a < b for a, b in pairwise([-1, *edges, len(self.edges)])), f"{name}: wrong edges")
        chosen = set(edges)
        for index, (around, allowed, cell) in enumerate(self.rules):
            lines = sum(edge in chosen for edge in around)
            where = f"at vertex {index}" if cell is None else f"around cell {cell}"
            need(lines in allowed, f"{name}: {lines} lines {where}")
        path_of: dict[int, int] = {}
        for number, (start, goal) in enumerate(self.pairs or [(self.edges[edges[0]][0],) * 2]):
            here, last = start, -1
            while here not in path_of:
                path_of[here] = number
                onward = [edge for edge in self.around[here] if edge in chosen and edge != last]
                if onward:
                    last = onward[0]
                    here = self.beyond(last, here)
            need(here == goal, f"{name}: the line from vertex {start} ends elsewhere")
        need(len(path_of) - len(self.pairs) == len(edges), f"{name}: lines are left over")
        return path_of

    def check_taut(self, path_of: dict[int, int], edges: list[int], name: str) -> None:
        """That no path of a solution can be rerouted: it has no chord, and no way round."""
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
                        need(same, f"{name}: there is a way round at vertex {vertex}")
                    elif beside not in seen:
                        seen.add(beside)
                        region.append(beside)

    def axioms(self, solutions: list[list[int]], taut: bool) -> Iterator[tuple[Clause, int | None]]:
        """The clauses that are stated from the puzzle, in order; with the cell if from a clue."""
        for edges, allowed, cell in self.rules:
            yield from zip(counted(edges, allowed), repeat(cell), strict=False)
        if not self.pairs:
            yield tuple(range(1, len(self.edges) + 1)), None
        yield from ((tuple(-1 - edge for edge in solution), None) for solution in solutions)
        # Each line has one end of either colour of a checkerboard, so these have as many ends.
        ends = ((-1) ** sum(divmod(v, self.cols)) * max(may) for v, may in enumerate(self.degrees))
        if sum(ends) and {0, 2} not in self.degrees:
            yield (), None
        if len(self.pairs) > 1 or taut:
            yield from zip(self.colours(), repeat(None), strict=False)
        if taut:
            yield from zip(self.taut_axioms(), repeat(None), strict=False)

    def colours(self) -> Iterator[Clause]:
        """Each vertex has the number of its path, in binary: equal along each line."""
        bits = max(1, (len(self.pairs) - 1).bit_length())
        starts = range(len(self.edges) + 1, len(self.edges) + 1 + bits * len(self.around), bits)
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
        """What holds of taut solutions, as docs/taut.md proves: chords, corners, cups."""
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
        """The clause of a cut around a set X of vertices, and the cells of the clues it rests on.

        A witness shows that a line has an end in X; another, for a loop, that one has an end
        outside. It is an edge e ("if e is a line", so "not e" is in the clause), or a rule that
        demands more lines than it has edges with no end there.
        """
        clause = {e + 1 for v in inside for e in self.around[v] if self.beyond(e, v) not in inside}
        cells: set[int | None] = set()
        sides = [True] if self.pairs else [True, False]
        ends = inside & self.mate.keys()
        if any(self.mate[vertex] not in inside for vertex in ends):
            sides = []  # a path must leave, and there is nothing to show
        need(not (sides and ends), "paths may stay inside")
        need(not any(witnesses[len(sides) :]), "a witness is not needed")
        for side, number in zip(sides, witnesses, strict=False):
            need(0 < number <= len(self.edges) + len(self.rules), "there is no such witness")
            need(self.demands(number, inside, side), "a witness is not on its side")
            if number <= len(self.edges):
                clause.add(-number)
            else:
                cells.add(self.rules[number - len(self.edges) - 1][2])
        return tuple(clause), cells

    def demands(self, witness: int, inside: set[int], side: bool) -> bool:
        """Whether a witness shows that a line has an end in a set, or outside."""
        edges, allowed = [witness - 1], {1}
        if witness > len(self.edges):
            edges, allowed, _ = self.rules[witness - len(self.edges) - 1]
        away = sum(all((v in inside) is not side for v in self.edges[edge]) for edge in edges)
        return away < min(allowed)


def counted(edges: list[int], allowed: set[int]) -> Iterator[Clause]:
    """Clauses that hold if and only if the number of lines among these edges is allowed."""
    # If none of the numbers is possible, -1 makes the empty clause.
    allowed = {number for number in allowed if number <= len(edges)} or {-1}
    yield from combinations([-1 - edge for edge in edges], max(allowed) + 1)
    if min(allowed) > 0:
        yield from combinations([edge + 1 for edge in edges], len(edges) - min(allowed) + 1)
    for number in set(range(min(allowed), max(allowed))) - allowed:
        for some in combinations(edges, number):
            yield tuple([-1 - edge if edge in some else edge + 1 for edge in edges])


class Numbers:
    """The numbers of a proof: in base 128, the lowest digit first, all but the last plus 128."""

    def __init__(self, data: bytes) -> None:
        self.all, self.at = array("I"), 0
        number = shift = 0
        for byte in data:
            number |= (byte & 127) << shift
            shift += 7
            if byte < 128:
                need(byte or shift == 7, "a number in the proof has a digit too many")
                self.all.append(number)
                number = shift = 0
            else:
                need(shift < 28, "a number in the proof is too large")
        need(not shift, "the proof ends within a number")

    def take(self, size: int) -> list[int]:
        need(size <= len(self.all) - self.at, "the proof is shorter than it says")
        self.at += size
        return self.all[self.at - size : self.at].tolist()

    def several(self) -> list[int]:
        """Numbers, after how many they are."""
        return self.take(*self.take(1))


def unpack(data: bytes) -> tuple[dict[str, Any], bytes]:
    """The first line of a certificate, as JSON, and the bytes of its proof."""
    need(len(data) <= MOST_BYTES, "the file is too long")
    try:
        unpacker = lzma.LZMADecompressor(format=lzma.FORMAT_XZ, memlimit=MOST_BYTES)
        text = unpacker.decompress(data, max_length=MOST_BYTES)
        need(unpacker.eof and not unpacker.unused_data, "the file is too long, or cut short")
        size = text.find(b"\n", 0, MOST_HEADER)
        need(size >= 0, "the first line is too long, or has no end")
        header = json.loads(text[:size].decode(), object_pairs_hook=once)
    except (lzma.LZMAError, EOFError, ValueError, RecursionError) as error:
        raise Refused(f"no certificate: {error}") from None
    need(isinstance(header, dict) and header.get("format") == FORMAT, "it is no certificate")
    need(are_integers([header.get("version")]) and header["version"] == VERSION, "other version")
    need(header.keys() <= {"format", "version", "puzzle", "solutions", "taut"}, "an unknown key")
    return header, text[size + 1 :]


def verify(data: bytes, puzzle: Puzzle | None = None) -> tuple[Puzzle, int, set[int]]:
    """The puzzle, how many solutions it has, and the cells of clues that exclude all others."""
    header, proof = unpack(data)
    own, taut = Puzzle(header.get("puzzle")), header.get("taut", False)
    need(header["puzzle"].keys() <= {"kind", "rule", "grid", "ends"}, "an unknown key")
    need(puzzle is None or own.essence == puzzle.essence, "it is of another puzzle")
    need(type(taut) is bool and (not taut or own.kind == "numberlink"), "taut is for Numberlinks")
    board = Board(own, taut)
    solutions: Any = header.get("solutions")
    need(isinstance(solutions, list) and (not taut or len(solutions) < 2), "not so many solutions")
    need(len(solutions) * len(board.around) <= MOST_VERTICES, "there are too many solutions")
    for number, edges in enumerate(solutions, start=1):
        path_of = board.check_solution(edges, f"solution {number}")
        need(own.rule != "fill" or len(path_of) == len(board.around), "cells are left out")
        if taut:
            board.check_taut(path_of, edges, f"solution {number}")
    need(all(a < b for a, b in pairwise(solutions)), "the solutions are not in order, or twice")
    return own, len(solutions), refute(board, board.axioms(solutions, taut), Numbers(proof))


def refute(board: Board, axioms: Iterator[tuple[Clause, int | None]], numbers: Numbers) -> set[int]:
    """Follow the proof: axioms that it uses, cuts, lemmas; the last clause must be empty.

    Returns the cells of the clues that it rests on. Errors name a clause by its number, from 0.
    """
    clauses: list[Clause] = []
    cells: set[int | None] = set()
    literals = work = 0
    try:
        for step in numbers.several():
            clause, cell = next(islice(axioms, step, None), ((), -1))
            need(cell != -1, "there are not so many axioms")
            clauses.append(clause)
            cells.add(cell)
        for _ in range(*numbers.take(1)):
            steps = numbers.several()
            need(sum(steps) + len(steps) <= len(board.around), "there is no such vertex")
            inside = {last - 1 for last in accumulate(step + 1 for step in steps)}
            clause, rests_on = board.cut(inside, numbers.take(2))
            clauses.append(clause)
            cells |= rests_on
            literals += len(clause) + 8
            need(literals <= MOST_LITERALS, "the proof needs too much memory")
        for _ in range(*numbers.take(1)):
            first, *others = numbers.several() or [len(clauses)]
            need(max([first, *others]) < len(clauses), "there is no clause so far back")
            lemma = set(clauses[-1 - first])
            for back in others:
                clause = clauses[-1 - back]
                work += len(clause) + 8
                need(work <= MOST_WORK, "the proof takes too long")
                against = lemma.intersection(map(neg, clause))
                need(len(against) == 1, "two clauses do not resolve")
                literal = against.pop()
                lemma.remove(literal)
                need(-literal not in lemma, "a clause has a literal and its negation")
                lemma.update(clause)
                lemma.remove(-literal)
            clauses.append(tuple(lemma))
            literals += len(lemma) + 8
            need(literals <= MOST_LITERALS, "the proof needs too much memory")
        need(numbers.at == len(numbers.all), "the proof goes on after its end")
    except Refused as reason:
        raise Refused(f"clause {len(clauses)}: {reason}") from None
    need(clauses and not clauses[-1], "the proof does not end with the empty clause")
    return {cell for cell in cells if cell is not None}


def main(arguments: list[str], puzzle: Puzzle | None = None) -> int:
    files, status = arguments, 0
    if arguments[:1] == ["--puzzle"] and len(arguments) > 1:
        files = arguments[2:]
        try:
            puzzle = read_puzzle(arguments[1])
        except (OSError, ValueError, TypeError, LookupError, RecursionError, Refused) as error:
            print(f"error: {arguments[1]}: no puzzle: {error}", file=sys.stderr)
            return 2
    if not files:
        print("usage: verify_certificate.py [--puzzle PUZZLE] FILE...", file=sys.stderr)
        return 2
    for name in files:
        try:
            with Path(name).open("rb") as file:
                own, number, clues = verify(file.read(MOST_BYTES + 1), puzzle)
        except OSError as error:
            print(f"error: {name}: cannot be read: {error.strerror}", file=sys.stderr)
            status = 2
        except (Refused, MemoryError) as reason:
            print(f"{name}: refused: {reason}")
            status = max(status, 1)
        else:
            what = f"exactly {number} solution{'s' * (number != 1)}" if number else "no solution"
            given = sum(map(len, own.places.values())) if own.kind == "slitherlink" else 0
            more = f"; {len(clues)} of its {given} clues exclude all others" * (len(clues) < given)
            board = f"{own.kind} ({own.rule}) of {own.rows}x{own.cols} cells"
            print(f"{name}: verified: {board}: {what}{more}")
    return status


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
