"""The proved checker (`verified/`) accepts honest certificates, and nothing that is not so."""

from __future__ import annotations

import lzma
import random
import subprocess
from functools import cache
from itertools import islice, pairwise
from pathlib import Path
from typing import Any

import pytest

from linkoracle import (
    Puzzle,
    Slitherlink,
    Solution,
    certificate,
    check_solution,
    read,
    solutions,
    write,
)
from linkoracle.certificates import verify_certificate as checker
from linkoracle.certificates import verify_proved
from linkoracle.certificates.proved import checker_command, explicit_steps
from linkoracle.cli.main import main
from linkoracle.core import NoCertificate
from linkoracle.kinds import KINDS
from linkoracle.kinds.checking import random_puzzles
from tests.certificates.forging import repacked

try:
    COMMAND = checker_command()
except NoCertificate as missing:
    pytest.skip(str(missing), allow_module_level=True)

#: The kinds that the checker knows, each with its variants.
KNOWN = {
    kind: [variant for variant in variants if variant != "path"]
    for kind, variants in checker.VARIANTS.items()
    if kind not in ("numberlink", "model")
}
NAMES = [(kind, variant) for kind, variants in KNOWN.items() for variant in variants]


def answer(folder: Path, text: str, steps: str) -> str:
    """What the checker says of a puzzle and the steps of a proof: its first line."""
    files = [folder / "puzzle", folder / "steps"]
    for file, content in zip(files, (text, steps), strict=True):
        file.write_text(content, encoding="ascii")
    done = subprocess.run([*COMMAND, *files], capture_output=True, text=True, check=False)
    assert done.returncode in (0, 1, 2), done
    return (done.stdout + done.stderr).splitlines()[0]


def text_of(puzzle: Puzzle) -> str:
    """The puzzle in words that the checker reads: with numbers for regions."""
    record = {"kind": puzzle.kind, "variant": puzzle.variant, "grid": [*map(list, puzzle.grid)]}
    record |= {name: [*map(list, rows)] for name, rows in regions_of(puzzle).items()}
    return f"{checker.Puzzle(record)}\n"


def step_of(solution: Solution) -> str:
    """A loop as a step: its lines in order."""
    (walk,) = solution.paths()
    cells = [*walk, walk[0]] if walk[0] != walk[-1] else [*walk]
    words = ["s"]
    for (row, col), (next_row, next_col) in pairwise(cells):
        down = int(row != next_row)
        words += map(str, (down, min(row, next_row), min(col, next_col)))
    return " ".join(words) + "\n"


def puzzles(kind: str, variant: str, number: int) -> list[Puzzle]:
    """Random puzzles of a kind and variant, without given lines."""
    rng = random.Random(f"{kind} {variant}")
    sizes = [(3, 4), (4, 4)] * 50
    found = (one for size in sizes for one in random_puzzles(KINDS[kind], *size, 20, rng))
    usual = variant == next(iter(KINDS[kind].variants))
    named = {} if usual else {"variant": variant}
    fitting = (
        type(one)(one.grid, **regions_of(one), **named) for one in found if one.variant == variant
    )
    return [*islice(fitting, number)]


def regions_of(puzzle: Puzzle) -> dict[str, Any]:
    return {"regions": puzzle.regions} if "regions" in puzzle.annotations else {}


@pytest.mark.parametrize(("kind", "variant"), NAMES)
def test_certificates_of_random_puzzles(kind, variant, tmp_path):
    proved = 0
    for puzzle in puzzles(kind, variant, 6):
        made = certificate(puzzle, limit=1000)
        if not made.solutions and "checkerboard" in reason_of(made.data):
            continue
        said = answer(tmp_path, text_of(puzzle), explicit_steps(made.data))
        assert said == f"verified: exactly {len(made.solutions)} solutions of this puzzle:", puzzle
        proved += 1
    assert proved


def reason_of(data: bytes) -> str:
    """Why a certificate has no steps, or nothing."""
    try:
        explicit_steps(data)
    except NoCertificate as error:
        return str(error)
    return ""


def agree(kind: str, variant: str, folder: Path, number: int, loops: int) -> None:
    """A loop is a solution by the spec if and only if it is one by the rules of the kind."""
    answers = set()
    rng = random.Random(kind)
    for puzzle in puzzles(kind, variant, number):
        more = 0 if puzzle.through_cells else 1
        known = loops_of(puzzle.rows + more, puzzle.cols + more)
        for loop in [*rng.sample(known, loops), *islice(solutions(puzzle), 2)]:
            right = check_solution(puzzle, Solution(puzzle.lattice, loop.edges))
            said = answer(folder, text_of(puzzle), step_of(loop))
            # A right solution leaves the proof that there is no other, which is empty.
            expected = "step 1 does not follow" if right else "a solution is wrong, or there twice"
            assert said == f"refused: {expected}", (puzzle, loop)
            answers.add(right)
    assert answers == {True, False}


@pytest.mark.parametrize(("kind", "variant"), NAMES)
def test_specs_agree_with_the_rules_of_kinds(kind, variant, tmp_path):
    agree(kind, variant, tmp_path, 8, 3)


@pytest.mark.heavy
@pytest.mark.parametrize(("kind", "variant"), NAMES)
def test_many_drawings_by_specs_and_rules(kind, variant, tmp_path):
    agree(kind, variant, tmp_path, 250, 20)


@cache
def loops_of(rows: int, cols: int) -> list[Solution]:
    """All loops on a board of dots or cells."""
    return [*solutions(Slitherlink.blank(rows - 1, cols - 1))]


def test_damaged_steps_are_refused(tmp_path):
    rng = random.Random(1)
    puzzle = read("slitherlink\n3.3.\n....\n.2.3\n3..2\n")
    made = certificate(puzzle)
    text, steps = text_of(puzzle), explicit_steps(made.data).splitlines()
    honest = f"verified: exactly {len(made.solutions)} solutions of this puzzle:"
    assert answer(tmp_path, text, "\n".join(steps)) == honest
    refused = 0
    for _ in range(60):
        changed = [line.split() for line in steps]
        at = rng.randrange(len(changed))
        if rng.random() < 0.3:
            del changed[at]
        else:
            word = rng.randrange(1, len(changed[at])) if len(changed[at]) > 1 else 0
            changed[at][word] = str(rng.randrange(-9, 60)) if word else "o"
        said = answer(tmp_path, text, "\n".join(map(" ".join, changed)))
        # What is still accepted says the same.
        assert said == honest or not said.startswith("verified"), changed
        refused += said != honest
    assert refused > 40


def test_another_puzzle_is_refused(tmp_path):
    """With other clues, the same steps prove nothing unless the solutions are the same."""
    puzzle = read("slitherlink\n3.3.\n....\n.2.3\n3..2\n")
    made = certificate(puzzle)
    steps = explicit_steps(made.data)
    refused = 0
    for row in range(4):
        for col in range(4):
            grid = [[*line] for line in puzzle.grid]
            for clue in {None, 0, 1, 2, 3} - {grid[row][col]}:
                grid[row][col] = clue
                other = Slitherlink(grid)
                said = answer(tmp_path, text_of(other), steps)
                same = {s.edges for s in solutions(other)} == {s.edges for s in made.solutions}
                assert same or not said.startswith("verified"), other
                refused += not said.startswith("verified")
    assert refused > 30


def test_the_command_reads_the_puzzle_itself(tmp_path, capsys):
    """Text is read by the checker; another format is written as text."""
    puzzle = read("masyu\n# a comment\n....\n.w..\n...b\n....\n")
    (tmp_path / "made").write_bytes(certificate(puzzle, limit=1000).data)
    (tmp_path / "text").write_text("# mine\nmasyu\n....\n.w..\n...b\n....\n", encoding="ascii")
    (tmp_path / "json").write_text(write(puzzle, "json"), encoding="ascii")
    (tmp_path / "other").write_text("masyu\n....\n.w..\n...w\n....\n", encoding="ascii")
    for name, status, words in (
        ("text", 0, "# mine\nmasyu\n"),
        ("json", 0, "masyu loop\n"),
        ("other", 1, "of another puzzle"),
    ):
        with pytest.raises(SystemExit) as stopped:
            main(["verify", "--proved", "--puzzle", str(tmp_path / name), str(tmp_path / "made")])
        said = capsys.readouterr().out
        assert (stopped.value.code, words in said) == (status, True), said
        assert ("verified: exactly" in said) == (status == 0)


def test_a_region_whose_name_is_split_is_not_read(tmp_path):
    """In files, cells of one name that do not hang together are several regions."""
    text = "entryexit\n" + "....\n" * 2 + "regions\n{}\n{}\n"
    ways = {"aabb aabb": "refused", "abba abba": "unknown", "abbb abbb": "refused"}
    for names, word in ways.items():
        said = answer(tmp_path, text.format(*names.split()), "")
        assert said.startswith(word), names


def test_what_it_does_not_know_is_named():
    for text, reason in (
        ("numberlink\n1.\n.1\n", "loops only"),
        ("slitherlink path\nends 0,0 0,1\n3\n", "loops only"),
        ("grandtour\n..\n..\n", "no models"),
    ):
        with pytest.raises(NoCertificate, match=reason):
            verify_proved(certificate(read(text)).data)


def test_damaged_certificates_are_refused_or_true():
    """The lone verifier and the proved checker accept the same files, or the claim is true."""
    rng = random.Random(3)
    data = certificate(read("yajilin\n....\n.1e..\n....\n....\n".replace(".1e..", ". 1e . ."))).data
    text = lzma.decompress(data)
    both = 0
    for _ in range(60):
        changed = bytearray(text)
        changed[rng.randrange(text.index(b"\n"), len(text))] = rng.randrange(256)
        damaged = repacked(bytes(changed))
        try:
            checker.verify(damaged)
            lone = True
        except checker.Refused:
            lone = False
        try:
            proved = verify_proved(damaged)[0]
        except (ValueError, IndexError, checker.Refused, NoCertificate):
            proved = False
        assert lone <= proved
        both += proved
    assert both < 60
