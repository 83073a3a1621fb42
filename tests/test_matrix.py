"""Every sort of constraint, and every two, under every connectivity, on boards of every family.

All engines, certificates and the verifier by itself agree with the solutions by definition.
"""

from __future__ import annotations

import subprocess
import sys
from dataclasses import replace
from itertools import combinations, product
from pathlib import Path
from random import Random
from typing import Any

import pytest

from linkoracle import (
    ENGINES,
    LinkModel,
    NoCertificate,
    NotSupported,
    Oracle,
    certificate,
    count,
    count_result,
    decide,
    solutions,
)
from linkoracle.board import HOLE, PASS_OR_SKIP, violations
from linkoracle.certificates import making
from linkoracle.certificates import verify_certificate as checker
from linkoracle.engines import with_pair_labels
from linkoracle.engines.plain import solutions as plain_solutions
from tests import boards, constrained
from tests.constrained import CONNECTIVITIES, CONSTRAINTS, USUAL

WANTED = [{name} for name in CONSTRAINTS] + list(map(set, combinations(CONSTRAINTS, 2)))
CELLS = list(product(WANTED, boards.FAMILIES))
#: Most solutions of a model with a certificate.
LIMIT = 12


def model_of(connectivity: str, number: int) -> LinkModel:
    """The model of a number: the constraints of its cell are there, and some more."""
    wanted, family = CELLS[number % len(CELLS)]
    rng = Random(f"{connectivity} {number}")
    while True:
        more = {name for name in CONSTRAINTS if rng.random() < 0.12}
        board = boards.random_board(rng) if is_large(number) else boards.small_board(rng, family)
        if board.num_edges > 20 and USUAL[connectivity] != PASS_OR_SKIP:
            continue
        model = constrained.random_model(rng, board, connectivity, wanted | more)
        joins = {"loop": model.loop, "free ends": model.free_ends}
        joins |= {"pair": len(model.terminals) == 1, "pairs": len(model.terminals) > 1}
        joins["covering"] = bool(model.terminals)
        if joins[connectivity] and wanted <= constrained.present(model, USUAL[connectivity]):
            return model


def is_large(number: int) -> bool:
    """Whether the board is of any sort: in long runs some are, with up to 12 vertices."""
    return number >= 1000 and number % 7 == 0


def listed(found) -> set[tuple[int, ...]]:
    """The edges of solutions, none of which is there twice."""
    edges = [tuple(getattr(one, "edges", one)) for one in found]
    assert len(edges) == len(set(edges))
    return set(edges)


def agree(model: LinkModel, expected: set[tuple[int, ...]], diagram: bool) -> None:
    """Ask all engines for the solutions of a model; with a diagram, that of the plain one, too."""
    status = ("none", "unique", "many")[min(2, len(expected))]
    for engine in ENGINES:
        if engine == "frontier" and (model.has_auxiliary or model.free_ends):
            with pytest.raises(NotSupported):
                count(model, engine=engine)
            continue
        assert listed(solutions(model, engine=engine)) == expected, engine
        # An oracle is asked below.
        if engine != "sat" and (engine != "plain" or diagram):
            assert count(model, engine=engine) == len(expected), engine
            assert decide(model, engine=engine).status == status, engine
    if diagram:
        assert listed(count_result(model, keep=True, engine="plain").solutions) == expected
    if len(model.terminals) > 1:
        assert listed(plain_solutions(with_pair_labels(model))) == expected
    ask_an_oracle(model, expected)
    for edges in constrained.line_sets(model)[:20]:
        assert (violations(model, edges) == []) == (tuple(sorted(edges)) in expected)


def rebuilt(model: LinkModel, usual: int) -> LinkModel:
    """The model, made of one without constraints step by step."""
    board, ends = model.board, {vertex for pair in model.terminals for vertex in pair}
    degrees = bytes(
        usual if mask == HOLE and vertex not in ends else mask
        for vertex, mask in enumerate(model.degrees)
    )
    blank = LinkModel(board, degrees, board.free_masks, model.terminals, model.loop)
    clued = blank.with_holes(model.holes).with_edges(model.given).with_faces(clues_of(model))
    return clued.with_edges(forbidden=model.forbidden).with_constraints(
        shapes=model.shapes, counts=model.counts, clauses=model.clauses
    )


def clues_of(model: LinkModel) -> dict[Any, set[int]]:
    """The numbers that faces with a constraint may have."""
    masks = zip(model.faces, model.board.free_masks, strict=True)
    return {
        model.board.face_name(face): {k for k in range(mask.bit_length()) if mask >> k & 1}
        for face, (mask, free) in enumerate(masks)
        if mask != free
    }


def ask_an_oracle(model: LinkModel, expected: set[tuple[int, ...]]) -> None:
    """Ask with the clues and the fixed edges as assumptions, of a model without them."""
    bare = replace(model, faces=model.board.free_masks, given=(), forbidden=())
    clues = clues_of(model)
    edges = dict.fromkeys(model.given, True) | dict.fromkeys(model.forbidden, False)
    with Oracle(bare) as oracle:
        assert oracle.ask(clues, edges).status == ("none", "unique", "many")[min(2, len(expected))]
        verdict = oracle.ask(clues, edges, core=True)
        assert verdict.status == ("none", "unique", "many")[min(2, len(expected))]
        assert listed(oracle.solutions(clues, edges)) == expected
        if verdict.core is not None:
            on = [edge for edge, value in verdict.core_edges.items() if value]
            off = verdict.core_edges.keys() - {*on}
            held = bare.with_faces(verdict.core).with_edges(on, off)
            assert constrained.solutions(held) == expected


def certified(model: LinkModel, expected: set[tuple[int, ...]]) -> bytes | None:
    """A certificate of the solutions, unless they are too many, or a free path closes to a loop."""
    if len(expected) > LIMIT:
        with pytest.raises(NoCertificate, match=f"more solutions than the limit of {LIMIT}"):
            certificate(model, limit=LIMIT)
        return None
    try:
        made = certificate(model, limit=LIMIT)
    except NoCertificate as reason:
        if model.free_ends and "exclude a loop" in str(reason):
            return None
        raise
    assert listed(made.solutions) == expected
    assert listed(checker.unpack(made.data)[0]["solutions"]) == expected
    return made.data


def verified_alone(folder: Path, proofs: dict[int, bytes]) -> tuple[list[str], str, int]:
    """What the verifier says, as a program in a folder of its own, of each certificate."""
    (folder / "verify.py").write_bytes(Path(checker.__file__).read_bytes())
    for number, data in proofs.items():
        (folder / str(number)).write_bytes(data)
    command = [sys.executable, "-I", "verify.py", *map(str, proofs)]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True)
    return done.stdout.splitlines(), done.stderr, done.returncode


#: Parts of each connectivity: 1,000 models in the usual run, 44,000 in the others.
PARTS = [range(200), range(200, 1000)]
PARTS += [range(1000 * part, 1000 * part + 1000) for part in range(1, 9)]


@pytest.mark.parametrize(
    "numbers",
    [PARTS[0], *(pytest.param(part, marks=pytest.mark.heavy) for part in PARTS[1:])],
    ids=lambda numbers: f"{numbers[0]}-{numbers[-1]}",
)
@pytest.mark.parametrize("connectivity", CONNECTIVITIES)
def test_every_constraint_and_pair(connectivity, numbers, tmp_path, monkeypatch):
    usual = USUAL[connectivity]
    #: What the models had, by family; constraints that some model had with effect; kinds of shapes.
    seen: set[tuple[str, str, str]] = set()
    effective: set[str] = set()
    excluded: set[tuple[int, int]] = set()
    sizes: set[int] = set()
    proofs: dict[int, bytes] = {}
    said: dict[int, str] = {}
    for number in numbers:
        model = model_of(connectivity, number)
        expected = constrained.solutions(model)
        try:
            assert rebuilt(model, usual) == model
            # Diagrams of the plain engine take most of the time.
            agree(model, expected, number % (12 if number in PARTS[0] else 4) == 0)
            # As in a browser tab, where nothing is compiled.
            monkeypatch.setattr(making, "COMPILED", number % 8 > 0)
            proof = certified(model, expected)
        except Exception as error:
            error.add_note(f"model {number} of {connectivity}: {model}")
            raise
        if proof is not None:
            proofs[number] = proof
            many = len(expected)
            what = f"exactly {many} solution{'s' * (many != 1)}" if many else "no solution"
            variant = "loop" if model.loop else "paths"
            board = f"{model.board.num_vertices} vertices"
            said[number] = f"{number}: verified: model ({variant}) of {board}: {what}"
        there = constrained.present(model, usual)
        family = CELLS[number % len(CELLS)][1]
        if not is_large(number):
            seen |= {(one, other, family) for one, other in product(there, repeat=2)}
        sizes.add(min(len(expected), LIMIT + 1))
        for name in there - effective:
            other = constrained.without(model, name, usual)
            effective |= {name} if constrained.solutions(other) != expected else set()
        for shape in model.shapes:
            for size in constrained.excluded_sizes(model, shape):
                excluded.add((model.degrees[shape.vertex], size))
    assert verified_alone(tmp_path, proofs) == ([*said.values()], "", 0)
    # Nothing is missing.
    assert seen == set(product(CONSTRAINTS, CONSTRAINTS, boards.FAMILIES))
    assert effective == set(CONSTRAINTS)
    assert {0, 1, 2} <= sizes
    assert {(usual, size) for size in range(3) if usual >> size & 1} <= excluded
    assert len(proofs) > 0.6 * len(numbers)
