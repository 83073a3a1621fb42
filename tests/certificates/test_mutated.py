"""Certificates of every kind, changed at random: refused in one line, or true.

Parts of the first line are replaced, dropped, repeated or exchanged with parts of certificates of
other kinds; numbers of the proof and bytes change. What is still verified is counted once more.
"""

from __future__ import annotations

import json
import random
import subprocess
import sys
from collections import Counter
from itertools import islice
from pathlib import Path
from typing import Any

import pytest

from linkoracle import Board, LinkModel, Puzzle, Slitherlink, certificate, count, read, solutions
from linkoracle.certificates import verify_certificate as checker
from linkoracle.core import NoCertificate
from linkoracle.kinds import KINDS
from linkoracle.kinds.checking import random_puzzles
from tests import boards, constrained
from tests.certificates.damaging import ODD, damaged_json, damaged_value
from tests.certificates.forging import Parts, random_puzzle, repacked
from tests.certificates.test_models import model_of_record

FILE = Path(checker.__file__)
SORTS = [*KINDS, "path", "fill", "board", "model"]
#: Texts that lead astray programs that read JSON.
HOSTILE = [
    *("", "{", "[" * 10**5, '{"a":' * 10**5, '{"puzzle":' + "[" * 9000 + "]" * 9000 + "}"),
    *("{}", "[]", "null", "NaN", "1" * 10**4, '{"version": ' + "9" * 10**4 + "}", '"\\ud800"'),
    *('{"kind": 1, "kind": 2}', '{"grid": [[1e999]]}', "\0", '{"kind": "\\ud800"}', "\ufeff{}"),
]


def puzzle_of(rng: random.Random, sort: str) -> Puzzle | LinkModel:
    """A puzzle or model of a sort, perhaps with many solutions."""
    while True:
        if sort == "model":
            return constrained.random_model(rng, boards.random_board(rng))
        if sort == "board":
            board = boards.plane_board(rng)
            sizes = [len(board.edges_of(face)) for face in range(board.num_faces)]
            return Slitherlink.on(board, [rng.choice([None, rng.randrange(k)]) for k in sizes])
        if sort in ("path", "fill"):
            puzzle = random_puzzle(rng, 2, 3)
            if puzzle.variant == sort:
                return puzzle
            continue
        found = [*random_puzzles(KINDS[sort], *rng.choice([(3, 3), (3, 4)]), 1, rng)]
        known = checker.VARIANTS.get(sort)
        if found and (known is None or found[0].variant in known):
            return found[0]


def certified(rng: random.Random, sort: str) -> Parts:
    """A certificate of the sort, taken apart."""
    while True:
        try:
            return Parts.of(certificate(puzzle_of(rng, sort), limit=6).data)
        except NoCertificate:
            continue


def mutated(rng: random.Random, parts: Parts, other: Parts) -> bytes:
    """The certificate with one or more changes; ``other`` is one of another sort."""
    parts = parts.copy()
    header: Any = parts.header
    match rng.randrange(8):
        case 0:
            header = damaged_value(rng, header)
        case 1 | 2:
            header["puzzle"] = damaged_value(rng, header["puzzle"])
        case 3:
            header["solutions"] = damaged_value(rng, header["solutions"])
        case 4:
            key = rng.choice([*header])
            header[key] = other.header.get(key, rng.choice(ODD))
        case 5:
            key = rng.choice([*header["puzzle"]])
            header["puzzle"][key] = other.header["puzzle"].get(key, rng.choice(ODD))
        case 6:
            rising = [parts.axioms, *(inside for inside, _ in parts.cuts)]
            for listed in (*rising, *(witnesses for _, witnesses in parts.cuts), *parts.lemmas):
                if listed and rng.random() < 0.2:
                    listed[rng.randrange(len(listed))] = rng.choice([0, 1, 5, 127, 128, 2**27])
            for listed in rising:
                listed[:] = sorted({*listed})
        case _:
            parts.axioms, parts.cuts, parts.lemmas = other.axioms, other.cuts, other.lemmas
    text = json.dumps(header)
    if rng.random() < 0.2:
        text = damaged_json(rng, text)
    if rng.random() < 0.02:
        text = rng.choice(HOSTILE)
    data = bytearray(text.encode() + b"\n" + parts.proof())
    for _ in range(rng.choice([0, 0, 0, 0, 1, 3])):
        data[rng.randrange(len(data))] = rng.randrange(256)
    packed = repacked(bytes(data))
    if rng.random() < 0.03:
        packed = packed[: rng.randrange(len(packed))] + rng.randbytes(rng.randrange(4))
    return packed


def answers(record: dict[str, Any], most: int) -> list[list[int]]:
    """The solutions of what a certificate is about, up to one more than ``most``."""
    if record["kind"] == "model":
        # A model of the library does not contradict itself by fixed edges; clauses may.
        fixed = [[edge + 1] for edge in record["given"]]
        fixed += [[-1 - edge] for edge in record["forbidden"]]
        clauses = record["clauses"] + fixed
        model = model_of_record(record | {"given": [], "forbidden": [], "clauses": clauses})
        if model.num_variables <= model.board.num_variables + 4:
            return sorted(map(list, constrained.solutions(model)))
        # To try all values of so many auxiliary variables would take too long.
        return sorted(sorted(one.edges) for one in islice(solutions(model), most + 1))
    if record.get("board") is not None:
        _, _, size, edges, faces, clues = checker.Puzzle(record).essence
        puzzle: Puzzle = Slitherlink.on(Board(size, edges, faces), clues)
    else:
        beside = {name: record[name] for name in ("ends", "regions") if record.get(name)}
        puzzle = KINDS[record["kind"]].from_grid(record["grid"], record["variant"], **beside)
    return sorted(sorted(one.edges) for one in islice(solutions(puzzle), most + 1))


def verdicts(seed: int, number: int, folder: Path, capsys: Any, sample: int) -> Counter[str]:
    """How many of so many changed certificates are refused, and how many verified, all truly."""
    # Some packages lift this limit, which the program has.
    sys.set_int_max_str_digits(sys.int_info.default_max_str_digits)
    rng = random.Random(seed)
    made = {sort: [certified(rng, sort) for _ in range(4)] for sort in SORTS}
    tally: Counter[str] = Counter()
    file = folder / "changed"
    kept = []
    for turn in range(number):
        sort = SORTS[turn % len(SORTS)]
        data = mutated(rng, rng.choice(made[sort]), rng.choice(made[rng.choice(SORTS)]))
        file.write_bytes(data)
        status = checker.main([str(file)])
        out, err = capsys.readouterr()
        # Even what Python would say of a hostile value is a refusal: 2 is for the files themselves.
        assert (len(out.splitlines()), err) == (1, ""), (sort, out, err)
        assert out.startswith(f"{file}: {'refused' if status else 'verified'}: "), out
        assert out.removesuffix("\n").isprintable()
        if turn % (number // sample) == 0:
            kept.append((data, status, out))
        tally["refused" if status else "verified"] += 1
        if status == 0:
            header, _ = checker.unpack(data)
            assert header["solutions"] == answers(header["puzzle"], len(header["solutions"]))
            tally[f"verified {sort}"] += 1
    names = [str(folder / f"{place}") for place in range(len(kept))]
    for name, (data, _, _) in zip(names, kept, strict=True):
        Path(name).write_bytes(data)
    done = subprocess.run([sys.executable, FILE, *names], capture_output=True, text=True)
    said = [out.replace(str(file), name) for name, (_, _, out) in zip(names, kept, strict=True)]
    assert (done.stdout, done.stderr) == ("".join(said), "")
    assert done.returncode == max(status for _, status, _ in kept)
    return tally


def test_hundreds_of_changed_certificates(tmp_path, capsys):
    tally = verdicts(31, 20 * len(SORTS), tmp_path, capsys, 40)
    assert tally["refused"] > tally["verified"] > 10


@pytest.mark.heavy
def test_twenty_thousand_changed_certificates(tmp_path, capsys):
    tally = verdicts(32, 20_000, tmp_path, capsys, 1000)
    with capsys.disabled():
        print("\n20000 changed certificates:", dict(tally))
    assert tally["refused"] + tally["verified"] == 20_000
    assert {f"verified {sort}" for sort in SORTS} <= tally.keys()


@pytest.mark.parametrize("place", range(len(HOSTILE)))
def test_hostile_json(place, tmp_path, capsys):
    """As the first line of a certificate, and as the puzzle."""
    text = HOSTILE[place]
    certificate_, puzzle = tmp_path / "certificate", tmp_path / "puzzle"
    certificate_.write_bytes(repacked(text.encode() + b"\n\0\0\0"))
    puzzle.write_text(text)
    assert checker.main([str(certificate_)]) == 1
    out, err = capsys.readouterr()
    assert (len(out.splitlines()), err) == (1, "")
    assert checker.main(["--puzzle", str(puzzle), str(certificate_)]) == 2
    out, err = capsys.readouterr()
    assert (out, len(err.splitlines())) == ("", 1)


@pytest.mark.parametrize("error", [MemoryError, RecursionError, KeyError("x\ny"), ValueError])
@pytest.mark.parametrize("name", ["verify", "read_puzzle"])
def test_what_the_program_does_not_foresee_is_one_line(name, error, tmp_path, capsys, monkeypatch):
    def fail(*_: object) -> None:
        raise error

    monkeypatch.setattr(checker, name, fail)
    file = tmp_path / "file"
    file.write_bytes(b"")
    arguments = [str(file)] if name == "verify" else ["--puzzle", str(file), str(file)]
    assert checker.main(arguments) == 2
    out, err = capsys.readouterr()
    assert (out, len(err.splitlines())) == ("", 1)
    assert err.startswith(f"error: {file}: ")


def test_a_white_circle_outside_all_regions(tmp_path, capsys):
    """The loop must visit the cell, and cannot: no number of lines is left at it."""
    text = "dotchiloop\nw..\n...\n...\nregions\n.aa\naaa\naaa\n"
    (tmp_path / "puzzle").write_text(text)
    made = certificate(read(text))
    assert (count(read(text)), made.solutions, made.of_model) == (0, (), False)
    made.save(tmp_path / "made")
    # By axioms of the verifier that come after those of the cell, too.
    parts = Parts.of(made.data)
    parts.axioms = [*range(100)]
    (tmp_path / "hostile").write_bytes(parts.packed())
    arguments = ["--puzzle", str(tmp_path / "puzzle"), str(tmp_path / "made")]
    assert checker.main(arguments) == 0
    assert capsys.readouterr().out.endswith("dotchiloop (loop) of 3x3 cells: no solution\n")
    assert checker.main([str(tmp_path / "hostile")]) == 1
    assert ": refused: " in capsys.readouterr().out
