"""Certificates of models: any board, and constraints of all sorts, against brute force."""

from __future__ import annotations

import json
import random
from dataclasses import replace
from itertools import product
from random import Random

import networkx as nx
import pytest

from linkoracle import Board, Count, Lattice, LinkModel, NoCertificate, Shape, Slitherlink
from linkoracle import certificate as certified
from linkoracle.board import END, HOLE, PASS, PASS_OR_END, PASS_OR_SKIP
from linkoracle.certificates import record_of
from linkoracle.certificates import verify_certificate as checker
from tests import boards, constrained
from tests.certificates.forging import Parts, holds
from tests.certificates.test_forgeries import forged


def random_models(seeds, most=12):
    """Random models with at most so many solutions, these solutions, and certificates."""
    for seed in seeds:
        rng = random.Random(seed)
        model = constrained.random_model(rng, boards.random_board(rng))
        expected = constrained.solutions(model)
        if len(expected) > most:
            with pytest.raises(NoCertificate, match=f"the limit of {most} solutions"):
                certified(model, limit=most)
        else:
            yield model, expected, certified(model, limit=most)


@pytest.mark.parametrize("degrees", [HOLE, END, PASS, PASS_OR_SKIP, PASS_OR_END], ids=bin)
@pytest.mark.parametrize("size", [1, 2, 3, 4])
def test_clauses_of_shapes_say_what_shapes_do(size, degrees):
    """All shapes of up to three edges, some of four: clauses of the engines and the verifier."""
    board = Board(size + 1, [(0, vertex + 1) for vertex in range(size)])
    ring, numbers = board.edges_at(0), [k for k in range(3) if degrees >> k & 1]
    sets = list(product((0, 1), repeat=size))
    fitting = [chosen for chosen in sets if sum(chosen) in numbers]
    every = range(1 << (1 << size))
    for allowed in every if size < 4 else Random(5).sample(every, 200):
        shape = Shape(0, allowed)
        named = {one for one in sets if allowed >> sum(on << k for k, on in enumerate(one)) & 1}
        listed = {
            frozenset(edge for edge, on in zip(ring, one, strict=True) if on) for one in named
        }
        engine = shape.excluded(board, degrees)
        verifier = [*checker.shape_clauses(sorted(ring), numbers, listed)]
        for chosen in fitting:
            values = dict(zip(ring, chosen, strict=True))
            for clauses in (engine, verifier):
                true = (any(values[abs(x) - 1] == (x > 0) for x in clause) for clause in clauses)
                assert all(true) == (chosen in named), (shape, clauses)


def test_faces_that_are_needed_suffice():
    fewer = 0
    for model, expected, made in random_models(range(50)):
        if model.has_face_rules and expected:
            free, names = (
                model.board.free_masks,
                map(model.board.face_name, range(len(model.faces))),
            )
            faces = [
                mask if name in made.clues else all_counts
                for name, mask, all_counts in zip(names, model.faces, free, strict=True)
            ]
            assert constrained.solutions(replace(model, faces=faces)) == expected
            fewer += tuple(faces) != model.faces
    assert fewer


def changed(rng, record):
    """The record of another model, or of none."""
    record = json.loads(json.dumps(record))
    name = rng.choice([name for name in record if record[name] not in ([], 0)])
    value = record[name]
    if name in ("kind", "variant", "vertices"):
        other = {
            "kind": "models",
            "variant": "path",
            "vertices": value + 1 if name == "vertices" else 0,
        }
        record[name] = other[name]
        return record
    place = rng.randrange(len(value))
    if isinstance(value[place], list) and value[place] and rng.random() < 0.8:
        value = value[place]
        place = rng.randrange(len(value))
    what = rng.randrange(3)
    if what == 0:
        del value[place]
    elif what == 1:
        value.insert(place, value[place])
    elif isinstance(value[place], int):
        value[place] = rng.choice([value[place] + 1, value[place] - 1, -value[place], 10**9])
    return record


def test_what_is_said_of_another_model_is_refused_or_true():
    """The board, and each constraint, are part of the claim."""
    rng = random.Random(5)
    tried = accepted = 0
    for model, _, made in random_models(range(120)):
        parts = Parts.of(made.data)
        own = checker.Puzzle(record_of(model))
        assert holds(made.data, own)
        for _ in range(6):
            other = parts.copy()
            other.header["puzzle"] = changed(rng, other.header["puzzle"])
            if other.header["puzzle"] == parts.header["puzzle"]:
                continue
            tried += 1
            assert not holds(other.packed(), own)
            if holds(other.packed()):
                accepted += 1
                said = model_of_record(other.header["puzzle"])
                solutions = sorted(map(tuple, parts.header["solutions"]))
                assert sorted(constrained.solutions(said)) == solutions, other.header["puzzle"]
    assert tried > 400
    assert accepted < tried // 2


def model_of_record(record) -> LinkModel:
    """What a record says, read once more: faces as counts, shapes as counts."""
    edges = record["edges"]
    board = Board(record["vertices"], list(zip(edges[::2], edges[1::2], strict=True)))
    ends = record["pairs"]
    counts = [Count(tuple(some), mask) for mask, *some in record["counts"] if mask >= 0]
    for mask, *face in record["faces"]:
        if mask >= 0:
            counts.append(Count(tuple(edge + 1 for edge in face), mask))
    shapes = []
    for vertex, *sets in record["shapes"]:
        some = [{*two} - {-1} for two in zip(sets[::2], sets[1::2], strict=True)]
        shapes.append(
            Shape.of(board, vertex, [one for one in some if one <= {*board.edges_at(vertex)}])
        )
    model = LinkModel(
        board,
        bytes(record["degrees"]),
        [],
        list(zip(ends[::2], ends[1::2], strict=True)),
        record["variant"] == "loop",
        record["given"],
        record["forbidden"],
    )
    return model.with_constraints(counts=counts, shapes=shapes, clauses=record["clauses"])


def test_changed_solutions_are_refused():
    rng = random.Random(6)
    tried = 0
    for model, expected, made in random_models(range(300, 420)):
        parts = Parts.of(made.data)
        for index, solution in enumerate(parts.header["solutions"]):
            fewer = parts.copy()
            del fewer.header["solutions"][index]
            for values in ("auxiliary",) if "auxiliary" in parts.header else ():
                del fewer.header[values][index]
            assert not holds(fewer.packed())
            for _ in range(4):
                other = sorted({*solution} ^ {rng.randrange(model.board.num_edges)})
                assert tuple(other) not in expected
                swapped = parts.copy()
                swapped.header["solutions"][index] = other
                assert not holds(swapped.packed())
                tried += 1
    assert tried > 300


def test_a_dropped_axiom_or_lemma_is_missed():
    rng = random.Random(7)
    tried = kept = 0
    for _, expected, made in random_models(range(500, 560)):
        parts = Parts.of(made.data)
        for _ in range(4):
            less = parts.copy()
            name = rng.choice(["axioms", "cuts", "lemmas"])
            if len(some := getattr(less, name)) > 1:
                del some[rng.randrange(len(some))]
                tried += 1
                if holds(less.packed()):
                    # Another clause stands where it stood: true all the same.
                    kept += 1
                    assert checker.verify(less.packed())[1] == len(expected)
    assert tried > 100
    assert kept < tried // 10


def test_no_forgery_hides_a_solution_of_a_model():
    rng = random.Random(8)
    tried = 0
    for model, expected, made in random_models(range(600, 720)):
        if expected:
            parts = Parts.of(made.data)
            parts.header.pop("auxiliary", None)
            for _ in range(10):
                tried += 1
                assert not holds(forged(rng, parts, model.board.num_vertices).packed())
    assert tried > 500


def test_auxiliary_variables_need_values():
    """A path of three steps, one of which is required by way of a variable that is not an edge."""
    board = Lattice(2, 2)
    first = board.num_edges + board.num_vertices + 1
    model = LinkModel.blank_paths(board, [(0, 3)]).with_constraints(
        clauses=[(first, first + 1), (-first, 1), (-first - 1, 1), (-first, -first - 1)]
    )
    made = certified(model)
    assert len(made.solutions) == 1
    parts = Parts.of(made.data)
    ((value,),) = parts.header["auxiliary"]
    assert value in (first, first + 1)
    for values in (
        [[]],
        [[first, first + 1]],
        [],
        [[], []],
        [[value, 1]],
        [[value, True]],
        "",
        [0],
    ):
        parts.header["auxiliary"] = values
        assert not holds(parts.packed())
    parts.header["auxiliary"] = [[2 * first + 1 - value]]
    assert holds(parts.packed())
    del parts.header["auxiliary"]
    assert not holds(parts.packed())
    plain = Parts.of(certified(Slitherlink([[4]])).data)
    plain.header["auxiliary"] = [[]]
    assert not holds(plain.packed())


@pytest.mark.parametrize("longest", [9, 10, 11, 12])
def test_counts_with_gaps(longest):
    board = Lattice(4, 4)
    rng = random.Random(longest)
    literals = rng.sample(range(1, board.num_edges + board.num_vertices + 1), longest)
    model = LinkModel.blank_loop(board).with_constraints(
        counts=[Count.of([x * rng.choice([1, -1]) for x in literals], [0, 2, longest - 1])]
    )
    expected = constrained.solutions(model)
    made = certified(model, limit=300)
    assert len(expected) == len(made.solutions)
    assert checker.verify(made.data)[1] == len(expected)


def test_counts_that_are_too_long_are_refused_by_name():
    blank = LinkModel.blank_loop(Lattice(6, 6))
    with pytest.raises(NoCertificate, match="its counts take too many clauses"):
        certified(blank.with_constraints(counts=[Count.of([1] * 3000, {1000})]))
    with pytest.raises(NoCertificate, match="count 0 is too long"):
        certified(blank.with_constraints(counts=[Count((1,) * 14_001, 3 << 14_000)]))
    with pytest.raises(NoCertificate, match="out of range"):
        certified(blank.with_constraints(clauses=[(2 * 10**6,)]))
    # At least one of many is a clause.
    lines = range(1, 41)
    made = certified(blank.with_constraints(counts=[Count.of(lines, {0})], clauses=[lines]))
    assert made.solutions == ()
    assert checker.verify(made.data)[1] == 0


@pytest.mark.parametrize("pairs", [[], [(0, 2)]])
def test_paths_of_no_pair_and_boards_in_parts(pairs):
    """Nothing is the only solution without pairs; what lies apart stays empty."""
    board = Board(7, [(0, 1), (1, 2), (3, 4), (4, 5), (3, 5)])
    model = LinkModel.blank_paths(board, pairs)
    made = certified(model)
    assert [one.edges for one in made.solutions] == [(0, 1) if pairs else ()]
    assert holds(made.data)
    apart = certified(LinkModel.blank_paths(board, [(0, 3)]))
    assert (apart.solutions, holds(apart.data)) == ((), True)
    loop = certified(LinkModel.blank_loop(board))
    assert len(loop.solutions) == 1
    assert holds(loop.data)


@pytest.mark.parametrize("graph", ["honeycomb", "square", "apart"])
def test_a_checkerboard_that_does_not_come_out(graph):
    """No loop through all vertices, of which one colour has more: no search shows that so soon."""
    tree = {
        "honeycomb": lambda: boards.honeycomb(5, 5),
        "square": lambda: Lattice(7, 7),
        "apart": lambda: Board.from_graph(nx.disjoint_union(nx.path_graph(2), nx.star_graph(2))),
    }[graph]()
    sides = tree.sides
    while sides.count(0) == sides.count(1):
        tree = Board(
            tree.num_vertices + 1,
            [*map(tree.ends, range(tree.num_edges)), (0, tree.num_vertices)],
        )
        sides = tree.sides
    degrees = bytes([PASS]) * tree.num_vertices
    made = certified(LinkModel(tree, degrees, tree.free_masks, loop=True))
    assert made.solutions == ()
    parts = Parts.of(made.data)
    assert (len(parts.axioms), parts.cuts) == (1, [])
    for vertex in range(tree.num_vertices):
        other = parts.copy()
        other.header["puzzle"]["sides"][vertex] *= -1
        assert not holds(other.packed()) or not tree.edges_at(vertex)


def test_a_model_is_read_as_json(tmp_path, capsys):
    rng = random.Random(1)
    model = constrained.random_model(rng, boards.triangular(2, 2))
    certified(model, limit=99).save(tmp_path / "made")
    (tmp_path / "model").write_text(json.dumps(record_of(model)))
    other = model.with_edges(forbidden=[e for e in range(3) if e not in model.given])
    (tmp_path / "other").write_text(json.dumps(record_of(other)))
    for name, status in (("model", 0), ("other", 1)):
        assert checker.main(["--puzzle", str(tmp_path / name), str(tmp_path / "made")]) == status
        assert '"kind": "model"' in capsys.readouterr().out


STRANGE = [None, True, 1.0, "1", {}, [[[]]], [None], [True], [1.0], [[1, True]], [["1"]], 10**9]


@pytest.mark.parametrize("strange", STRANGE, ids=repr)
def test_strange_members_of_models(strange):
    model = LinkModel.blank_loop(Lattice(3, 3)).with_faces({(0, 0): 3, (1, 1): {2, 4}})
    model = model.with_constraints(
        counts=[Count.of([1, 2, 3], {1, 2})],
        clauses=[(1, 2, -17)],
        shapes=[Shape.of(model.board, 4, [(), (3, 8), (5, 7)])],
    )
    parts = Parts.of(certified(model).data)
    record = parts.header["puzzle"]
    assert holds(parts.packed())
    for name in record:
        other = parts.copy()
        other.header["puzzle"][name] = strange
        assert not holds(other.packed()), name
        del other.header["puzzle"][name]
        assert not holds(other.packed()), name
    record["more"] = []
    assert not holds(parts.packed())
