"""Certificates that a catalogue keeps: they are of its puzzles, or they are refused."""

from __future__ import annotations

import lzma
import os
import signal
import sqlite3
import subprocess
import sys
from itertools import islice
from pathlib import Path

import pytest
from click.testing import CliRunner

import linkoracle
from linkoracle import Numberlink, Slitherlink, certificate
from linkoracle.catalogue import Catalogue
from linkoracle.catalogue.record import layout_text
from linkoracle.certificates import verify_certificate
from linkoracle.cli.main import main
from linkoracle.core import CatalogueError
from linkoracle.generate import slitherlinks
from tests.workers import WAIT_SECONDS, Program, wait_for

ROOT = Path(__file__).resolve().parents[2]
BOARDS = [
    Slitherlink([[3, 3], [None, None]]),
    Slitherlink([[3, 2, None], [None, None, 3]], ((0, 0), (2, 3))),
    Numberlink([[1, 2], [1, 2]]),
    Numberlink([[7, None], [7, None]], "fill"),
]


def run(*words: object, status: int = 0):
    result = CliRunner().invoke(main, list(map(str, words)))
    assert result.exit_code == status, result.output
    assert "Traceback" not in result.output
    return result


@pytest.fixture
def path(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return Path("c.sqlite")


@pytest.fixture
def certified(path):
    """A catalogue of the boards, the last of which has no certificate."""
    with Catalogue(path) as catalogue:
        for board in BOARDS[:-1]:
            assert catalogue.add(board, certificate=certificate(board))
        assert catalogue.add(BOARDS[-1])
    return path


def kept_in(path):
    with Catalogue(path, readonly=True) as catalogue:
        return [catalogue.certificate(record) for record in catalogue.find()]


def test_what_is_kept_is_the_file(certified):
    assert kept_in(certified) == [*(certificate(board).data for board in BOARDS[:-1]), None]
    with Catalogue(certified) as catalogue:
        assert [record.certified for record in catalogue.find()] == [True, True, True, False]
        catalogue.set_certificate(4, certificate(BOARDS[-1]))
        assert list(catalogue.faults()) == []
    assert kept_in(certified)[-1] == certificate(BOARDS[-1]).data


def test_certificates_of_something_else_do_not_enter():
    several = Slitherlink([[3, None, 3], [None, None, None], [3, None, 3]])
    with Catalogue(None) as catalogue:
        with pytest.raises(ValueError, match="of this puzzle, got one of another"):
            catalogue.add(BOARDS[0], certificate=certificate(BOARDS[1]))
        with pytest.raises(ValueError, match="expected a certificate of one solution, got"):
            catalogue.add(several, certificate=certificate(several))
        assert len(catalogue) == 0
        assert catalogue.add(BOARDS[0])
        for place, board in ((1, BOARDS[1]), (2, BOARDS[0])):
            with pytest.raises(ValueError, match="of this puzzle, got one of another"):
                catalogue.set_certificate(place, certificate(board))
        assert [record.certified for record in catalogue.find()] == [False]


def test_generate_into(path):
    command = ("generate", "slitherlink", 4, 4, "--seed", 0, "--count", 2, "--into", path)
    run(*command, "--certify")
    assert all(kept_in(path))
    # Those that are written are kept, too.
    run(*command, "--seed", 1, "--certificates", "proofs")
    assert kept_in(path)[2:] == [
        Path(f"proofs/{number}.certificate").read_bytes() for number in (1, 2)
    ]
    run(*command, "--seed", 2)
    assert kept_in(path)[4:] == [None, None]
    wrong = run("generate", "slitherlink", 4, 4, "--certify", status=2)
    assert wrong.stderr.startswith("error: --certify goes with --into")


def test_add_with_certificates(path):
    files = [ROOT / "instances" / f"slitherlink-{name}.txt" for name in ("4x4", "7x7", "none")]
    done = run("catalogue", "add", *files, "--into", path, "--certify", status=1)
    assert done.stdout == "2 added, 0 there already, 1 refused\n"
    assert kept_in(path) == [certificate(linkoracle.read(file)).data for file in files[:2]]


def test_certificates_come_later(certified):
    assert run("catalogue", "certify", certified, "--kind", "slitherlink").stdout == "0 certified\n"
    assert run("catalogue", "certify", certified).stdout == "1 certified\n"
    assert kept_in(certified) == [certificate(board).data for board in BOARDS]
    command = ("catalogue", "certify", certified, "--again", "--variant", "free")
    assert run(*command).stdout == "1 certified\n"
    command = ("catalogue", "certify", certified, "--again", "--timeout", "1e-9")
    late = run(*command, status=3)
    assert late.stdout == "0 certified\n"
    assert late.stderr.splitlines()[0].startswith(f"error: {certified}: puzzle 1: no answer within")
    assert kept_in(certified) == [certificate(board).data for board in BOARDS]


def test_puzzles_that_get_none(certified):
    with sqlite3.connect(certified) as file:
        file.execute("UPDATE puzzle SET puzzle = 'slitherlink\n0.\n.3\n' WHERE id = 1")
        file.execute("UPDATE puzzle SET puzzle = 'slitherlink\n...\n...\n' WHERE id = 2")
    file.close()
    done = run("catalogue", "certify", certified, "--again", status=1)
    assert done.stdout == "2 certified\n"
    assert done.stderr.splitlines() == [
        f"warning: {certified}: puzzle 1: it has no solution",
        f"warning: {certified}: puzzle 2: it gets no certificate: "
        "there are more solutions than the limit of 1 solution",
    ]


def test_a_damaged_certificate_can_be_made_anew(certified):
    change(certified, certificate=b"junk")
    run("catalogue", "check", certified, status=1)
    run("catalogue", "certify", certified, "--again")
    run("catalogue", "check", certified)


def test_export(certified):
    done = run("catalogue", "export", certified, "-o", "all", "--certificates", "proofs", status=1)
    assert done.stderr == f"warning: {certified}: 1 puzzle has no certificate\n"
    proofs = sorted(Path("proofs").iterdir())
    assert [proof.name for proof in proofs] == [f"{n}.certificate" for n in (1, 2, 3)]
    puzzles = linkoracle.read_all(Path("all"))
    assert len(puzzles) == 4
    for proof, entry in zip(proofs, puzzles, strict=False):
        Path("one").write_text(linkoracle.write(entry.puzzle, "text"))
        run("verify", "--puzzle", "one", proof)
    options = ("--kind", "slitherlink", "--limit", 1, "--certificates", "some")
    assert run("catalogue", "export", certified, *options).stderr == ""
    assert [proof.name for proof in Path("some").iterdir()] == ["1.certificate"]


def change(path, **values):
    """Write values into the row of the second puzzle."""
    file = sqlite3.connect(path)
    for column, value in values.items():
        file.execute(f"UPDATE puzzle SET {column} = ? WHERE id = 2", (value,))
    file.commit()
    file.close()


def of_none(puzzle):
    """A certificate that holds, of a puzzle without a solution."""
    return certificate(Slitherlink([[0] * puzzle.cols] * puzzle.rows)).data


def bit_changed(data: bytes) -> bytes:
    """The certificate with one number of its proof changed, packed again."""
    text = bytearray(lzma.decompress(data))
    text[text.index(b"\n") + 2] ^= 1
    return lzma.compress(bytes(text), check=lzma.CHECK_CRC32)


@pytest.mark.parametrize(
    ("make", "said"),
    [
        (
            lambda _: b"",
            "its certificate is invalid: not a certificate (no XZ file), or a damaged one",
        ),
        (lambda data: data[:-9], "its certificate is invalid: "),
        (lambda data: data + b"\0", "its certificate is invalid: "),
        (bit_changed, "its certificate is invalid: clause "),
        (lambda _: certificate(BOARDS[0]).data, "its certificate is invalid: it is of another"),
        (lambda _: of_none(BOARDS[1]), "its certificate is invalid: it is of another"),
        (lambda data: data.hex(), "its certificate is text, expected bytes"),
        (lambda _: 7, "its certificate is integer, expected bytes"),
    ],
)
def test_a_changed_certificate_is_not_given_away(certified, make, said):
    change(certified, certificate=make(certificate(BOARDS[1]).data))
    (line,) = run("catalogue", "check", certified, status=1).stdout.splitlines()
    assert line.startswith(f"puzzle 2: {said}")
    done = run("catalogue", "export", certified, "-o", "all", "--certificates", "proofs", status=1)
    assert done.stderr.splitlines()[0] == f"warning: {certified}: {line}"
    assert sorted(path.name for path in Path("proofs").iterdir()) == [
        "1.certificate",
        "3.certificate",
    ]
    assert len(linkoracle.read_all(Path("all"))) == 3


def test_another_puzzle_in_its_place_is_found(certified):
    """The certificate holds, of the puzzle that was there before."""
    other = Slitherlink([[None] * 3, [0, 0, 1]], ((0, 0), (2, 3)))
    with Catalogue(None) as catalogue:
        catalogue.add(other)
        (record,) = catalogue.find()
    seen = layout_text(record.puzzle, record.solution)
    change(certified, puzzle=record.text, solution=record.solved, canonical=record.key, looks=seen)
    faults = run("catalogue", "check", certified, status=1).stdout
    assert faults == "puzzle 2: its certificate is invalid: it is of another puzzle\n"


def test_a_certificate_of_none_or_several_is_not_given_away(certified):
    none = Slitherlink([[0, 0], [0, 0]])
    change(certified, puzzle=linkoracle.write(none, "text"), certificate=certificate(none).data)
    with Catalogue(certified, readonly=True) as catalogue:
        second = list(catalogue.find())[1]
        with pytest.raises(CatalogueError, match="its certificate is of 0 solutions, expected one"):
            catalogue.certificate(second)


def test_a_list_reads_no_certificate(certified, monkeypatch):
    monkeypatch.setattr(verify_certificate, "verify", lambda *_: pytest.fail("it is verified"))
    change(certified, certificate=bytes(10**7))
    assert run("catalogue", "list", certified).stdout.count("\n") == 4


@pytest.mark.parametrize(
    "how", [signal.SIGINT, pytest.param(signal.SIGKILL, marks=pytest.mark.heavy)]
)
def test_certifying_that_is_stopped_goes_on(path, how):
    with Catalogue(path) as catalogue:
        for made in islice(slitherlinks(5, 5, seed=3), 150):
            catalogue.add(made.puzzle, made.solution)

    def begun():
        with Catalogue(path, readonly=True) as catalogue:
            return any(record.certified for record in catalogue.find(limit=1))

    arguments = ["-m", "linkoracle", "catalogue", "certify", str(path)]
    with Program(
        [sys.executable, *arguments],
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONUNBUFFERED": "1"},
    ) as process:
        wait_for(process, begun)
        process.send_signal(how)
        _, errors = process.communicate(timeout=WAIT_SECONDS)
    assert process.returncode == (130 if how == signal.SIGINT else -how)
    assert errors == ("interrupted\n" if how == signal.SIGINT else "")
    there = kept_in(path)
    done = sum(proof is not None for proof in there)
    # In order, each whole.
    assert all(there[:done])
    assert 0 < done < 150
    assert run("catalogue", "certify", path).stdout == f"{150 - done} certified\n"
    assert run("catalogue", "check", path).stdout == "all is well with 150 puzzles\n"
