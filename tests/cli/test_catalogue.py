from __future__ import annotations

import json
import os
import signal
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

import linkoracle
from linkoracle.catalogue import Catalogue
from linkoracle.cli.main import main
from tests.workers import WAIT_SECONDS, program, wait_for

ROOT = Path(__file__).resolve().parents[2]
INSTANCES = ROOT / "instances"


def run(*arguments: object, status: int = 0) -> Result:
    result = CliRunner().invoke(main, list(map(str, arguments)))
    assert result.exit_code == status, result.output
    assert "Traceback" not in result.output
    return result


def catalogue(*arguments: object, status: int = 0) -> str:
    return run("catalogue", *arguments, status=status).stdout


@pytest.fixture
def path(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path / "c.sqlite"


@pytest.fixture
def filled(path):
    run("generate", "slitherlink", 5, 5, "--seed", 0, "--count", 4, "--seed", 1, "--into", path)
    run(
        "generate",
        "numberlink",
        6,
        5,
        "--seed",
        0,
        "--count",
        3,
        "--variant",
        "fill",
        "--into",
        path,
    )
    return path


def records(path):
    return [json.loads(line) for line in catalogue("list", path, "--json").splitlines()]


def test_generate_into(path):
    asked = ("generate", "slitherlink", 5, 5, "--seed", 1)
    result = run(*asked, "--count", 3, "--into", path)
    assert result.output == ""
    puzzles = linkoracle.read_all(run(*asked, "--count", 5).stdout + "\n")
    with Catalogue(path, readonly=True) as found:
        assert [one.puzzle for one in found.find()] == [one.puzzle for one in puzzles[:3]]
    # Those that are there do not count.
    result = run(*asked, "--count", 2, "--into", path, "-o", "new.txt", "--show")
    assert result.stderr == f"3 puzzles were in {path} already\n"
    assert linkoracle.read_all(Path("new.txt")) == linkoracle.read_all(
        "\n".join(linkoracle.write(one.puzzle, "text") for one in puzzles[3:])
    )
    assert result.stdout.count("┌") > 2
    assert [one["number"] for one in records(path)] == [1, 2, 3, 4, 5]
    assert {one["seed"] for one in records(path)} == {1}


@pytest.mark.parametrize("kind", ["slitherlink", "numberlink"])
def test_the_request_is_kept(path, kind):
    options = {
        "slitherlink": ["--max-depth", "0"],
        "numberlink": ["--pairs", "5-6", "--symmetry", "none"],
    }[kind]
    Path("mask").write_text("?????\n" * 5)
    mask = ["--mask", "mask"] if kind == "slitherlink" else []
    run("generate", kind, 5, 5, "--seed", -7, *options, *mask, "--into", path)
    (record,) = records(path)
    maker = record["maker"]
    assert maker["command"] == f"generate {kind}"
    assert (maker["rows"], maker["cols"]) == (5, 5)
    assert {"version", "unmarked" if kind == "slitherlink" else "variant"} < set(maker)
    assert not {"seed", "count", "into", "output", "show"} & set(maker)
    assert record["seed"] == -7
    if kind == "slitherlink":
        assert (maker["max_depth"], maker["mask"]) == (0, ["?????"] * 5)
    else:
        assert (maker["pairs"], maker["symmetry"]) == ([5, 6], "none")


def test_printing_beside_the_catalogue(path):
    asked = ("generate", "slitherlink", 4, 4, "--seed", 0, "--count", 2)
    plain = run(*asked, "--format", "pzpr").stdout
    result = run(*asked, "--into", path, "--format", "pzpr", "-o", "-")
    assert result.stdout == plain
    assert run(*asked, "--into", path, "-o", "-").stdout != plain
    assert len(records(path)) == 4


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (("--grade",), "--grade goes with --into"),
        (("--into", "c.sqlite", "--format", "pzpr"), "name a FILE with -o"),
        (("--into", "c.sqlite", "-o", "./c.sqlite"), "would replace the catalogue"),
        (("--into", "text"), "text: not a catalogue"),
        (("--into", "c.sqlite", "--format", "loopy", "-o", "new"), "loops"),
        (
            ("--into", "c.sqlite", "--clues", "9", "--symmetry", "quarter-turn"),
            "this board",
        ),
    ],
)
def test_impossible_requests(path, arguments, reason):
    Path("text").write_text("precious\n")
    result = run(
        "generate", "slitherlink", 5, 4, "--seed", 0, "--ends", "random", *arguments, status=2
    )
    assert reason in result.stderr
    assert result.stdout == ""
    assert [one.name for one in Path().iterdir()] == ["text"]
    assert Path("text").read_text() == "precious\n"


def test_boards_that_run_out(path):
    asked = (
        "generate",
        "numberlink",
        2,
        2,
        "--seed",
        0,
        "--min-length",
        2,
        "--count",
        5,
        "--into",
        path,
    )
    assert "found only" in run(*asked, status=1).stderr
    (only,) = records(path)
    result = run(*asked, status=1)
    # The two boards of this size are images of each other.
    assert result.stderr.startswith(f"2 puzzles were in {path} already\n")
    assert records(path) == [only]


def test_generate_with_grades(path):
    run("generate", "slitherlink", 4, 4, "--seed", 0, "--count", 2, "--into", path, "--grade")
    for record in records(path):
        puzzle = linkoracle.read(json.dumps(record["puzzle"]))
        shown = run("grade", "--json", linkoracle.write(puzzle, "pzpr")).stdout
        assert json.loads(shown)["label"] == record["grade"] == record["graded"]["label"]


def test_add_certifies(path):
    files = sorted(INSTANCES.glob("*link-*none.txt")) + sorted(INSTANCES.glob("*several.txt"))
    good = [INSTANCES / "slitherlink-4x4.txt", INSTANCES / "numberlink-fill-6x6.txt"]
    result = run("catalogue", "add", *good, *files, "--into", path, status=1)
    assert result.stdout == f"2 added, 0 there already, {len(files)} refused\n"
    lines = result.stderr.splitlines()
    assert [line.rpartition(": ")[2] for line in lines] == [
        "no solution" if "none" in file.name else "not unique" for file in files
    ]
    turned = linkoracle.read(good[0]).rotate().reflect()
    Path("turned").write_text("# name: turned\n" + linkoracle.write(turned, "text"))
    assert catalogue("add", "turned", *good, "--into", path) == "0 added, 3 there already\n"
    with Catalogue(path, readonly=True) as found:
        assert [one.puzzle for one in found.find()] == [linkoracle.read(file) for file in good]
        assert [one.name for one in found.find()] == list(map(str, good))


def test_add_refuses_bad_files(path):
    Path("bad").write_text("slitherlink\n5.\n")
    result = run(
        "catalogue", "add", INSTANCES / "slitherlink-4x4.txt", "bad", "--into", path, status=2
    )
    assert result.stderr == "error: bad:2:1: expected a clue from 0 to 4 or '?', found 5\n"
    assert not path.exists()
    run("catalogue", "add", INSTANCES / "slitherlink-4x4.txt", "--into", "bad", status=2)
    assert Path("bad").read_text() == "slitherlink\n5.\n"
    assert "expected a FILE" in run("catalogue", "add", "--into", path, status=2).stderr


def test_add_with_a_time_limit(path):
    file = INSTANCES / "slitherlink-30x30.txt"
    small = INSTANCES / "slitherlink-4x4.txt"
    result = run("catalogue", "add", file, small, "--into", path, "--timeout", "1e-9", status=3)
    assert f"error: {file}: no answer within" in result.stderr
    assert "refused" in result.stdout


def test_list(filled):
    lines = catalogue("list", filled).splitlines()
    assert len(lines) == 7
    assert lines[1].split() == [
        *("2", "slitherlink", "loop", "5x5", str(records(filled)[1]["clues"]), "clues", "-"),
        *("generate", "slitherlink,", "seed", "1,", "number", "2"),
    ]
    assert catalogue("list", filled, "--kind", "numberlink").splitlines() == lines[4:]
    assert catalogue("list", filled, "--size", "5-6x5", "--limit", 2).splitlines() == lines[:2]
    assert catalogue("list", filled, "--size", "6x5").splitlines() == lines[4:]
    assert catalogue("list", filled, "--source", "variant=fill").splitlines() == lines[4:]
    assert catalogue("list", filled, "--variant", "path") == ""
    pairs = records(filled)[5]["clues"]
    assert lines[5] in catalogue("list", filled, "--pairs", pairs).splitlines()


def test_export(filled):
    text = catalogue("export", filled)
    with Catalogue(filled, readonly=True) as found:
        puzzles = [record.puzzle for record in found.find()]
    assert [entry.puzzle for entry in linkoracle.read_all(text)] == puzzles
    asked = ("export", filled, "--format", "json")
    assert catalogue(*asked, "--limit", 6, "-o", "out") == ""
    assert [entry.puzzle for entry in linkoracle.read_all(Path("out"))] == puzzles[:6]
    some = catalogue(*asked, "--sample", 3, "--seed", 2)
    assert some == catalogue(*asked, "--sample", 3, "--seed", 2)
    assert len(some.splitlines()) == 3
    assert (
        "no puzzle matches"
        in run("catalogue", "export", filled, "--difficulty", "hard", "-o", "x", status=1).stderr
    )
    assert not Path("x").exists()


def test_export_does_not_harm(filled):
    before = filled.read_bytes()
    Path("link").symlink_to(filled)
    for output in (filled, "link"):
        result = run("catalogue", "export", filled, "-o", output, status=2)
        assert "would replace the catalogue" in result.stderr
    result = run("catalogue", "export", filled, "--format", "loopy", "-o", "new", status=2)
    assert result.stderr.startswith(f"error: {filled}: puzzle 5: ")
    assert filled.read_bytes() == before
    assert not Path("new").exists()


def test_stats(filled):
    lines = catalogue("stats", filled).splitlines()
    assert lines[0].split() == ["kind", "variant", "size", "grade", "clues", "puzzles"]
    assert lines[1].split()[:4] == ["numberlink", "fill", "6x5", "-"]
    assert lines[-1].split() == ["all", "7"]
    first, second = map(json.loads, catalogue("stats", filled, "--json").splitlines())
    assert (first["puzzles"], second["puzzles"], second["grade"]) == (3, 4, None)
    clues = [one["clues"] for one in records(filled) if one["kind"] == "slitherlink"]
    assert (second["fewest"], second["most"]) == (min(clues), max(clues))
    assert catalogue("stats", filled, "--kind", "slitherlink").splitlines()[-1].split()[1] == "4"


def test_grade(filled):
    assert catalogue("grade", filled, "--kind", "slitherlink", "--clues", "0-99") == "4 graded\n"
    assert catalogue("grade", filled) == "3 graded\n"
    assert catalogue("grade", filled) == "0 graded\n"
    assert catalogue("grade", filled, "--again", "--size", "5x5") == "4 graded\n"
    assert catalogue("list", filled, "--statistics", "covered=1").count("\n") == 3
    chosen = ("--statistics", "density=.1-0.9", "--statistics", "run=0-9", "--kind", "slitherlink")
    assert catalogue("list", filled, *chosen).count("\n") == 4
    assert catalogue("list", filled, "--statistics", "run=9-10").count("\n") == 0
    assert all(one["grade"] for one in records(filled))
    assert catalogue("list", filled, "--difficulty", "none") == ""
    label = records(filled)[0]["grade"]
    for word in (label, "easy..brutal"):
        assert "  1  slither" in catalogue("list", filled, "--difficulty", word)
    score = records(filled)[0]["score"]
    assert "  1  slither" in catalogue("list", filled, "--score", str(score))
    assert "  1  slither" not in catalogue("list", filled, "--score", f"{score + 1}-999999")


def test_check(filled):
    assert catalogue("check", filled) == "all is well with 7 puzzles\n"
    with Catalogue(filled) as found:
        found._file.execute("UPDATE puzzle SET solution = '3' WHERE id = 6")
    assert catalogue("check", filled, status=1).startswith("puzzle 6: ")


def test_a_damaged_file_is_told(filled):
    data = bytearray(filled.read_bytes())
    data[4096:] = bytes(len(data) - 4096)
    filled.write_bytes(data)
    for command in ("list", "export", "stats", "check", "grade"):
        result = run("catalogue", command, filled, status=2)
        assert result.stderr == f"error: {filled}: database disk image is malformed\n"
    assert filled.read_bytes() == data


@pytest.mark.parametrize("command", ["list", "export", "stats", "check", "grade"])
def test_files_that_are_no_catalogue(path, command):
    Path("text").write_text("precious\n")
    for file, reason in (("text", "not a catalogue"), ("absent", "no such file")):
        result = run("catalogue", command, file, status=2)
        assert result.stdout == ""
        assert result.stderr.startswith(f"error: {file}: ")
        assert reason in result.stderr
        assert result.stderr.count("\n") == 1
    assert [one.name for one in Path().iterdir()] == ["text"]


@pytest.mark.parametrize(
    "arguments",
    [
        ("--size", "10"),
        ("--size", "5x"),
        ("--clues", "few"),
        ("--difficulty", "murderous"),
        ("--limit", "1", "--sample", "1"),
        ("--seed", "1"),
        ("--statistics", "density"),
        ("--statistics", "density=high"),
        ("--statistics", "beauty=1-2"),
    ],
)
def test_misspelt_options(filled, arguments):
    assert run("catalogue", "list", filled, *arguments, status=2).stdout == ""


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGKILL])
def test_a_stopped_generator_keeps_what_is_made(path, how):
    command = "generate slitherlink 6 6 --seed 0 --count 100000 --into"
    with program(command, path, env={**os.environ, "PYTHONUNBUFFERED": "1"}) as process:
        wait_for(process, lambda: path.exists() and path.stat().st_size >= 40_000)
        process.send_signal(how)
        _, errors = process.communicate(timeout=WAIT_SECONDS)
    made = records(path)
    assert [one["number"] for one in made] == list(range(1, len(made) + 1))
    assert catalogue("check", path) == f"all is well with {len(made)} puzzles\n"
    if how == signal.SIGINT:
        assert process.returncode == 130
        assert errors == f"interrupted: {len(made)} puzzles of 100000 written to {path}\n"


def test_ctrl_c_in_the_middle_of_a_puzzle(path, monkeypatch):
    add = Catalogue.add

    def interrupted(*arguments, **options):
        signal.raise_signal(signal.SIGINT)
        return add(*arguments, **options)

    monkeypatch.setattr(Catalogue, "add", interrupted)
    monkeypatch.setattr(sys, "unraisablehook", sys.unraisablehook)
    asked = (
        "generate",
        "slitherlink",
        4,
        4,
        "--seed",
        0,
        "--count",
        5,
        "--into",
        path,
        "-o",
        "new",
    )
    assert run(*asked, status=130).stderr == "interrupted: 1 puzzle of 5 written to new\n"
    assert len(records(path)) == len(linkoracle.read_all(Path("new"))) == 1


def test_nothing_heavy_is_loaded_for_a_list(filled):
    code = (
        "import sys\nfrom linkoracle.cli.main import main\n"
        "try:\n    main(sys.argv[1:])\nexcept SystemExit as status:\n    assert not status.code\n"
        "print([m for m in 'networkx rich pandas'.split() if m in sys.modules], "
        "'sqlite3' in sys.modules)"
    )
    for arguments, sqlite in ((("catalogue", "list", str(filled)), True), (("--help",), False)):
        done = subprocess.run(
            [sys.executable, "-c", code, *arguments], capture_output=True, text=True, check=True
        )
        assert done.stdout.splitlines()[-1] == f"[] {sqlite}"


def test_grading_and_checking_within_a_time_limit(filled):
    result = run("catalogue", "grade", filled, "--timeout", "1e-9", status=3)
    lines = result.stderr.splitlines()
    assert [line.partition(": no answer within")[0] for line in lines] == [
        f"error: {filled}: puzzle {number}" for number in range(1, 8)
    ]
    assert result.stdout == "0 graded\n"
    assert {record["grade"] for record in records(filled)} == {None}
    for command in ("check", "export"):
        result = run("catalogue", command, filled, "--timeout", "1e-9", status=3)
        assert result.stderr.startswith("error: no answer within 1e-09 s")


def test_a_puzzle_without_a_solution_gets_no_grade(filled):
    with sqlite3.connect(filled) as file:
        file.execute("UPDATE puzzle SET puzzle = 'slitherlink\n0.\n.3\n' WHERE id = 3")
    file.close()
    result = run("catalogue", "grade", filled, status=1)
    assert result.stderr == f"warning: {filled}: puzzle 3: it has no solution\n"
    assert result.stdout == "6 graded\n"
