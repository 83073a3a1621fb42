"""Puzzles on the faces of any board: rules, files, symmetries, certificates, generated ones."""

import json
import pickle
import random
import subprocess
import sys
from dataclasses import replace
from itertools import combinations, product
from math import dist
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import linkoracle
from linkoracle import Lattice, LinkModel, Numberlink, SimpleLoop, Slitherlink, boards
from linkoracle.board.symmetry import motions
from linkoracle.catalogue import Catalogue
from linkoracle.certificates import record_of
from linkoracle.certificates import verify_certificate as checker
from linkoracle.core import FormatError, NotSupported, PuzzleError
from linkoracle.kinds import KINDS, GridPuzzle, canonical, images
from tests.boards import plane_board, scattered, sides, without_labels
from tests.certificates.forging import Parts

#: Boards with up to two dozen faces of many shapes.
NAMED = (
    *("honeycomb 3 3", "triangular 3 2", "cairo 2 2", "kagome 1 2", "kites 1 1", "floret 1 1"),
    *("snub_square 2 2", "octagonal 2 2", "dodecagonal 1 1", "great_hexagonal 2 2"),
)


def test_what_needs_rows_and_columns_says_so():
    board = boards.honeycomb(2, 2)
    with pytest.raises(PuzzleError, match=r"^Masyu needs rows and columns$"):
        KINDS["masyu"].on(board)
    puzzle = Slitherlink.on(board, "3...")
    for name in ("grid", "rows", "cols", "lattice"):
        with pytest.raises(NotSupported, match="expected a puzzle of rows and columns"):
            getattr(puzzle, name)
    with pytest.raises(FormatError, match="pzpr has rows and columns only"):
        linkoracle.write(puzzle, "pzpr")


@pytest.mark.parametrize("kind", [Slitherlink, Numberlink, SimpleLoop])
def test_a_kind_is_one_class_on_every_board(kind):
    """With the same members, and those of the board: not those of rows and columns."""
    board = boards.honeycomb(3, 3)
    puzzle, rows = kind.on(board), kind.blank(3, 3)
    assert type(puzzle) is type(rows) is kind
    assert (puzzle.faces, puzzle.tiling, rows.tiling) == (board, board, None)
    assert (rows.faces, rows.clues) == (Lattice(4, 4), (None,) * 9)
    assert kind.on(rows.faces, rows.clues) == rows == replace(rows, clues=()) != puzzle
    assert puzzle.instructions.keys() == puzzle.variants.keys()
    assert (puzzle.examples, puzzle.pzpr) == ({}, None)
    assert pickle.loads(pickle.dumps(puzzle)) == puzzle
    with pytest.raises(PuzzleError, match="needs rows and columns"):
        type("Other", (kind,), {}).on(board)


def test_what_other_boards_lack_is_refused():
    board = boards.honeycomb(2, 2)
    assert Slitherlink.on(board, holes=[], ends=()) == Slitherlink.on(board)
    for name, places in (("holes", [3]), ("ends", [(0, 0), (1, 1)])):
        with pytest.raises(PuzzleError, match=f"expected no {name} on this board"):
            Slitherlink.on(board, **{name: places})
    with pytest.raises(PuzzleError, match="expected the variant 'loop' or 'fill', found 'path'"):
        Slitherlink.on(board, variant="path")


def test_a_kind_of_another_package_may_fit_every_board():
    """The kind of the documentation needs no rows: only its sentences name them."""

    class EvenOdd(GridPuzzle):
        kind, title, variants, max_clue, on_faces = "evenodd", "Even Odd", {"loop": ""}, 1, {}

        @property
        def model(self):
            free = self.faces.free_masks
            odd = sum(2 << 2 * n for n in range(20))
            masks = [
                mask if clue is None else mask & (odd if clue else odd >> 1)
                for clue, mask in zip(self.clues, free, strict=True)
            ]
            return replace(LinkModel.blank_loop(self.board), faces=masks)

        @classmethod
        def from_solution(cls, solution):
            return cls.on(solution.board, [count % 2 for count in solution.counts()])

        def faults(self, lines):
            return lines.faults()

    board = boards.honeycomb(2, 2)
    counts = [[*loop.counts()] for loop in linkoracle.solutions(Slitherlink.on(board))]
    for face, odd in product(range(4), (0, 1)):
        puzzle = EvenOdd.on(board, {face: odd})
        assert linkoracle.count(puzzle) == sum(count[face] % 2 == odd for count in counts)
        assert dict(puzzle.clue_cells()) == {face: odd}


def test_a_square_board_makes_rows_and_columns():
    assert Slitherlink.on(Lattice(3, 4), "3....2") == Slitherlink(["3..", "..2"])
    assert Numberlink.on(boards.square(2, 2), "1221", variant="fill") == Numberlink(
        ["12", "21"], "fill"
    )


@pytest.mark.parametrize(
    ("clues", "reason"),
    [
        ("7...", "expected a clue from 0 to 6 or '?', found 7"),
        ({4: 1}, "expected a face from 0 to 3, got 4"),
        ([1, 2], "expected 4 clues, one for each face, found 2"),
        (5, "expected a clue for each face, found 5"),
        ([1.5, None, None, None], "expected a clue from 0 to 6 or '?', found 1.5"),
    ],
)
def test_wrong_clues_are_refused(clues, reason):
    with pytest.raises(PuzzleError) as refused:
        Slitherlink.on(boards.honeycomb(2, 2), clues)
    assert refused.value.reason == reason


@st.composite
def puzzles(draw):
    """Draw Slitherlinks with any clues, Numberlinks and Simple Loops."""
    rng = draw(st.randoms(use_true_random=False))
    board = boards.named(draw(st.sampled_from(NAMED))) if rng.random() < 0.5 else plane_board(rng)
    faces = range(board.num_faces)
    kind = draw(st.sampled_from([Slitherlink, Numberlink, SimpleLoop]))
    joined = board.dual if kind.through_cells else board
    edges = [joined.ends(edge) for edge in range(joined.num_edges)]
    edges = rng.sample(edges, min(len(edges), rng.choice([0, 1, 3])))
    lines = {"given": edges[:1], "forbidden": edges[1:]}
    if kind is Slitherlink:
        clues = {face: rng.randrange(len(sides(board, face)) + 1) for face in faces}
        shown = {face: clues[face] for face in faces if rng.random() < 0.6}
        return kind.on(board, shown, variant=draw(st.sampled_from(["loop", "fill"])), **lines)
    chosen = rng.sample(faces, len(faces) // 2 * 2)
    if kind is SimpleLoop:
        joined_here = {face for line in lines["given"] for face in line}
        holes = [face for face in chosen[: len(faces) // 3] if face not in joined_here]
        return kind.on(board, dict.fromkeys(holes, 0), **lines)
    pairs = zip(chosen[::2], chosen[1::2], strict=True)
    numbers = {face: number * 7 + 1 for number, pair in enumerate(pairs) for face in pair}
    return kind.on(board, numbers, variant=draw(st.sampled_from([*Numberlink.variants])), **lines)


@given(puzzles())
def test_files_hold_every_puzzle(puzzle):
    for name in ("text", "json"):
        text = linkoracle.write(puzzle, name, name="a name")
        found = linkoracle.read(text if name == "text" else text + "\n")
        assert found == puzzle
        assert hash(found) == hash(puzzle)
    rows = linkoracle.write(puzzle).splitlines()
    # Line breaks have no meaning, nor do spaces if clues are characters.
    first = 2 + sum(bool(getattr(puzzle, name)) for name in puzzle.annotations)
    spread = "\n".join([*rows[:first], *(part for row in rows[first:] for part in row.split())])
    assert linkoracle.read(spread) == puzzle


@given(puzzles())
def test_images_are_the_same_puzzle(puzzle):
    every = images(puzzle)
    assert every[0] == puzzle
    assert len({canonical(image) for image in every}) == 1
    if isinstance(puzzle, type(every[0])) and puzzle.through_cells is False:
        assert len({linkoracle.count(image, limit=50) for image in every[:4]}) == 1


def shape_of(puzzle) -> list[float]:
    """Return the distances between the clue, the given line and the forbidden line."""
    board = puzzle.tiling
    (face, _), ends = next(puzzle.clue_cells()), [*puzzle.given, *puzzle.forbidden]
    areas = [[board.points[vertex] for vertex in walk] for walk in (board.walk(face), *ends)]
    middles = [[sum(axis) / len(area) for axis in zip(*area, strict=True)] for area in areas]
    return [dist(one, other) for one, other in combinations(middles, 2)]


def test_lines_move_with_their_board():
    board = boards.honeycomb(3, 3)
    puzzle = Slitherlink.on(board, {4: 3}, given=[board.ends(0)], forbidden=[board.ends(30)])
    image = images(puzzle)[1]
    assert image != puzzle
    assert canonical(image) == canonical(puzzle) != canonical(Slitherlink.on(board, {4: 3}))
    assert shape_of(image) == pytest.approx(shape_of(puzzle))
    assert linkoracle.count(image) == linkoracle.count(puzzle)


def test_given_lines_of_a_square_board_have_rows_and_columns():
    lines = {"given": [(0, 1), (5, 1)], "forbidden": [(7, 6)]}
    found = Slitherlink.on(Lattice(3, 4), "3....2", **lines)
    given = [((0, 0), (0, 1)), ((0, 1), (1, 1))]
    assert found == Slitherlink(["3..", "..2"], given=given, forbidden=[((1, 2), (1, 3))])
    found = Numberlink.on(Lattice(3, 3), "1221", given=[(0, 2)])
    assert found == Numberlink(["12", "21"], given=[((0, 0), (1, 0))])


@pytest.mark.parametrize(
    ("lines", "reason"),
    [
        ({"given": [(0, 2)]}, "given lines between neighbours of the 16 dots, found 0-2"),
        ({"given": [(0, 99)]}, "found 0-99"),
        ({"forbidden": [((0, 0), (0, 1))]}, "forbidden lines between neighbours of the 16 dots"),
        ({"given": [(0, 1), (1, 0)]}, "the line 0-1 once, found it twice"),
        ({"given": [(0, 1)], "forbidden": [(0, 1)]}, "0-1 given or forbidden, found it both"),
        ({"given": 7}, "given lines as a list, found 7"),
    ],
)
def test_wrong_lines_are_refused(lines, reason):
    with pytest.raises(PuzzleError, match=reason):
        Slitherlink.on(boards.honeycomb(2, 2), **lines)
    with pytest.raises(PuzzleError, match="given lines that avoid holes, found 0-1"):
        SimpleLoop.on(boards.honeycomb(2, 2), "*...", given=[(1, 0)])


@pytest.mark.parametrize(
    ("text", "line", "column", "reason"),
    [
        ("board honeycomb 2 2\ngiven 0-1 0-9\n....", 3, 11, "found 0-9"),
        ("board honeycomb 2 2\ngiven 0,1-0,2\n....", 3, 7, "pairs of numbers such as '3-7'"),
        ("board honeycomb 2 2\nends 0,1 0,2\n....", 3, 6, "expected no ends on this board"),
        ("given 0,0-0,1\nboard honeycomb 2 2\n....", 3, 1, "'board' above the line 'given'"),
    ],
)
def test_wrong_lines_in_files_are_told_with_their_place(text, line, column, reason):
    with pytest.raises(FormatError, match=reason) as refused:
        linkoracle.read(f"slitherlink\n{text}\n")
    assert (refused.value.line, refused.value.column) == (line, column)


@pytest.mark.parametrize("name", NAMED)
def test_symmetries_take_faces_to_faces_with_as_many_sides(name):
    board = boards.named(name)
    for moved, _ in motions(board):
        assert sorted(moved) == list(range(board.num_faces))
        lengths = [len(board.walk(face)) for face in range(board.num_faces)]
        assert [lengths[face] for face in moved] == lengths


def test_a_catalogue_has_no_image_twice():
    made = linkoracle.generate.slitherlink(boards.cairo(2, 2), seed=4)
    other = boards.triangular(3, 3)
    with Catalogue(None) as catalogue:
        assert catalogue.add(made.puzzle, made.solution)
        assert not any(catalogue.add(image) for image in images(made.puzzle))
        assert catalogue.add(linkoracle.generate.slitherlink(other, seed=1).puzzle)
        assert not list(catalogue.faults())
        first, second = catalogue.find()
        assert (first.puzzle, first.solution) == (made.puzzle, made.solution)
        assert second.size == f"{other.num_faces} faces"


BOARDS = (
    *map(boards.named, NAMED),
    without_labels(scattered(random.Random(5), 14, 0.9)),
    boards.from_polygons(
        [[(0, 0), (2, 0), (1, 1)], [(2, 0), (2, 2), (1, 1)], [(0, 0), (1, 1), (0, 2)]]
    ),
)


@pytest.mark.parametrize("board", BOARDS, ids=lambda board: board.words or repr(board))
def test_generated_puzzles_are_unique_by_the_plain_engine_and_minimal_if_requested(board):
    made = linkoracle.generate.slitherlink(board, seed=7, minimal=True)
    assert linkoracle.count(made.puzzle, limit=2, engine="plain") == 1
    assert linkoracle.check_solution(made.puzzle, made.solution)
    assert made.minimal
    for face, _ in made.puzzle.clue_cells():
        assert linkoracle.count(made.puzzle.with_clues({face: None}), limit=2) == 2
    more = linkoracle.generate.slitherlink(board, seed=7)
    assert more == linkoracle.generate.slitherlink(board, seed=7)
    assert linkoracle.count(more.puzzle, limit=2, engine="plain") == 1


def test_generated_puzzles_have_the_difficulty_that_is_asked_for():
    for label in ("normal", "tricky"):
        made = linkoracle.generate.slitherlink(boards.honeycomb(5, 5), seed=3, difficulty=label)
        assert linkoracle.grade(made.puzzle).label == label


@pytest.mark.parametrize("board", BOARDS[:7:2], ids=lambda board: board.words)
def test_a_certificate_has_its_board_and_is_verified_alone(board, tmp_path):
    made = linkoracle.generate.slitherlink(board, seed=1)
    proof = linkoracle.certificate(made.puzzle)
    assert (len(proof.solutions), proof.of_model) == (1, False)
    (tmp_path / "verify.py").write_bytes(Path(checker.__file__).read_bytes())
    proof.save(tmp_path / "good")
    faces = [[board.points[v] for v in board.walk(face)] for face in range(board.num_faces)]
    polygons = {"kind": "slitherlink", "board": {"polygons": faces}, "clues": made.puzzle.clues}
    (tmp_path / "same.json").write_text(json.dumps(polygons))
    face = next(made.puzzle.clue_cells())[0]
    other = {**polygons, "clues": made.puzzle.with_clues({face: None}).clues}
    (tmp_path / "other.json").write_text(json.dumps(other))

    def run(*arguments: str) -> subprocess.CompletedProcess[str]:
        line = [sys.executable, "-I", "verify.py", *arguments]
        return subprocess.run(line, cwd=tmp_path, capture_output=True, text=True)

    good = run("--puzzle", "same.json", "good")
    assert good.returncode == 0, good.stdout
    assert f"of {board.num_faces} faces: exactly 1 solution" in good.stdout
    assert run("--puzzle", "other.json", "good").stdout.endswith("it is of another puzzle\n")


def tampered(change) -> bytes:
    board = boards.honeycomb(3, 3)
    parts = Parts.of(
        linkoracle.certificate(linkoracle.generate.slitherlink(board, seed=1).puzzle).data
    )
    change(parts.header["puzzle"])
    return parts.packed()


def another_clue(puzzle) -> None:
    face = next(face for face, clue in enumerate(puzzle["clues"]) if clue is not None)
    puzzle["clues"][face] = puzzle["clues"][face] % 6 + 1


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (another_clue, "solution 1: "),
        (lambda puzzle: puzzle["clues"].__setitem__(0, 7), "the clue of face 0 is invalid"),
        (lambda puzzle: puzzle["clues"].__setitem__(0, True), "the clue of face 0 is invalid"),
        (lambda puzzle: puzzle["clues"].pop(), "expected a clue or null for each face"),
        (lambda puzzle: puzzle["board"]["faces"][0].pop(), "solution 1: "),
        (lambda puzzle: puzzle["board"]["faces"].reverse(), "solution 1: "),
        (lambda puzzle: puzzle["board"].update(vertices=10**9), "the board is too large"),
        (lambda puzzle: puzzle["board"].update(vertices=3), "a number is out of range"),
        (
            lambda puzzle: puzzle["board"].update(edges=[[0, 1, 2]]),
            "a face needs three corners, and an edge two ends",
        ),
        (lambda puzzle: puzzle.update(grid=[[1]]), "more than a board"),
        (
            lambda puzzle: puzzle.update(board={"name": "honeycomb 3 3"}),
            "an unknown key of the board",
        ),
        (lambda puzzle: puzzle.update(kind="simpleloop"), "boards are for loops on dots"),
        (
            lambda puzzle: puzzle["board"]["faces"].extend(2 * puzzle["board"]["faces"][:1]),
            "a side has more than two faces",
        ),
        (
            lambda puzzle: puzzle["board"]["faces"].append([0, 1]),
            "a face needs three corners, and an edge two ends",
        ),
    ],
)
def test_what_was_changed_is_refused(change, reason):
    with pytest.raises(checker.Refused, match=reason):
        checker.verify(tampered(change))


@pytest.mark.parametrize(
    ("board", "reason"),
    [
        ('{"polygons": [[[0, 0], [1, 0], [0, NaN]]]}', "points"),
        ('{"polygons": [[[0, 0], [1, 0], [0, 1e400]]]}', "points"),
        ('{"polygons": [[[0, 0], [1, 0], [0, %s]]]}' % (10**400), "points"),
        ('{"polygons": [[[0, 0], [1, 0], [0, true]]]}', "points"),
        ('{"polygons": [[[0, 0], [1, 0], [0, "1"]]]}', "points"),
        ('{"polygons": [[[0, 0], [1, 0]]]}', "three corners in 'polygons'\\[0\\], found 2 items"),
        ('{"polygons": [[[0, 0], [1, 0], [1, 0]]]}', "three or more different corners"),
        ('{"polygons": []}', "expected polygons, got none"),
        ('{"polygons": 3}', "lists of at least three corners"),
        ('{"polygons": [[[0, 0], [1, 0], [1, 1]]], "faces": []}', "'polygons, faces'"),
        ('{"vertices": 3, "faces": [[0, 1, 3]]}', "vertices from 0 to 2 in 'faces', found 3"),
        ('{"vertices": 3, "faces": [[0, 1, true]]}', "found True"),
        (
            '{"vertices": 3, "faces": [[0, 1, 2]], "edges": [[0]]}',
            "2 vertices in 'edges'\\[0\\], found 1 item",
        ),
        ('{"vertices": -1, "faces": [[0, 1, 2]]}', "vertices from 0, found -1"),
        ("{}", "expected a board with"),
    ],
)
def test_boards_that_are_none_are_refused_by_both_readers(board, reason, tmp_path):
    text = f'{{"kind": "slitherlink", "board": {board}, "clues": [1]}}'
    with pytest.raises(FormatError, match=reason) as refused:
        linkoracle.read(text + "\n")
    assert (refused.value.line, refused.value.column) == (1, text.index(board) + 1)
    with pytest.raises(FormatError, match=reason):
        linkoracle.read(f"slitherlink\nboard {board}\n1\n")
    (tmp_path / "puzzle.json").write_text(text)
    with pytest.raises((checker.Refused, ValueError, TypeError)):
        checker.Board(checker.read_puzzle(str(tmp_path / "puzzle.json")))


def test_the_verifier_reads_the_same_board_from_polygons_and_from_faces():
    board = without_labels(scattered(random.Random(3), 12, 1.0))
    record = record_of(Slitherlink.on(board, {0: 2}))
    layout = checker.Board(checker.Puzzle(record))
    assert layout.edges == [board.ends(edge) for edge in range(board.num_edges)]
    assert len(layout.rules) == board.num_vertices + board.num_faces
    assert [rule[0] for rule in layout.rules[board.num_vertices :]] == [
        board.edges_of(face) for face in range(board.num_faces)
    ]
