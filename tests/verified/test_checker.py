"""The proved checker (`verified/`) accepts honest certificates, and nothing that is not so."""

from __future__ import annotations

import lzma
import random
import subprocess
from functools import cache
from itertools import islice, pairwise
from pathlib import Path

import pytest

from linkoracle import (
    Puzzle,
    Slitherlink,
    Solution,
    certificate,
    check_solution,
    count,
    read,
    solutions,
    write,
)
from linkoracle.certificates import Certificate, verify_proved
from linkoracle.certificates import verify_certificate as checker
from linkoracle.certificates.proved import checker_command, explicit_steps
from linkoracle.cli.main import main
from linkoracle.core import NoCertificate, counted
from linkoracle.kinds import KINDS
from linkoracle.kinds.checking import random_puzzles
from tests import boards
from tests.certificates.forging import holds, random_puzzle, repacked

try:
    COMMAND = checker_command()
except NoCertificate as missing:
    pytest.skip(str(missing), allow_module_level=True)

#: The kinds that the checker knows, each with its variants.
NAMES = [
    *(("slitherlink", variant) for variant in ("loop", "path", "fill")),
    *(("numberlink", variant) for variant in ("free", "fill")),
    ("grandtour", "loop"),
    *((kind, variant) for kind in checker.LOOPS for variant in checker.VARIANTS[kind]),
]


def answer(folder: Path, text: str, steps: str) -> str:
    """What the checker says of a puzzle and the steps of a proof: its first line."""
    files = [folder / "puzzle", folder / "steps"]
    for file, content in zip(files, (text, steps), strict=True):
        file.write_text(content, encoding="ascii")
    done = subprocess.run([*COMMAND, *files], capture_output=True, text=True, check=False)
    assert done.returncode in (0, 1, 2), done
    return (done.stdout + done.stderr).splitlines()[0]


def accepted(made: Certificate) -> str:
    return f"verified: exactly {counted(len(made.solutions), 'solution')} of this puzzle:"


def text_of(puzzle: Puzzle) -> str:
    """The puzzle in words that the checker reads: the names of regions are numbers."""
    text = write(puzzle, "text")
    if "regions" not in text:
        return text
    names = (" ".join("." if name is None else str(name) for name in row) for row in puzzle.regions)
    return text[: text.index("regions")] + "regions\n" + "\n".join(names) + "\n"


def step_of(solution: Solution) -> str:
    """A solution as steps: the lines of each path in order."""
    words = ""
    for at, walk in enumerate(sorted(min(path, path[::-1]) for path in solution.paths())):
        words += "p" if at else "s"
        for (row, col), (next_row, next_col) in pairwise(walk):
            words += f" {int(row != next_row)} {min(row, next_row)} {min(col, next_col)}"
        words += "\n"
    return words


@cache
def puzzles(kind: str, variant: str, number: int) -> list[Puzzle]:
    """Random puzzles of a kind and variant, some of them with given lines."""
    rng = random.Random(f"{kind} {variant}")
    if kind == "numberlink" or variant == "path":
        found = (random_puzzle(rng, 3, 3) for _ in range(10_000))
    else:
        sizes = [(3, 4), (4, 4)] * 50
        found = (one for size in sizes for one in random_puzzles(KINDS[kind], *size, 20, rng))
    fitting = (one for one in found if (one.kind, one.variant) == (kind, variant))
    return [*islice(fitting, number)]


@pytest.mark.parametrize(("kind", "variant"), NAMES)
def test_certificates_of_random_puzzles(kind, variant, tmp_path):
    proved = 0
    for puzzle in puzzles(kind, variant, 6):
        made = certificate(puzzle, limit=1000, taut=False)
        if not made.solutions and "checkerboard" in reason_of(made.data, puzzle):
            continue
        said = answer(tmp_path, text_of(puzzle), explicit_steps(made.data, puzzle))
        assert said == accepted(made), puzzle
        proved += 1
    assert proved


def test_slitherlinks_on_any_board():
    """A board that is not of squares is stated by its faces."""
    rng = random.Random(2)
    verified = 0
    for _ in range(12):
        board = boards.plane_board(rng)
        sizes = [len(board.edges_of(face)) for face in range(board.num_faces)]
        puzzle = Slitherlink.on(board, [rng.choice([None, rng.randrange(k)]) for k in sizes])
        made = certificate(puzzle, limit=1000)
        try:
            proved, said = verify_proved(made.data, puzzle)
        except NoCertificate as error:
            if "edges are on faces" not in str(error):
                raise
            continue
        words = accepted(made)
        assert (proved, said.splitlines()[0]) == (True, words)
        verified += 1
    assert verified > 8


def reason_of(data: bytes, puzzle: Puzzle) -> str:
    """Why a certificate has no steps, or nothing."""
    try:
        explicit_steps(data, puzzle)
    except NoCertificate as error:
        return str(error)
    return ""


def agree(kind: str, variant: str, folder: Path, number: int, loops: int) -> None:
    """Paths are a solution by the spec if and only if they are one by the rules of the kind."""
    answers = set()
    rng = random.Random(kind)
    for puzzle in puzzles(kind, variant, number):
        more = 0 if puzzle.through_cells else 1
        known = drawings_of(kind, variant, puzzle.rows + more, puzzle.cols + more)
        for loop in [*rng.sample(known, loops), *islice(solutions(puzzle), 2)]:
            right = check_solution(puzzle, Solution(puzzle.lattice, loop.edges))
            said = answer(folder, text_of(puzzle), step_of(loop))
            # A right solution leaves the proof that there is no other, which is empty.
            expected = "step 1 does not follow" if right else "a solution is wrong, or there twice"
            assert said == f"refused: {expected}", (puzzle, loop)
            answers.add(right)
    assert answers == {True, False}


def try_drawings(kind: str, variant: str, folder: Path, number: int, each: int) -> None:
    """Any drawing is right by the program that is proved equal to the spec, or by neither."""
    rng = random.Random(f"{kind} {variant}")
    answers = set()
    for puzzle in puzzles(kind, variant, number):
        lattice = puzzle.lattice
        drawings = [sorted(solution.edges) for solution in islice(solutions(puzzle), 3)]
        loops = drawings_of(kind, variant, lattice.rows, lattice.cols)
        drawings += [sorted(one.edges) for one in rng.sample(loops, min(len(loops), each))]
        for edges in [*drawings]:
            # A line more or less, and any set of lines.
            drawings.append(sorted({*edges} ^ {rng.randrange(lattice.num_edges)}))
        drawings += [
            sorted(rng.sample(range(lattice.num_edges), rng.randrange(1, 9))) for _ in range(each)
        ]
        files = [folder / "puzzle", folder / "drawings"]
        files[0].write_text(text_of(puzzle), encoding="ascii")
        lines = []
        for edges in drawings:
            ends = [sorted(map(lattice.position, lattice.ends(edge))) for edge in edges]
            lines.append(" ".join(f"{int(a[0] != b[0])} {a[0]} {a[1]}" for a, b in ends))
        files[1].write_text("\n".join(lines) + "\n", encoding="ascii")
        done = subprocess.run(
            [*COMMAND, "--try", *files], capture_output=True, text=True, check=True
        )
        right = [
            "right" if check_solution(puzzle, Solution(lattice, edges)) else "wrong"
            for edges in drawings
        ]
        assert done.stdout.split() == right, puzzle
        answers.update(right)
    assert answers == {"right", "wrong"}


LOOPS = [name for name in NAMES if name[0] != "numberlink" and name[1] != "path"]


@pytest.mark.parametrize(("kind", "variant"), LOOPS)
def test_drawings_by_specs_and_rules(kind, variant, tmp_path):
    try_drawings(kind, variant, tmp_path, 8, 6)


@pytest.mark.heavy
@pytest.mark.parametrize(("kind", "variant"), LOOPS)
def test_many_drawings_by_specs_and_rules(kind, variant, tmp_path):
    try_drawings(kind, variant, tmp_path, 120, 20)


@pytest.mark.parametrize(("kind", "variant"), sorted({*NAMES} - {*LOOPS}))
def test_specs_agree_with_the_rules_of_kinds(kind, variant, tmp_path):
    agree(kind, variant, tmp_path, 20 if kind == "numberlink" else 8, 3)


@cache
def drawings_of(kind: str, variant: str, rows: int, cols: int) -> list[Solution]:
    """All loops on a board of dots or cells, or the paths of some puzzles."""
    if kind != "numberlink" and variant != "path":
        return [*solutions(Slitherlink.blank(rows - 1, cols - 1))]
    return [one for puzzle in puzzles(kind, variant, 30) for one in islice(solutions(puzzle), 3)]


def test_damaged_steps_are_refused(tmp_path):
    rng = random.Random(1)
    puzzle = read("slitherlink\n3.3.\n....\n.2.3\n3..2\n")
    made = certificate(puzzle)
    text, steps = text_of(puzzle), explicit_steps(made.data).splitlines()
    honest = accepted(made)
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
        ("json", 0, "puzzle:\nmasyu\n"),
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
        ("numberlink\n12\n12\n", "taut"),
        ("zip\n1.\n2.\n", "name its puzzle"),
        ("grandtour\n...\n...\n...\n", "name its puzzle"),
    ):
        with pytest.raises(NoCertificate, match=reason):
            verify_proved(certificate(read(text)).data)


def damage(kind: str, variant: str, number: int) -> None:
    """The lone verifier and the proved checker accept the same files.

    Damage may leave out what the proved checker does not ask for: then its claim is the same.
    """
    rng = random.Random(3)
    puzzle = next(one for one in puzzles(kind, variant, 60) if count(one, 20) in range(1, 20))
    data = certificate(puzzle, limit=20, taut=False).data
    text = lzma.decompress(data)
    _, honest = verify_proved(data, puzzle, [text_of(puzzle)])
    refused = 0
    for _ in range(number):
        changed = bytearray(text)
        changed[rng.randrange(text.index(b"\n"), len(text))] = rng.randrange(256)
        damaged = repacked(bytes(changed))
        try:
            proved, said = verify_proved(damaged, puzzle, [text_of(puzzle)])
        except (ValueError, IndexError, checker.Refused, NoCertificate):
            proved = False
        assert holds(damaged) <= proved
        assert not proved or said == honest
        refused += not proved
    assert refused > number // 3


@pytest.mark.parametrize(("kind", "variant"), NAMES)
def test_damaged_certificates(kind, variant):
    damage(kind, variant, 6)


@pytest.mark.heavy
@pytest.mark.parametrize(("kind", "variant"), NAMES)
def test_many_damaged_certificates(kind, variant):
    damage(kind, variant, 1000)
