"""The verifier by itself: what is no certificate, what would take for ever, how it is called."""

from __future__ import annotations

import ast
import json
import lzma
import os
import random
import subprocess
import sys
import time
from pathlib import Path

import pytest

from linkoracle import Numberlink, SimpleLoop, Slitherlink, certificate, write
from linkoracle.certificates import record_of
from linkoracle.certificates import verify_certificate as checker
from linkoracle.certificates.writing import number
from tests.certificates.forging import Parts, holds, random_puzzle, repacked

FILE = Path(checker.__file__)
PUZZLE = Slitherlink([[3, None, 3], [None, None, None], [3, None, 3]])
MADE = certificate(PUZZLE).data
HEADER = Parts.of(MADE).header


def changed(**members: object) -> bytes:
    parts = Parts.of(MADE)
    parts.header |= members
    return parts.packed()


def with_text(text: str | bytes) -> bytes:
    """A certificate with this in place of its first line."""
    _, proof = checker.unpack(MADE)
    return repacked((text if isinstance(text, bytes) else text.encode()) + b"\n" + proof)


def with_proof(proof: bytes) -> bytes:
    return repacked(json.dumps(HEADER).encode() + b"\n" + proof)


def test_it_is_one_short_file_of_its_own():
    text = FILE.read_text(encoding="utf-8")
    assert len(text.splitlines()) <= 1490
    imported = set()
    for node in ast.walk(ast.parse(text)):
        # With -O these would not be there.
        assert not isinstance(node, ast.Assert)
        if isinstance(node, ast.Import):
            imported |= {name.name.split(".")[0] for name in node.names}
        elif isinstance(node, ast.ImportFrom):
            imported.add(str(node.module).split(".")[0])
    assert imported <= sys.stdlib_module_names


@pytest.mark.parametrize("options", ["-I", "-IO"])
def test_it_works_alone_in_an_empty_folder(tmp_path, options):
    (tmp_path / "verify_certificate.py").write_bytes(FILE.read_bytes())
    (tmp_path / "good.certificate").write_bytes(MADE)
    fewer = changed(solutions=HEADER["solutions"][:1])
    (tmp_path / "bad.certificate").write_bytes(fewer)
    (tmp_path / "puzzle.txt").write_text(write(PUZZLE, "text"))

    def run(*arguments: str) -> subprocess.CompletedProcess[str]:
        line = [sys.executable, options, "verify_certificate.py", *arguments]
        return subprocess.run(line, cwd=tmp_path, capture_output=True, text=True)

    good = run("--puzzle", "puzzle.txt", "good.certificate")
    answer = "verified: slitherlink (loop) of 3x3 cells: exactly 2 solutions"
    board = "puzzle.txt: read as this puzzle:\n\nslitherlink loop\n3.3\n...\n3.3\n\n"
    assert (good.returncode, good.stdout) == (0, f"{board}good.certificate: {answer}\n")
    bad = run("bad.certificate", "good.certificate")
    assert bad.returncode == 1
    assert bad.stdout.startswith("bad.certificate: refused: clause ")
    assert f"good.certificate: {answer}" in bad.stdout
    missing = run("bad.certificate", "none.certificate", ".")
    assert missing.returncode == 2
    assert "error: none.certificate: cannot be read: No such file" in missing.stderr
    for arguments in ([], ["--puzzle"], ["--puzzle", "puzzle.txt"], ["--puzzle", "no.txt", "x"]):
        assert run(*arguments).returncode == 2
    for done in (good, bad, missing):
        assert "Traceback" not in done.stderr


@pytest.mark.skipif(sys.platform != "linux", reason="names of files are text there")
def test_a_name_that_the_terminal_cannot_show(tmp_path):
    name = b"\xff.certificate"
    (tmp_path / os.fsdecode(name)).write_bytes(MADE)
    done = subprocess.run(
        [sys.executable, FILE, name],
        cwd=tmp_path,
        env={**os.environ, "PYTHONIOENCODING": "utf-8:strict"},
        capture_output=True,
    )
    assert (done.returncode, done.stderr) == (0, b"")
    assert done.stdout.startswith(rb"'\udcff.certificate': verified: ")


NO_HEADERS = [
    *["", "{}", "[]", "null", "1", '"x"', "{", "[" * 100_000, '{"a":' * 100_000, "NaN"],
    *[b"\xff\xfe{}", json.dumps(HEADER).encode("utf-16"), "1" * 10_000],
    json.dumps(HEADER)[:-1] + ',"version":1}',
    json.dumps(HEADER).replace('"kind"', '"kind":"slitherlink","kind"'),
]


@pytest.mark.parametrize("text", NO_HEADERS, ids=range(len(NO_HEADERS)))
def test_lines_that_are_no_headers(text):
    assert not holds(with_text(text))


@pytest.mark.parametrize(
    "strange", [None, True, 1.0, 2, -1, "1", [], {}, [[]], float("nan"), 1e400]
)
@pytest.mark.parametrize("member", ["format", "version", "puzzle", "solutions", "taut", "more"])
def test_strange_members(member, strange):
    assert not holds(changed(**{member: strange}))


STRANGE_CELLS = [True, 3.0, -1, 5, 10**30, "3", [], {}, float("nan")]


@pytest.mark.parametrize("cell", STRANGE_CELLS)
def test_strange_cells(cell):
    grid = [[*row] for row in PUZZLE.grid]
    grid[0][0] = cell
    assert not holds(changed(puzzle=record_of(PUZZLE) | {"grid": grid}))


@pytest.mark.parametrize(
    "members",
    [
        {"kind": "masyu"},
        {"kind": ["slitherlink"]},
        {"variant": "path"},
        {"variant": None},
        {"variant": []},
        {"grid": []},
        {"grid": [[]]},
        {"grid": "..."},
        {"grid": [[3, None, 3], [None], [3, None, 3]]},
        {"grid": [[None] * 201] * 200},
        {"ends": [[0, 0], [0, 1]]},
        {"given": [3]},
        {"variant": "path", "ends": []},
        {"variant": "path", "ends": [[0, 0], [0, 0]]},
        {"variant": "path", "ends": [[0, 0], [0.0, 1]]},
        {"variant": "path", "ends": [[0, 0], [False, 1]]},
        {"variant": "path", "ends": [[0, 0], [1, 1]]},
        {"variant": "path", "ends": [[0, 0], [0, 4]]},
        {"variant": "path", "ends": [[0, 0], [0, -1]]},
        {"variant": "path", "ends": [[0, 0], "ab"]},
        {"variant": "path", "ends": {"0": 1}},
    ],
    ids=str,
)
def test_strange_puzzles(members):
    assert not holds(changed(puzzle=record_of(PUZZLE) | members))


@pytest.mark.parametrize(
    "solution",
    [
        *[[], [0], [-1, 0], [0, 0], [10**30], [True, 2], [1.0], ["0"], [[0]], None, 3, "0", {}],
        [0, 1, 3, 4, 5, 6, 8, 9, 13, 15, 16, 17, 19, 20, 21, 24],
    ],
    ids=str,
)
def test_strange_solutions(solution):
    assert not holds(changed(solutions=[solution]))
    assert not holds(changed(solutions=[*HEADER["solutions"], solution]))


def test_solutions_in_another_order():
    assert holds(changed())
    assert not holds(changed(solutions=HEADER["solutions"][::-1]))


def test_solutions_break_rules_of_every_sort():
    """Each set of edges that is close to a solution, but none; the verifier has its own rules."""
    rng = random.Random(3)
    for _ in range(60):
        puzzle = random_puzzle(rng, rng.randint(1, 3), rng.randint(2, 3))
        board = checker.Board(checker.Puzzle(record_of(puzzle)))
        good = {tuple(sorted(s.edges)) for s in certificate(puzzle, limit=999).solutions}
        for edges in good:
            board.check_solution([*edges], "it")
            for _ in range(10):
                other = {*edges} ^ {
                    rng.randrange(len(board.edges)) for _ in range(rng.choice((1, 4)))
                }
                if tuple(sorted(other)) not in good:
                    with pytest.raises(checker.Refused):
                        board.check_solution(sorted(other), "it")


def test_files_that_are_none():
    rng = random.Random(4)
    text = lzma.decompress(MADE)
    for data in (
        *[b"", b"\xfd7zXZ\0", MADE[:-1], MADE + b"\0", MADE + MADE, text],
        *[lzma.compress(text, format=lzma.FORMAT_ALONE), repacked(b""), repacked(b"{}")],
        *[rng.randbytes(rng.randrange(200)) for _ in range(100)],
        *[repacked(rng.randbytes(rng.randrange(200))) for _ in range(100)],
        *[with_proof(rng.randbytes(rng.randrange(60))) for _ in range(300)],
    ):
        assert not holds(data)


#: The largest number, and one that is larger.
LARGE = number(2**28 - 1)


@pytest.mark.parametrize(
    "proof",
    [
        LARGE,
        number(2**28),
        b"\x80" * 40,
        b"\x80\x00" + number(0) * 2,
        number(1) + LARGE + number(0) * 2,
        number(0) + LARGE,
        number(0) + number(1) + LARGE,
        number(0) + number(1) + number(1) + LARGE + number(1) + number(1),
        number(0) + number(1) + number(1) + number(0) + LARGE + LARGE,
        number(0) + number(0) + LARGE,
        number(0) + number(0) + number(1) + number(0),
        number(0) + number(0) + number(1) + LARGE,
        number(0) + number(0) + number(1) + number(1) + LARGE,
        number(0) + number(0) + number(0) + number(0),
    ],
    ids=bytes.hex,
)
def test_numbers_that_lie(proof):
    assert not holds(with_proof(proof))


BOMBS = {
    "zeros": lambda: repacked(bytes(10**8)),
    "a long line": lambda: repacked(b'"' + b"a" * 4 * 10**7 + b'"\n'),
    "deep": lambda: with_text("[" * 9 * 10**6),
    "solutions": lambda: changed(solutions=[[0]] * 10**6),
    "vertices": lambda: with_proof(number(0) + number(1) + number(2**21) + bytes(2**21)),
    "lemmas": lambda: with_proof(
        number(1) + bytes(1) + number(0) + number(2**19) + b"\1\0" * 2**19
    ),
    "links": lambda: with_proof(
        number(1) + bytes(1) + number(0) + number(1) + number(2**21) + bytes(2**21)
    ),
}


@pytest.mark.parametrize("name", BOMBS)
def test_bombs(name):
    data = BOMBS[name]()
    begun = time.process_time()
    assert not holds(data)
    assert time.process_time() - begun < 30


def test_long_chains_are_cut_off(monkeypatch):
    made = certificate(Slitherlink([[None, 3, None], [None] * 3, [2, None, 3]]), limit=99)
    assert made.solutions
    assert holds(made.data)
    for name in ("LITERALS", "VERTICES", "CELLS", "BYTES", "HEADER", "LISTS"):
        with monkeypatch.context() as patched:
            patched.setattr(checker, f"MOST_{name}", 3)
            assert not holds(made.data), name
    monkeypatch.setattr(checker, "FREE_STEPS", 0)
    assert holds(made.data)
    for few in (1, 3):
        with monkeypatch.context() as patched:
            patched.setattr(checker, "STEPS_PER_BYTE", few)
            assert not holds(made.data)


@pytest.mark.parametrize(
    "puzzle",
    [
        PUZZLE,
        Slitherlink([[3, None], [None, 2]], ends=((0, 0), (2, 1))),
        Numberlink([[1, None, 12], [1, None, 12]]),
        Numberlink([[2, 2], [1, 1]], variant="fill"),
        SimpleLoop.from_holes(3, 3, [(1, 1)]),
        Slitherlink([[None, 0, 1, None, 2, None, None, 3, 1, 1, None, 4]]),
    ],
    ids=lambda puzzle: f"{puzzle.kind} {puzzle.variant}",
)
def test_puzzles_are_read_in_every_form(puzzle, tmp_path):
    essence = checker.Puzzle(record_of(puzzle)).essence
    texts = [write(puzzle, "text"), write(puzzle, "json"), "# a board\n\n" + write(puzzle, "text")]
    rows = [
        "".join({None: ".", 0: "0"}.get(cell, str(cell)) for cell in row) for row in puzzle.grid
    ]
    if puzzle.kind == "slitherlink":
        texts.append(json.dumps(record_of(puzzle) | {"grid": rows}))
        texts.append(json.dumps(record_of(puzzle) | {"grid": "\n".join(rows), "name": "x"}))
    for text in texts:
        file = tmp_path / "puzzle"
        file.write_text(text)
        assert checker.read_puzzle(str(file)).essence == essence
    if puzzle.variant in ("loop", "free"):
        url = write(puzzle, "pzpr").strip()
        assert checker.read_puzzle(url).essence == essence
        file.write_text(url + "\n")
        assert checker.read_puzzle(str(file)).essence == essence


def test_random_puzzles_are_read_from_text_and_url(tmp_path):
    rng = random.Random(6)
    for _ in range(60):
        puzzle = random_puzzle(rng, rng.randint(1, 3), rng.randint(2, 3))
        essence = checker.Puzzle(record_of(puzzle)).essence
        (tmp_path / "puzzle").write_text(write(puzzle, "text"))
        assert checker.read_puzzle(str(tmp_path / "puzzle")).essence == essence
        if puzzle.variant in ("loop", "free"):
            assert checker.read_puzzle(write(puzzle, "pzpr").strip()).essence == essence


@pytest.mark.parametrize(
    "text",
    [
        *["", "#", "slitherlink", "slitherlink\n3x", "chess\n...", "{}", '{"kind": 1}', "{"],
        *["slitherlink loop more\n..\n", "numberlink\n1..\n", "slitherlink path\n..\n"],
        *["slitherlink path\nends 0,0 x\n..\n", "slitherlink path\nends 0,0 0,1,2\n..\n"],
        *["https://puzz.link/p?slither/4/4", "https://puzz.link/p?slither/2/2/zzzz"],
        *["https://puzz.link/p?masyu/4/4/1", "https://puzz.link/p?slither/x/2/a", "http://"],
        *["https://puzz.link/p?slither/2/2/!", "https://puzz.link/p?slither/99999/99999/a"],
        *['{"kind": "slitherlink", "grid": 3}', '{"kind": "slitherlink", "grid": null}'],
    ],
    ids=repr,
)
def test_puzzles_that_are_none(text, tmp_path, capsys):
    (tmp_path / "puzzle").write_text(text)
    (tmp_path / "certificate").write_bytes(MADE)
    names = [str(tmp_path / "puzzle"), *([text] if "://" in text else [])]
    for name in names:
        status = checker.main(["--puzzle", name, str(tmp_path / "certificate")])
        out, err = capsys.readouterr()
        assert (status, out) == (2, "")
        assert len(err.splitlines()) == 1
