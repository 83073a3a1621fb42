"""Objects of all public classes are copied and pickled, fresh and after use."""

from __future__ import annotations

import asyncio
import copy
import importlib
import inspect
import pickle
import pkgutil
from collections.abc import Callable
from functools import cache
from random import Random
from typing import Any, NamedTuple

import networkx as nx
import pytest

import linkoracle
from linkoracle import (
    FORMATS,
    Board,
    Count,
    Lattice,
    LinkModel,
    Numberlink,
    Oracle,
    Session,
    Shape,
    SimpleLoop,
    Slitherlink,
    Solution,
    batch,
    boards,
    booklets,
    catalogue,
    census,
    dataset,
    deduce,
    generate,
    graphs,
    kinds,
    render,
    session,
)
from linkoracle.formats import About
from linkoracle.search import Alternatives
from linkoracle.zdd import Zdd, nodes_of

PUZZLE = Slitherlink([[3, 3], [None, None]])
SQUARE = Solution(Lattice(3, 3), (0, 1, 3, 5))
VIEW = nx.subgraph_view(nx.petersen_graph(), filter_node=lambda node: node < 9)


class Visits(kinds.BesideLoop):
    """A kind that counts the visited cells of rows and columns."""

    kind, title, instruction = "visits", "Visits", "Numbers count cells of a line."

    def along(self, place: str) -> list[Any]:
        row, col = kinds.line_of(place)
        return [(r, c) for r, c in self.cells() if row in (None, r) and col in (None, c)]

    def constrain(self, rules: kinds.LoopRules) -> None:
        for place, number in self.beside:
            rules.about("beside", place)
            rules.count(map(rules.visited, self.along(place)), [number])


class Example(NamedTuple):
    """How to make an object, to use it, and to ask what must be the same of a copy."""

    make: Callable[[], Any]
    answer: Callable[[Any], Any] = lambda one: one
    use: Callable[[Any], Any] = repr


def listed(one: Any) -> tuple[Any, ...]:
    return one.count(), list(one)[:30], bool(one)


def use_subgraphs(every: graphs.Subgraphs) -> None:
    every.shortest()
    every.plan()
    assert [every[:2], every.count(), every.by_length(), every.sample(1)]


def use_diagram(diagram: Any) -> None:
    assert [len(diagram), diagram.by_length(), diagram.shortest(), diagram[-1]]


def use_session(session: Session) -> None:
    session.ask()
    session.set({0: True})
    session.core()
    session.count()


def asked(session: Session) -> tuple[Any, ...]:
    return session.ask().status, session.clues, session.edges, session.board.last_change


def filled() -> catalogue.Catalogue:
    found = catalogue.Catalogue(None)
    found.add(PUZZLE, name="one")
    return found


@cache
def made() -> generate.MadeSlitherlink:
    return generate.slitherlink(4, 4, seed=1)


def use_service(service: linkoracle.Service) -> None:
    """Answer; then end the processes, since only a copy that is closed starts none."""
    assert asyncio.run(service.decide(PUZZLE)).status == "unique"
    service.close()


@cache
def twins() -> dataset.Twins:
    puzzle = generate.slitherlink(5, 5, seed=1)
    return dataset.find_twins(puzzle.puzzle, puzzle.solution, Random(1))


def seen(env: Any) -> tuple[Any, ...]:
    """What an environment shows, and what a move there is worth."""
    # The move is made in a copy, so that it can be asked again.
    return env.action_masks().tolist(), copy.deepcopy(env).step(1)[1:4]


EXAMPLES = {
    "Marks": Example(lambda: session.Marks({0: True}, {1: False})),
    "PathWish": Example(lambda: deduce.PathWish(no_trial=True, steps=(1, 20))),
    "Step": Example(lambda: deduce.deduced(PUZZLE, None).steps(PUZZLE)[0]),
    "Wrong": Example(lambda: session.Wrong([1], [], [])),
    "slitherlink": Example(lambda: PUZZLE, use=linkoracle.solve),
    "tiling": Example(lambda: Slitherlink.on(boards.honeycomb(2, 3)), use=linkoracle.solve),
    **{
        f"kind {name}": Example(lambda kind=kind: kind.blank(3, 4), use=lambda one: one.model)
        for name, kind in kinds.KINDS.items()
    },
    "numbers beside": Example(
        lambda: Visits.blank(3, 4).with_clues({"r1": 2, "all": 8}),
        lambda one: (one, one.beside, linkoracle.count(one)),
        lambda one: one.model,
    ),
    "model": Example(lambda: PUZZLE.model, use=lambda one: (one.relaxed, one.board.plane)),
    "board": Example(lambda: Board(3, [(0, 1), (1, 2)]), use=lambda one: (one.layout, one.plane)),
    "lattice": Example(lambda: Lattice(3, 4), use=lambda one: (one.layout, one.plane, one.sides)),
    "count": Example(lambda: Count.of([1, 2], {1})),
    "shape": Example(lambda: Shape.of(Lattice(3, 3), 4, [(3, 8)])),
    "solution": Example(lambda: SQUARE, use=lambda one: one.paths()),
    "verdict": Example(lambda: linkoracle.decide(PUZZLE, core=True)),
    "result": Example(lambda: linkoracle.count_result(PUZZLE, keep=True)),
    "certificate": Example(lambda: linkoracle.certificate(PUZZLE), use=str),
    "grade": Example(lambda: linkoracle.grade(PUZZLE)),
    "entry": Example(lambda: next(iter(linkoracle.read_all("slitherlink\n3 3\n. .\n")))),
    "options": Example(lambda: linkoracle.Options(engine="sat")),
    "limits": Example(lambda: graphs.Limits(timeout=1.0)),
    "oracle": Example(lambda: Oracle(PUZZLE), lambda one: one.ask().status, Oracle.ask),
    "oracle of pairs": Example(
        lambda: Oracle(Numberlink([[1, 2], [1, 2]])), lambda one: one.ask().status, Oracle.ask
    ),
    "session": Example(lambda: Session(PUZZLE), asked, use_session),
    "session of statements": Example(
        lambda: Session(linkoracle.read("masyu\nw.b\n...\n...\n")), asked, use_session
    ),
    "session of pairs": Example(lambda: Session(Numberlink([[1, 2], [1, 2]])), asked, use_session),
    "diagram": Example(lambda: linkoracle.diagram(Slitherlink.blank(3, 3)), listed, use_diagram),
    "part of a diagram": Example(
        lambda: linkoracle.diagram(Slitherlink.blank(3, 3), memory=1 << 30).filter(required=[0]),
        listed,
        use_diagram,
    ),
    "no solution": Example(
        lambda: linkoracle.diagram(Slitherlink([[4, 4]])), listed, lambda one: one.by_length()
    ),
    "family": Example(
        lambda: linkoracle.diagram(Slitherlink.blank(3, 3)).family(),
        lambda one: (one, *listed(one)),
        lambda one: one.maximal().count(),
    ),
    "empty family": Example(
        lambda: linkoracle.diagram(Slitherlink([[4, 4]])).family(), lambda one: (one, *listed(one))
    ),
    "family of paths": Example(
        lambda: graphs.all_simple_paths(nx.complete_graph(5), 0, 1, order=[3, 1, 0, 2, 4]).family(),
        lambda one: (one, *listed(one)),
    ),
    "cycles": Example(lambda: graphs.simple_cycles(nx.petersen_graph()), listed, use_subgraphs),
    "cycles of a view": Example(
        lambda: graphs.simple_cycles(VIEW, progress=lambda *_: None), listed, use_subgraphs
    ),
    "short paths": Example(
        lambda: graphs.all_simple_paths(nx.petersen_graph(), 0, 1, cutoff=6).excluding([(0, 1)]),
        listed,
        use_subgraphs,
    ),
    "plan of a pass": Example(lambda: graphs.simple_cycles(nx.cycle_graph(4)).plan()),
    "puzzles of a loop": Example(
        lambda: census.puzzles_of(SQUARE), lambda one: (one.count(), list(one)[:20])
    ),
    "instances": Example(lambda: census.instances(2, 2), listed, lambda one: one.count()),
    "census": Example(lambda: census.board_census(2, 2)),
    "state of a deduction": Example(
        lambda: deduce.DeductionState(PUZZLE),
        lambda one: (one.edges(), one.solved, one.model),
        lambda one: one.begin(),
    ),
    "backtracking": Example(lambda: deduce.backtrack(deduce.DeductionState(PUZZLE))),
    "step": Example(lambda: Session(PUZZLE).hint()),
    "alternatives": Example(
        lambda: Alternatives(Slitherlink.blank(2, 2), SQUARE),
        lambda one: (one.find({1, 2, 3}) is None, one.find({1, 2}) is None),
        lambda one: one.fix_clues([1], keep=True),
    ),
    "alternative": Example(lambda: Alternatives(Slitherlink.blank(2, 2), SQUARE).find({1, 2})),
    "made slitherlink": Example(made),
    "made": Example(lambda: generate.puzzle(generate.PuzzleRequest("masyu", 4, 4), seed=1)),
    "added": Example(lambda: generate.add_clues(Slitherlink.blank(2, 2).with_clues({(0, 0): 3}))),
    "fewest": Example(lambda: generate.fewest(SQUARE)),
    **{
        f"request for {name}": Example(lambda kind=kind: kind(4, 4))
        for name, kind in (
            ("slitherlink", generate.SlitherlinkRequest),
            ("numberlink", generate.NumberlinkRequest),
        )
    },
    "request for masyu": Example(lambda: generate.PuzzleRequest("masyu", 4, 4)),
    "catalogue": Example(
        filled, lambda one: [record.text for record in one.find()], lambda one: PUZZLE in one
    ),
    "record": Example(lambda: next(iter(filled().find()))),
    "group": Example(lambda: next(iter(filled().stats()))),
    "filter": Example(lambda: catalogue.Filter(kind="masyu")),
    "serial executor": Example(batch.Serial, lambda one: one.submit(max, 2, 3).result()),
    "processes": Example(
        lambda: batch.Processes(2, serial_seconds=9), lambda one: (one.workers, one._shut)
    ),
    "format": Example(lambda: FORMATS["text"]),
    "about": Example(lambda: About("a name")),
    "marks": Example(lambda: render.Marks([1], [2]), vars),
    "limits of a service": Example(lambda: linkoracle.Limits(seconds=1.0, cells=9)),
    "service": Example(
        lambda: linkoracle.Service(2, linkoracle.Limits(cells=9)),
        lambda one: (one.limits, one._processes.workers, one._processes._shut),
        use_service,
    ),
    "data set": Example(lambda: dataset.DataSet(["masyu"], ["6x6"], options={"no_trial": True})),
    "change": Example(lambda: next(dataset.changes(PUZZLE, Random(1)))),
    "twins": Example(twins),
    "twin": Example(lambda: twins().two),
    "answer": Example(lambda: dataset.answer_of(PUZZLE, "r1c1 RDLU")),
    "score": Example(
        lambda: dataset.score(
            next(dataset.DataSet(["slitherlink"], ["5x5"]).triples("slitherlink", "5x5"))[0], "none"
        )
    ),
    "grader": Example(
        lambda: dataset.StepGrader(PUZZLE),
        lambda one: (one.puzzle, one.marks, one.visited, one.solved, one.hint()),
        lambda one: one.move(0),
    ),
    "worth of a step": Example(lambda: dataset.StepGrader(PUZZLE).move(0)),
    "environment": Example(
        lambda: dataset.PuzzleEnv([PUZZLE]), seen, lambda one: (one.reset(seed=1), one.step(3))
    ),
    "sheet": Example(lambda: booklets.Sheet(PUZZLE)),
    "picture": Example(lambda: render.picture(PUZZLE)),
    "diagram of sets": Example(
        lambda: Zdd(3, kept=nodes_of([(0, 2), (1,)])[0]), lambda one: one.array().tolist()
    ),
}


@pytest.mark.parametrize("name", EXAMPLES)
@pytest.mark.parametrize("used", [False, True], ids=["fresh", "used"])
def test_copies_give_the_same_answers(name, used):
    make, answer, use = EXAMPLES[name]
    one = make()
    if used:
        use(one)
    copies = [pickle.loads(pickle.dumps(one)), copy.deepcopy(one), copy.copy(one)]
    for found in copies:
        assert type(found) is type(one)
        assert answer(found) == answer(one)
    # Copies of copies, after an answer.
    assert answer(pickle.loads(pickle.dumps(copies[0]))) == answer(one)


def test_a_copied_session_has_its_own_changes():
    for how in (copy.copy, copy.deepcopy):
        session = Session(PUZZLE)
        session.set({0: True})
        other = how(session)
        other.undo()
        other.set({(1, 1): 2})
        assert (session.edges, session.clues) == ({0: True}, {(0, 0): 3, (0, 1): 3})
        session.close()
        assert other.ask().status == linkoracle.decide(other.puzzle).status


def test_a_copied_grader_has_its_own_moves():
    for how in (copy.copy, copy.deepcopy):
        grader = dataset.StepGrader(PUZZLE)
        other = how(grader)
        other.move(0)
        other.visit(0)
        assert (grader.marks, grader.visited) == ({}, {})


def test_copies_of_closed_objects_are_closed(tmp_path):
    oracle, search = Oracle(PUZZLE), Alternatives(Slitherlink.blank(2, 2), SQUARE)
    for one in (oracle, search):
        one.close()
    with pytest.raises(linkoracle.LinkOracleError, match="closed"):
        copy.deepcopy(oracle).ask()
    with pytest.raises(linkoracle.LinkOracleError, match="closed"):
        copy.deepcopy(search).find({1})
    path = tmp_path / "puzzles.catalogue"
    with catalogue.Catalogue(path) as found:
        found.add(PUZZLE)
        assert len(pickle.loads(pickle.dumps(found))) == 1
    with pytest.raises(ValueError, match="a closed catalogue cannot be copied"):
        copy.deepcopy(found)


def test_what_cannot_be_copied_says_what_to_do_instead(tmp_path):
    with (
        census.BoardRun(2, 2, path=tmp_path / "run.sqlite") as run,
        pytest.raises(TypeError, match="resume=True continues a closed run"),
    ):
        pickle.dumps(run)
    with pytest.raises(TypeError, match="hidden clues"):
        copy.copy(deduce.DeductionState(PUZZLE, hidden=True))


#: A board of a notebook needs its extra, and a cluster a scheduler; no run can be copied.
APART = {"Board of linkoracle.studio", "Cluster", "BoardRun"}


def public_classes() -> dict[str, type[Any]]:
    """The classes that packages name as public and that have objects of their own."""
    packages = [module.name for module in pkgutil.iter_modules(linkoracle.__path__)]
    found = {}
    for package in ("linkoracle", *(f"linkoracle.{name}" for name in packages)):
        if package.endswith("__"):
            continue
        module = importlib.import_module(package)
        for name in getattr(module, "__all__", ()):
            one = getattr(module, name)
            if inspect.isclass(one) and not issubclass(one, BaseException):
                of = f" of {package}" if package.endswith("studio") else ""
                found[f"{name}{of}"] = one
    return found


#: Parts of definitions of kinds, which hold functions; protocols; bases of kinds.
DEFINITIONS = {"AnnotationList", "Example", "Figure", "Lines", "LoopRules", "Pzpr"}


def test_each_public_class_has_an_example():
    objects = [example.make() for example in EXAMPLES.values()]
    missing = set()
    for name, kind in public_classes().items():
        if getattr(kind, "_is_protocol", False) or name in APART | DEFINITIONS:
            continue
        base = dict if getattr(kind, "__total__", None) is not None else kind
        if not any(isinstance(one, base) for one in objects):
            missing.add(name)
    assert missing == set()
    assert isinstance(SimpleLoop.blank(2, 2).model, LinkModel)
