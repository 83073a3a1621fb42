"""DIMACS, DRAT and LRAT of certificates, checked by others."""

from __future__ import annotations

import random

import dratify
import pytest
from click.testing import CliRunner

from linkoracle import Slitherlink, certificate, write
from linkoracle.cli.main import main
from tests.certificates.forging import random_puzzle


def holds_lrat(dimacs: str, lrat: str, without: int | None = None) -> bool:
    """Whether an LRAT proof without RAT steps ends in the empty clause."""
    lines = [list(map(int, line.split())) for line in dimacs.splitlines() if line[0] not in "cp"]
    clauses = {number: set(line[:-1]) for number, line in enumerate(lines, start=1)}
    last = None
    for line in lrat.splitlines():
        index, *rest = map(int, line.split())
        end = rest.index(0)
        last, hints = set(rest[:end]), rest[end + 1 : -1]
        false = set(last)
        for place, hint in enumerate(hints):
            if hint not in clauses or hint == without:
                return False
            left = clauses[hint] - false
            if len(left) > 1 or (not left) != (place == len(hints) - 1):
                return False
            false |= {-x for x in left}
        clauses[index] = last
    return last == set()


def boards():
    rng = random.Random(1)
    for _ in range(40):
        puzzle = random_puzzle(rng, rng.randint(2, 3), rng.randint(2, 4))
        yield certificate(puzzle, limit=999)
    yield certificate(Slitherlink([[3, 4]]))


def test_checkers_from_elsewhere_agree():
    for made in boards():
        clauses, drat, lrat = made.dimacs(), made.drat(), made.lrat()
        assert holds_lrat(clauses, lrat), made.puzzle
        if drat == "0\n" and "\n0\n" in clauses:
            continue
        found = dratify.check_proof(dratify.parse_dimacs(clauses), drat)
        assert found.ok, made.puzzle
        assert found.reached_empty
        # Without any one of the clauses that are given, some hint leads nowhere.
        for number in range(1, len(clauses.splitlines())):
            assert not holds_lrat(clauses, lrat, without=number)


def test_files_are_written(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    puzzle = Slitherlink([[3, None, 3], [None, None, None], [3, None, 3]])
    (tmp_path / "p.txt").write_text(write(puzzle, "text"))
    line = "certify p.txt --dimacs p.cnf --drat p.drat --lrat p.lrat"
    done = CliRunner().invoke(main, line.split())
    assert (done.exit_code, done.output) == (0, "p.txt: exactly 2 solutions\n")
    made = certificate(puzzle)
    assert (tmp_path / "p.cnf").read_text() == made.dimacs()
    assert (tmp_path / "p.drat").read_text() == made.drat()
    assert (tmp_path / "p.lrat").read_text() == made.lrat()
    done = CliRunner().invoke(main, ["certify", "p.txt", "p.txt", "--lrat", "x"])
    assert done.exit_code == 2


@pytest.mark.parametrize("count", [0, 1])
def test_a_wrong_proof_is_found_out(count):
    """The checkers above can say no."""
    made = certificate(Slitherlink([[3, None, 3], [None, None, None], [3, None, 3]]))
    lemmas = made.drat().splitlines()[-1:] * count
    found = dratify.check_proof(dratify.parse_dimacs(made.dimacs()), "\n".join(lemmas))
    assert not (found.ok and found.reached_empty)
