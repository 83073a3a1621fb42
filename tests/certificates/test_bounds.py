"""Any file is verified or refused within 10 seconds a megabyte of its contents, and 200 MB."""

from __future__ import annotations

import json
import lzma
import subprocess
import sys
from collections.abc import Callable
from random import Random

import pytest

from linkoracle.certificates import verify_certificate as checker
from linkoracle.certificates.writing import number, rising
from tests.certificates.forging import repacked

EMPTY = number(0)
#: Runs the verifier alone, and prints its seconds of the processor, and its memory in kB.
PROGRAM = """
import sys, time
import verify_certificate
status = verify_certificate.main(sys.argv[1:])
peak = next(line for line in open("/proc/self/status") if line.startswith("VmHWM"))
print(status, time.process_time(), peak.split()[1])
"""


def blank(cell: int | None = None) -> dict[str, object]:
    """The largest board, with the same number in two corners."""
    grid: list[list[int | None]] = [[None] * 199 for _ in range(199)]
    grid[0][0] = grid[-1][-1] = cell
    return {"kind": "slitherlink", "variant": "loop", "grid": grid}


def full() -> dict[str, object]:
    """As many pairs as there is room for, so that there are most axioms."""
    grid = [[100 * row + col // 2 + 1 for col in range(200)] for row in range(200)]
    return {"kind": "numberlink", "variant": "free", "grid": grid}


def text(puzzle: object, proof: bytes, **members: object) -> bytes:
    header = {"format": checker.FORMAT, "version": checker.VERSION, "puzzle": puzzle}
    return json.dumps(header | {"solutions": []} | members).encode() + b"\n" + proof


def large_cuts(count: int) -> bytes:
    """Cuts around all vertices but one."""
    vertices, edges = 200 * 200, 2 * 200 * 199
    cut = number(vertices - 1) + bytes(vertices - 1) + number(1) + number(edges)
    return text(blank(1), EMPTY + number(count) + count * cut + EMPTY)


def long_chain(links: int) -> bytes:
    """One lemma, from two clauses of 80,000 literals in turns: each has what the other denies."""
    board = checker.Board(checker.Puzzle(blank(1)))
    black = {v for v in range(len(board.around)) if sum(divmod(v, board.cols)) % 2 == 0}
    requiring = range(len(board.edges) + 1, len(board.edges) + len(board.rules) + 1)
    cuts = b""
    for white in (1006, 18_091, None):
        inside = black | {white} - {None}
        outside = next(rule for rule in requiring if board.requires(rule, inside, False))
        within = next(rule for rule in requiring if board.requires(rule, inside, True))
        cuts += rising(sorted(inside))
        cuts += number(within if white is None else board.around[white][0] + 1) + number(outside)
    chain = bytes([0, *(1 + link % 2 for link in range(1, links))])
    return text(blank(1), EMPTY + number(3) + cuts + number(1) + number(links) + chain)


def copies(count: int) -> bytes:
    """Lemmas that repeat the clause of all edges."""
    board = checker.Board(checker.Puzzle(blank()))
    all_edges = sum(len([*checker.counted(edges, may)]) for edges, may, _ in board.rules)
    used = number(1) + number(all_edges) + EMPTY
    return text(blank(), used + number(count) + b"\1\0" * count)


def small_loops(count: int) -> bytes:
    board = checker.Board(checker.Puzzle(blank()))
    squares = [sorted(board.square(v)) for v in range(199 * 200) if (v + 1) % 200]
    return text(blank(), 3 * EMPTY, solutions=squares[:count])


def strange(line: str, proof: bytes = b"") -> bytes:
    return line.encode() + b"\n" + proof


def model(vertices: int, edges: list[int], **members: object) -> dict[str, object]:
    """A model of a loop, with nothing else but the edges."""
    empty = ("pairs", "faces", "given", "forbidden", "shapes", "counts", "clauses")
    record = {"kind": "model", "variant": "loop", "vertices": vertices, "edges": edges}
    record |= {"sides": [0] * vertices, "degrees": [5] * vertices}
    return record | {name: [] for name in empty} | members


def complete(vertices: int, **members: object) -> dict[str, object]:
    """Each two vertices are joined, and none may have a line, which takes few clauses to state."""
    edges = [end for v in range(vertices) for w in range(v + 1, vertices) for end in (v, w)]
    return model(vertices, edges, degrees=[1] * vertices, **members)


def star(leaves: int, **members: object) -> dict[str, object]:
    edges = [end for leaf in range(1, leaves + 1) for end in (0, leaf)]
    return model(leaves + 1, edges, degrees=[1] * (leaves + 1), **members)


def dense_cuts(count: int) -> bytes:
    """Cuts around nearly all vertices, between which there are very many edges."""
    cut = number(399) + bytes(399) + number(1) + number(399)
    return text(complete(400), EMPTY + number(count) + count * cut + EMPTY)


def long_witnesses(count: int) -> bytes:
    """Cuts around one vertex; a long face shows each time that some line is elsewhere."""
    leaves = 14_000
    shown = leaves + 1 + leaves + 1
    cut = number(1) + number(5) + number(5) + number(shown)
    face = [(2 << leaves) - 2, *range(leaves)]
    return text(star(leaves, faces=[face]), EMPTY + number(count) + count * cut + EMPTY)


def models(solutions: int = 0, **members: object) -> bytes:
    """A model of a triangle, apart from other constraints; its loop again and again."""
    own = model(3, [0, 1, 0, 2, 1, 2], **members)
    return text(own, 3 * EMPTY, solutions=[[0, 1, 2]] * solutions)


def many_literals() -> bytes:
    """As many literals and bits of masks as the first line has room for."""
    size = 14_000
    return models(counts=[[(1 << size) - 1 - number, *[1] * size] for number in range(84)])


MANY = 4 * 10**6
#: What the files say, each with a part of what the verifier says of it.
TEXTS: dict[str, tuple[Callable[[], bytes], str]] = {
    "cuts": (lambda: large_cuts(100), "the proof does not end with the empty clause"),
    "chain": (lambda: long_chain(10_000), "the proof takes too long"),
    "long chain": (lambda: long_chain(10**6), "the proof takes too long"),
    "copies": (lambda: copies(100_000), "the lemmas are too long"),
    "small loops": (lambda: small_loops(5000), "there are too many solutions"),
    "loops": (lambda: small_loops(49), "the proof does not end with the empty clause"),
    "axioms": (
        lambda: text(full(), number(MANY) + bytes(MANY) + 2 * EMPTY, taut=True),
        "the axioms are too many",
    ),
    "late axiom": (
        lambda: text(full(), number(1) + number(2_400_000) + 2 * EMPTY, taut=True),
        "the proof does not end with the empty clause",
    ),
    "no axiom": (
        lambda: text(full(), number(1) + number(2**28 - 1) + 2 * EMPTY, taut=True),
        "the axioms are too many",
    ),
    "24 million numbers": (
        lambda: text(blank(), number(19_000_000) + 19_000_000 * b"\1"),
        "an axiom that is not listed is used",
    ),
    "large numbers": (
        lambda: text(blank(), 2 * EMPTY + number(1) + number(9 * 10**6) + 9 * 10**6 * b"\x80\x7f"),
        "there is no clause so far back",
    ),
    "a long cut": (
        lambda: text(blank(), EMPTY + number(1) + number(9 * 10**6) + 9 * 10**6 * b"\x80\x7f"),
        "there are too many numbers in a list",
    ),
    "lists": (lambda: strange(f"[{'[],' * 10**6}[]]"), "there are too many lists in it"),
    "some lists": (lambda: strange(f"[{'[],' * 99_000}{'999,' * 900_000}1]"), "not a certificate"),
    "keys": (
        lambda: strange(json.dumps({f"{key:x}": 1 for key in range(300_000)})),
        "there are too many lists in it",
    ),
    "one key": (lambda: strange('{"a":1,"a":1}'), "twice"),
    "strings": (lambda: strange("[" + '"ab",' * 780_000 + "1]"), "not a certificate"),
    "wide letters": (lambda: strange('"\U0001f600' + "a" * 3_900_000 + '"'), "not a certificate"),
    "deep": (lambda: strange("[" * 90_000), "recursion"),
    "a huge number": (lambda: strange("9" * 3_900_000), "integer"),
    "a long line": (lambda: strange('"' + 15 * 10**6 * "a" + '"'), "the first line is too long"),
    "zeros": (lambda: bytes(10**8), "the file is too long"),
    "dense cuts": (lambda: dense_cuts(2000), "the cuts are too long"),
    "long witnesses": (lambda: long_witnesses(200_000), "the cuts are too long"),
    "literals": (many_literals, "its counts take too many clauses"),
    "gaps": (lambda: models(counts=[[0x5555555, *[1] * 28]]), "the proof does not end"),
    "short counts": (
        lambda: models(counts=[[0b101010101, *range(1, 7), *range(-6, 0)]] * 900),
        "the proof does not end",
    ),
    "questions": (
        lambda: models(counts=[[Random(1).getrandbits(13_990), *[1] * 13_990]]),
        "counts take too many clauses",
    ),
    "answers": (
        lambda: text(
            model(3, [0, 1, 0, 2, 1, 2], counts=[[1 << 480, *[1] * 1000]]),
            number(1) + number(2_000_000) + 2 * EMPTY,
        ),
        "an axiom that is not listed is used",
    ),
    "long counts": (
        lambda: models(counts=[[1 << 9_000, *[1] * 300_000]]),
        "counts take too many clauses",
    ),
    "hub": (
        lambda: text(star(79_000) | {"degrees": [5] * 79_001}, number(MANY) + bytes(MANY)),
        "the axioms are too many",
    ),
    "shapes": (
        lambda: text(star(79_000, shapes=[[0, -1, -1]] * 40_000), 3 * EMPTY),
        "its shapes are wrong or too large",
    ),
    "many shapes": (lambda: models(shapes=[[0]] * 99_000), "the proof does not end"),
    "many clauses": (lambda: models(clauses=[[]] * 99_000), "the proof does not end"),
    "long clauses": (
        lambda: models(solutions=1000, clauses=[[1, *[-2] * 400_000]]),
        "there are too many solutions",
    ),
    "faces": (
        lambda: text(star(79_000, faces=[[15, 1, 2, 3]] * 90_000), 3 * EMPTY),
        "the proof does not end",
    ),
    "names": (
        lambda: text(star(79_000, clauses=[[*range(79_001, 158_001)]]), number(MANY) + bytes(MANY)),
        "the axioms are too many",
    ),
    "vertices": (lambda: text(model(1, []) | {"vertices": 10**9}, 3 * EMPTY), "out of range"),
    "edges": (
        lambda: text(model(3, [0, 1] * 160_001), 3 * EMPTY),
        "its edges are wrong",
    ),
    "variables": (lambda: models(clauses=[[10**9]]), "out of range"),
    "a huge literal": (lambda: models(clauses=[[10**4200] * 900]), "out of range"),
}

#: Those that take seconds; each has a quicker one like it.
SLOW = {"long witnesses", "long chain", "chain", "cuts", "dense cuts", "loops", "many shapes"}
SLOW |= {"answers", "axioms", "faces", "keys", "literals", "names", "questions"}


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="peaks are read from /proc")
@pytest.mark.parametrize(
    "name",
    [pytest.param(name, marks=[pytest.mark.heavy] * (name in SLOW)) for name in TEXTS],
)
def test_time_and_memory(name, tmp_path):
    make, reason = TEXTS[name]
    said = make()
    (tmp_path / "it").write_bytes(repacked(said))
    folder = str(checker.__file__).rpartition("/")[0]
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, "it"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        env={"PYTHONPATH": folder},
    )
    *_, message, took = done.stdout.splitlines()
    assert message.startswith("it: refused: ")
    assert reason in message
    status, seconds, peak = took.split()
    assert status == "1"
    assert float(seconds) < 10 * max(1, len(said) / 10**6)
    assert int(peak) < 200_000


def test_a_window_larger_than_the_memory():
    filters = [{"id": lzma.FILTER_LZMA2, "preset": 6, "dict_size": 1 << 30}]
    with pytest.raises(checker.Refused, match="or a damaged one: Memory usage limit"):
        checker.unpack(lzma.compress(b"{}\n", filters=filters))


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("https://puzz.link/p?slither/999999/999999/" + "z" * 3 * 10**6, "the board is too large"),
        ("https://puzz.link/p?slither/200/200/" + "z" * 3 * 10**6, "more cells than its size"),
        ('{"kind": "slitherlink", "rows": 99999, "cols": 99999, "grid": [[3]]}', "has 1 rows"),
        ("slitherlink\n99999 99999\n.\n", "numbers of rows and columns"),
        ("slitherlink\n" + "." * (4 * 10**6 + 1), "the file is too long"),
        ("slitherlink\n" + ".\n" * 10**6, "the board is too large"),
    ],
    ids=lambda value: value[:40],
)
def test_puzzles_that_are_too_large(text, reason, tmp_path):
    (tmp_path / "puzzle").write_text(text)
    with pytest.raises(checker.Refused, match=reason):
        checker.read_puzzle(str(tmp_path / "puzzle"))
