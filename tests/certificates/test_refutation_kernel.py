"""What follows a solver's log, compiled or not: chains, bad arguments, limits, Ctrl-C, garbage."""

from __future__ import annotations

import random
from itertools import combinations, product

import pytest

from linkoracle.certificates.refutation_kernel import Refutation
from linkoracle.certificates.refuting import PlainRefutation
from linkoracle.certificates.verify_certificate import Numbers
from linkoracle.certificates.writing import number
from linkoracle.core import Deadline, MemoryLimit, SearchTimeout
from tests.interrupting import ctrl_c, ends_within, while_at_work

NEVER = Deadline(None)
ROOM = 1 << 26


@pytest.fixture(params=["compiled", "plain"])
def refuting(request):
    """Both ways to follow a log."""
    if request.param == "plain":
        return PlainRefutation
    return lambda clauses: Refutation(clauses, ROOM)


def logged(*steps: tuple[str, list[int]]) -> bytes:
    """A binary DRAT proof."""
    return b"".join(
        kind.encode() + b"".join(number(2 * abs(x) + (x < 0)) for x in clause) + b"\0"
        for kind, clause in steps
    )


def pigeons(holes: int) -> list[tuple[int, ...]]:
    """More pigeons than holes: a refutation is long."""
    where = {(p, h): 1 + p * holes + h for p, h in product(range(holes + 1), range(holes))}
    clauses = [tuple(where[p, h] for h in range(holes)) for p in range(holes + 1)]
    for h in range(holes):
        clauses += [(-where[p, h], -where[q, h]) for p, q in combinations(range(holes + 1), 2)]
    return clauses


def log_of(clauses: list[tuple[int, ...]]) -> bytes:
    from pysat.solvers import Solver
    from pysolvers import flushpr

    with Solver(name="cadical195", bootstrap_with=clauses, with_proof=True) as owner:
        assert owner.solve() is False
        flushpr(owner.solver.prfp)
        owner.solver.prfile.seek(0)
        return owner.solver.prfile.read()


def resolved(clauses: list[tuple[int, ...]], used: list[int], encoded: bytes) -> list[set[int]]:
    """The clauses of a refutation, each resolved as its chain says."""
    numbers = Numbers(encoded)
    known = [set(clauses[index]) for index in used]
    for _ in range(*numbers.take(1)):
        first, *others = [known[-1 - back] for back in numbers.several()]
        for other in others:
            (pivot,) = {x for x in first if -x in other}
            first = first - {pivot} | other - {-pivot}
        known.append(first)
    assert not numbers.left
    return known


@pytest.mark.parametrize("deleting", [True, False])
@pytest.mark.parametrize("holes", [1, 2, 4, 6])
def test_a_solvers_log_becomes_resolution(refuting, holes, deleting):
    clauses = pigeons(holes)
    refutation = refuting(clauses)
    assert refutation.follow(log_of(clauses), deleting, NEVER)
    used, encoded = refutation.chains()
    assert resolved(clauses, used, encoded)[-1] == set()


def test_random_clauses_that_contradict_each_other(refuting):
    rng = random.Random(1)
    done = 0
    while done < 60:
        size = rng.randint(2, 9)
        clauses = [
            tuple(rng.choice([-x, x]) for x in rng.sample(range(1, size + 1), min(size, 3)))
            for _ in range(8 * size)
        ]
        try:
            log = log_of(clauses)
        except AssertionError:
            continue
        done += 1
        refutation = refuting(clauses)
        assert refutation.follow(log, True, NEVER)
        assert resolved(clauses, *refutation.chains())[-1] == set()


def test_contradictions_without_a_log(refuting):
    for clauses in ([()], [(1,), (-1,)], [(1, 2), (-1,), (3,), (-2, -3)]):
        refutation = refuting(clauses)
        assert refutation.follow(b"", True, NEVER)
        assert resolved(clauses, *refutation.chains())[-1] == set()


@pytest.mark.parametrize(
    "axioms",
    [
        *[[(0,)], [(1, 1)], [(1, -1)], [(2**40,)], [(-(2**31),)], [(2**28,)]],
        *[[(1.5,)], [("1",)], [(None,)], [[1]], [1], [None], [(1,), "2"], [((1,),)]],
    ],
    ids=str,
)
def test_axioms_that_are_none(axioms):
    with pytest.raises(ValueError, match="expected"):
        Refutation(axioms, ROOM)


def test_objects_out_of_order():
    refutation = Refutation([(1,), (-1,)], ROOM)
    with pytest.raises(ValueError, match="expected a refutation"):
        refutation.chains()
    assert refutation.follow(b"", True, NEVER)
    with pytest.raises(ValueError, match="has followed no proof"):
        refutation.follow(b"", True, NEVER)
    assert refutation.chains() == refutation.chains()


def test_what_does_not_follow_is_refused(refuting):
    clauses = [(1, 2), (-1, 2), (1, -2)]
    for log in (logged(("a", [])), logged(("a", [-1]), ("a", []))):
        assert not refuting(clauses).follow(log, True, NEVER)
    # The last axiom is needed, but forgotten.
    clauses.append((-1, -2))
    log = logged(("d", [-1, -2]), ("a", [2]), ("a", []))
    assert not refuting(clauses).follow(log, True, NEVER)
    assert refuting(clauses).follow(log, False, NEVER)


def test_garbage_does_no_harm():
    rng = random.Random(2)
    clauses = pigeons(4)
    log = log_of(clauses)
    for _ in range(1500):
        if rng.random() < 0.5:
            garbage = rng.randbytes(rng.randrange(100))
        else:
            garbage = bytearray(log)
            for _ in range(rng.randrange(1, 4)):
                garbage[rng.randrange(len(log))] = rng.randrange(256)
        refutation = Refutation(clauses, ROOM)
        if refutation.follow(bytes(garbage), rng.random() < 0.5, NEVER):
            assert resolved(clauses, *refutation.chains())[-1] == set()


@pytest.mark.parametrize("room", [0, 100, 10_000, 60_000])
def test_memory(room):
    clauses = pigeons(7)
    log = log_of(clauses)
    with pytest.raises(MemoryLimit):
        Refutation(clauses, room).follow(log, True, NEVER)


@pytest.fixture(scope="module")
def long_work():
    """Clauses and a log that take seconds to follow: conclusions about thousands of variables."""
    size = 20_000
    chain = [(-x, x + 1) for x in range(1, size)]
    return chain, logged(*[("a", [-1, size]), ("d", [-1, size])] * 50_000)


def test_a_time_limit_ends_it(long_work):
    clauses, log = long_work
    refutation = Refutation(clauses, 1 << 32)
    with ends_within(0.7), pytest.raises(SearchTimeout):
        refutation.follow(log, True, Deadline(0.2))


def test_ctrl_c_ends_it(long_work):
    clauses, log = long_work
    refutation = Refutation(clauses, 1 << 32)
    with ctrl_c(after=0.1, within=0.5):
        refutation.follow(log, True, NEVER)
    with pytest.raises(ValueError, match="expected a refutation"):
        refutation.chains()


def test_one_thread_at_a_time(long_work):
    clauses, log = long_work

    def ask(refutation):
        for call in (refutation.chains, lambda: refutation.follow(b"", True, NEVER)):
            with pytest.raises(ValueError, match="expected a refutation"):
                call()

    while_at_work(
        lambda: Refutation(clauses, 1 << 32),
        lambda refutation, deadline: refutation.follow(log, True, deadline),
        ask,
    )
