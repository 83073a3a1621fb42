"""`linkoracle board`, and the commands on puzzles of boards that are not square."""

import json

import pytest
from click.testing import CliRunner

import linkoracle
from linkoracle import boards
from linkoracle.cli.main import main

WORDS = "honeycomb 4 4"
TRIANGLES = {"polygons": [[[0, 0], [2, 0], [1, 1]], [[2, 0], [2, 2], [1, 1]]]}


def run(*arguments: str):
    return CliRunner().invoke(main, arguments)


@pytest.fixture
def made(tmp_path):
    """A file with a puzzle on a honeycomb."""
    file = tmp_path / "comb.txt"
    done = run("generate", "slitherlink", "--board", WORDS, "--seed", "1", "-o", str(file))
    assert (done.exit_code, done.stderr) == (0, "")
    return file


def test_a_board_is_described_and_drawn(tmp_path):
    done = run("board", "--name", WORDS)
    assert done.stdout == (
        "honeycomb 4 4: 16 faces (16 with 6 sides), 63 edges, 48 dots, 2 symmetries\n"
    )
    file, drawn = tmp_path / "board.json", tmp_path / "board.svg"
    file.write_text(json.dumps(TRIANGLES))
    record = json.loads(run("board", str(file), "--json", "--draw", str(drawn), "--numbers").stdout)
    assert record == {
        "name": None,
        "faces": 2,
        "sides": {"3": 2},
        "edges": 5,
        "dots": 4,
        "symmetries": 2,
    }
    assert drawn.read_text().count("</text>") == 2 + 4
    polygons = json.loads(run("board", "--name", WORDS, "--polygons").stdout)
    board = boards.from_polygons(polygons["polygons"])
    assert board == boards.named(WORDS)


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (["board"], "expected the words of a board, such as honeycomb 7 7, or a FILE"),
        (["board", "--name", "comb 3 3"], "expected a board out of"),
        (["board", "none.json"], "none.json: no such file"),
        (["generate", "slitherlink", "--board", "comb 3 3"], "expected a board out of"),
        (["generate", "slitherlink", "5", "5", "--board", WORDS], "ROWS and COLS, or --board"),
        (["loops", "--board", WORDS, "4", "4"], "ROWS and COLS, or --board with its size"),
        (["loops", "--board", "honeycomb"], "expected 'honeycomb ROWS COLS'"),
        (["loops", "--board", "none.json"], "none.json: no such file"),
        (["generate", "numberlink", "--board", WORDS, "--symmetry", "both"], "--symmetry needs"),
        (["generate", "masyu", "--board", WORDS], "Masyus are made on rows and columns only"),
        (
            ["generate", "slitherlink", "--board", WORDS, "--symmetry", "both"],
            "expected a symmetry of this board (none, half-turn), got 'both'",
        ),
        (
            ["generate", "slitherlink", "--board", WORDS, "--pattern", "rings"],
            "--pattern needs rows and columns",
        ),
        (
            ["generate", "slitherlink", "--board", WORDS, "--fewest", "--minimal"],
            "the search for the fewest clues takes no minimal",
        ),
        (
            ["generate", "slitherlink", "--board", WORDS, "--shape", "uniform"],
            "the shape uniform needs rows and columns",
        ),
    ],
)
def test_what_is_no_board_is_one_line(arguments, reason):
    done = run(*arguments)
    assert done.exit_code == 2
    assert done.stderr.startswith("error: ")
    assert done.stderr.count("\n") == 1
    assert reason in done.stderr


def test_a_file_of_polygons_is_a_tiling(tmp_path):
    file = tmp_path / "board.json"
    file.write_text(json.dumps(TRIANGLES))
    done = run("generate", "slitherlink", "--board", str(file), "--seed", "1")
    puzzle = linkoracle.read(done.stdout)
    assert puzzle.tiling == boards.from_polygons(TRIANGLES["polygons"])
    assert linkoracle.is_unique(puzzle)
    assert run("loops", "--board", str(file)).stdout == "3\n"


@pytest.mark.parametrize("kind", ["slitherlink", "numberlink", "simpleloop"])
def test_a_board_is_named_in_several_ways(kind, tmp_path):
    file = tmp_path / "board.txt"
    file.write_text(WORDS)
    name, *size = WORDS.split()
    ways = [("--board", WORDS), ("--board", name, *size), (*size, "--board", name)]
    ways += [("--board", str(file)), ("--board", '{"name": "honeycomb 4 4"}')]
    made = {run("generate", kind, *way, "--seed", "4").stdout for way in ways}
    assert len(made) == 1
    puzzle = linkoracle.read(made.pop())
    assert (puzzle.kind, puzzle.tiling) == (kind, boards.named(WORDS))
    assert linkoracle.is_unique(puzzle)
    assert len({run("loops", *way).stdout for way in ways}) == 1


def test_a_square_board_has_rows_and_columns():
    done = run("generate", "slitherlink", "--board", "square 5 6", "--seed", "4")
    assert done.stdout == run("generate", "slitherlink", "5", "6", "--seed", "4").stdout
    assert run("loops", "--board", "square 5 6").stdout == run("loops", "5", "6").stdout


def test_a_file_with_a_puzzle_on_a_board_is_refused(made):
    done = run("generate", "slitherlink", "--board", str(made))
    assert done.exit_code == 2
    assert "expected a puzzle of rows and columns, found honeycomb" in done.stderr


def test_commands_take_puzzles_on_boards(made, tmp_path):
    assert run("count", str(made)).stdout == "1\n"
    assert run("check", str(made)).stdout.startswith("unique (")
    solved = run("solve", str(made)).stdout
    assert solved.startswith("Slitherlink, honeycomb 4 4\n")
    record = json.loads(run("solve", str(made), "--json").stdout)
    (tmp_path / "solution.json").write_text(json.dumps(record))
    checked = run("check", str(made), "--solution", str(tmp_path / "solution.json"))
    assert checked.exit_code == 0, checked.stderr
    assert json.loads(run("grade", str(made), "--json").stdout)["kind"] == "slitherlink"
    for name in ("solved.svg", "solved.png", "solved.pdf"):
        assert run("draw", str(made), "--regions", "-o", str(tmp_path / name)).exit_code == 0
    proof = tmp_path / "comb.certificate"
    assert run("certify", str(made), "-o", str(proof)).exit_code == 0
    assert "of 16 faces: exactly 1 solution" in run("verify", str(proof)).stdout
    assert run("booklet", str(made), "-o", str(tmp_path / "book.pdf")).exit_code == 0
    refused = run("convert", str(made), "--to", "pzpr")
    assert refused.exit_code == 2
    assert "pzpr has rows and columns only" in refused.stderr


def test_clues_that_contradict_each_other_are_faces(tmp_path):
    file = tmp_path / "comb.txt"
    file.write_text("slitherlink\nboard honeycomb 3 3\n00666....\n")
    done = run("check", str(file))
    assert (done.exit_code, done.stderr) == (1, "")
    said = "no solution (these clues contradict each other: face 1, face 2)"
    assert done.stdout == f"{said}\n"


def test_a_catalogue_keeps_puzzles_on_boards(tmp_path):
    file = str(tmp_path / "kept.sqlite")
    arguments = ("generate", "slitherlink", "--board", WORDS, "--seed", "5", "--count", "2")
    assert run(*arguments, "--into", file, "--grade", "--certify").exit_code == 0
    assert run("catalogue", "check", file).stdout == "all is well with 2 puzzles\n"
    assert "16 faces" in run("catalogue", "list", file).stdout
    records = [
        json.loads(line) for line in run("catalogue", "list", file, "--json").stdout.splitlines()
    ]
    assert [one["maker"]["board"] for one in records] == [WORDS] * 2
