"""`linkoracle certify` and `verify`."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from linkoracle import certificate, read
from linkoracle.certificates import verify_certificate
from linkoracle.cli.main import main

INSTANCES = Path(__file__).resolve().parents[2] / "instances"
SMALL, OTHER = INSTANCES / "slitherlink-4x4.txt", INSTANCES / "slitherlink-7x7.txt"
SEVERAL = INSTANCES / "slitherlink-10x10-several.txt"


@pytest.fixture
def run(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)

    def running(*words: object):
        return CliRunner().invoke(main, [str(word) for word in words])

    return running


def test_one_puzzle_makes_a_file(run):
    done = run("certify", SMALL, "-o", "one")
    assert (done.exit_code, done.output) == (0, f"{SMALL}: exactly 1 solution, in one\n")
    assert Path("one").read_bytes() == certificate(read(SMALL)).data
    done = run("verify", "--puzzle", SMALL, "one")
    message = "one: verified: slitherlink (loop) of 4x4 cells: exactly 1 solution\n"
    board = SMALL.read_text().partition("slitherlink\n")[2]
    read_as = f"{SMALL}: read as this puzzle:\n\nslitherlink loop\n{board}\n"
    assert (done.exit_code, done.output) == (0, read_as + message)
    done = run("verify", "--puzzle", OTHER, "one")
    assert done.exit_code == 1
    assert done.output.endswith("\n\none: refused: it is of another puzzle\n")


def test_several_puzzles_make_a_folder(run):
    done = run("certify", SMALL, OTHER, "-o", "all")
    assert done.exit_code == 0
    names = ["slitherlink-4x4.certificate", "slitherlink-7x7.certificate"]
    assert sorted(path.name for path in Path("all").iterdir()) == names
    assert run("certify", SMALL, "-o", "all").exit_code == 0
    assert sorted(path.name for path in Path("all").iterdir()) == names
    assert run("verify", *Path("all").iterdir()).output.count("verified") == 2


def test_standard_output_holds_nothing_else(run):
    done = run("certify", SMALL, "-o", "-")
    Path("one.certificate").write_bytes(done.stdout_bytes)
    assert done.stderr == f"{SMALL}: exactly 1 solution\n"
    assert run("verify", "one.certificate").exit_code == 0
    done = run("certify", SMALL, "--dimacs", "-", "--drat", "one.drat")
    assert done.stderr == f"{SMALL}: exactly 1 solution\n"
    assert {line.split()[-1] for line in done.stdout.splitlines() if line[0] not in "pc"} == {"0"}


def test_puzzles_without_a_certificate(run):
    done = run("certify", SEVERAL, SMALL, "-o", "all", "--limit", 3)
    assert done.exit_code == 1
    message = "no certificate: there are more solutions than the limit of 3 solutions"
    assert done.output.splitlines()[0] == f"{SEVERAL}: {message}"
    assert [path.name for path in Path("all").iterdir()] == ["slitherlink-4x4.certificate"]
    none = run("certify", INSTANCES / "slitherlink-none.txt", "-o", "none")
    assert none.output.endswith(": no solution, in none\n")
    assert run("verify", "none").output.startswith("none: verified: slitherlink")


def test_limits(run):
    hard = ["1" + "." * 38 + "2", *["." * 40] * 38, "2" + "." * 38 + "1"]
    Path("hard.txt").write_text("numberlink fill\n" + "\n".join(hard) + "\n")
    done = run("certify", "hard.txt", "-o", "x", "--timeout", 0.2)
    assert done.exit_code in (0, 3)
    done = run("certify", SMALL, "-o", "x", "--memory", "1kB")
    assert (done.exit_code, Path("x").exists()) == (4, done.exit_code == 0)


def test_bad_usage(run):
    for words in (["certify", SMALL], ["verify"], ["certify", SMALL, "-o", "x", "--limit", "0"]):
        assert run(*words).exit_code == 2
    Path("file").write_text("")
    assert run("certify", SMALL, "-o", "file/x").exit_code == 5
    assert run("verify", "none").exit_code == 2


def test_the_script_is_the_verifier(run):
    done = run("verify", "--script")
    assert done.output == Path(verify_certificate.__file__).read_text(encoding="utf-8")


def test_check_judges_a_certificate(run):
    run("certify", SMALL, "-o", "one")
    done = run("check", SMALL, "--certificate", "one")
    assert (done.exit_code, "one: verified" in done.output) == (0, True)
    assert run("check", OTHER, "--certificate", "one").exit_code == 1
    assert run("check", OTHER, SMALL, "--certificate", "one").exit_code == 2
    assert run("check", OTHER, "--certificate", "none").exit_code == 2


def test_made_puzzles_get_certificates(run):
    line = "generate slitherlink 4 4 --seed 0 --count 3 -o made.txt --certificates proofs"
    assert run(*line.split()).exit_code == 0
    texts = Path("made.txt").read_text().split("\n\n")
    for number, text in enumerate(texts, start=1):
        Path("puzzle").write_text(text)
        done = run("verify", "--puzzle", "puzzle", f"proofs/{number}.certificate")
        assert done.exit_code == 0, done.output
    assert len(list(Path("proofs").iterdir())) == len(texts) == 3


def test_puzzles_that_a_catalogue_has_get_no_second_certificate(run):
    line = "generate numberlink 4 4 --seed 0 --count 2 --into made.sqlite --certificates proofs"
    assert run(*line.split()).exit_code == 0
    first = {path: path.read_bytes() for path in Path("proofs").iterdir()}
    assert sorted(path.name for path in first) == ["1.certificate", "2.certificate"]
    assert run("verify", *first).exit_code == 0
