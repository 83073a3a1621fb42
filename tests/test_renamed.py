"""Old names keep working for one version, with a warning that names the new one."""

from __future__ import annotations

import importlib
import inspect
import warnings
from typing import ClassVar

import pytest

import linkoracle
from linkoracle import (
    Lattice,
    LinkModel,
    Oracle,
    PuzzleError,
    SimpleLoop,
    Slitherlink,
    Solution,
    generate,
)
from linkoracle.catalogue import Filter
from linkoracle.census import board_census
from linkoracle.core import OldAttribute, OldMethod
from linkoracle.core.limits import Deadline
from linkoracle.core.renamed import RENAMED
from linkoracle.deduce import DeductionState
from linkoracle.kinds import AnnotationList
from linkoracle.kinds.fixed import FIXED
from linkoracle.search import Alternatives

SQUARE = Slitherlink([[4, None]])


def holder(path):
    """The module, class or function of a key of the table."""
    try:
        return importlib.import_module(path)
    except ModuleNotFoundError:
        outer, _, name = path.rpartition(".")
        return getattr(holder(outer), name)


PAIRS = [(path, old, new) for path, names in RENAMED.items() for old, new in names.items()]


@pytest.mark.parametrize(("path", "old", "new"), PAIRS)
def test_every_old_name_leads_to_its_new_one(path, old, new):
    here = holder(path)
    if inspect.isroutine(here):
        parameters = inspect.signature(here).parameters
        assert new in parameters
        assert old not in parameters
    elif inspect.ismodule(here):
        home, _, name = new.rpartition(".")
        expected = getattr(importlib.import_module(home) if home else here, name)
        with pytest.warns(DeprecationWarning, match=f"{old} is now {new}") as caught:
            assert getattr(here, old) is expected
        assert caught[0].filename == __file__
        assert old not in vars(here)
        assert old not in getattr(here, "__all__", ())
    elif isinstance(vars(here)[old], OldAttribute):
        with pytest.warns(DeprecationWarning, match=f"{old} is now {new}") as caught:
            # A base class may leave its value to derived classes.
            assert getattr(here, old, None) is getattr(here, new, None)
        assert caught[0].filename == __file__
    else:
        assert new in dir(here) or new in here.__annotations__
        assert isinstance(vars(here)[old], OldMethod)


@pytest.mark.parametrize("function", ["decide", "count", "solve", "is_unique", "count_result"])
def test_old_names_of_arguments(function):
    called = getattr(linkoracle, function)
    with pytest.warns(
        DeprecationWarning, match=rf"asked of {function}\(\) is now puzzle"
    ) as caught:
        found = called(asked=SQUARE)
    assert caught[0].filename == __file__
    assert found == called(puzzle=SQUARE) == called(SQUARE)


def test_wrapped_functions_are_found_with_their_documentation():
    """As doctest looks for them: functions with the globals of their module."""
    for path, names in RENAMED.items():
        here = holder(path)
        if inspect.isfunction(here) and names:
            assert here.__globals__ is vars(importlib.import_module(here.__module__))
            assert here.__doc__ or here.__name__ in ("__init__", "__new__")


def old(one, name, *args, called=True, **given):
    """What an old method, or field, returns, which has to warn."""
    with pytest.warns(DeprecationWarning, match=f"{name} is now") as caught:
        method = getattr(one, name)
    assert caught[0].filename == __file__
    return method(*args, **given) if called else method


def test_old_methods_take_a_deadline_first():
    never = Deadline(None)
    square = Solution(Lattice(3, 3), (0, 1, 3, 5))
    blank = LinkModel.blank_loop(Lattice(3, 3))
    with Oracle(blank) as oracle:
        assert old(oracle, "ask_within", never, {(0, 0): 4}).unique
        assert old(oracle, "ask_within", never, {}, {0: True}).status == "many"
        assert old(oracle, "contradiction_within", never, {(0, 0): 4, (0, 1): 4}, {}) is not None
        assert old(oracle, "another_within", never, square) is not None
        assert len(list(old(oracle, "solutions_within", never))) == 13
    with Alternatives(blank, square) as search:
        with pytest.warns(DeprecationWarning, match="stay of fix_clues"):
            search.fix_clues([0], stay=True)
        assert old(search, "find_within", never, {3}) is None
        assert old(search, "thin_within", never, range(4), [1, 2, 3]) == {0}
    state = DeductionState(Slitherlink.blank(2, 2).model)
    assert old(state, "begin_within", never, [0])
    assert old(state, "guess_within", never, 1)
    assert old(state, "trials", called=False) == state.guesses


def test_old_arguments_of_classes():
    with pytest.warns(DeprecationWarning, match=r"makers of Filter\(\) is now sources") as caught:
        criteria = Filter(makers=("mine",))
    assert caught[0].filename == __file__
    assert criteria == Filter(sources=("mine",))
    assert old(criteria, "fits_maker", {"command": "mine"})


def test_old_fields_have_the_value_of_the_new_ones():
    census = board_census(1, 2)
    assert old(census, "barren", called=False) == census.unclueable


def test_old_properties():
    full = LinkModel.blank_paths(Lattice(1, 3), [(0, 2)], cover=True)
    with pytest.warns(DeprecationWarning, match="LinkModel.freed is now relaxed"):
        assert full.freed == full.relaxed == LinkModel.blank_paths(Lattice(1, 3), [(0, 2)])
    with pytest.warns(DeprecationWarning, match=r"freed of DeductionState\(\)") as caught:
        state = DeductionState(full, freed=True)
    assert caught[0].filename == __file__
    with pytest.warns(DeprecationWarning, match="DeductionState.freed is now relaxed"):
        assert state.freed is state.relaxed is True

    class Own(Alternatives):
        """Old names of a class are those of its subclasses, too."""

    with Own(LinkModel.blank_loop(Lattice(3, 3)), Solution(Lattice(3, 3), (0, 1, 3, 5))) as own:
        own.find({3})
        with pytest.warns(DeprecationWarning, match="questions is now queries"):
            assert own.questions == own.queries == 1

    made = generate.slitherlink(4, 4, seed=1)
    for found in (
        made,
        generate.reduce_clues(made.solution, seed=1),
        generate.fewest(made.solution),
    ):
        with pytest.warns(DeprecationWarning, match="questions is now queries"):
            assert found.questions == found.queries


def test_a_kind_with_old_names_of_attributes():
    """As the kinds of other packages may have them, in definitions and in use."""
    with pytest.warns(DeprecationWarning, match="is now") as caught:

        class Old(SimpleLoop):
            least, most = 2, 3
            points: ClassVar = {**FIXED, "marks": AnnotationList("marks", "gap")}
            marks = ()

    assert [str(one.message).split(":")[0] for one in caught] == [
        f"test_a_kind_with_old_names_of_attributes.<locals>.Old.{old} is now {new}"
        for old, new in (("least", "min_clue"), ("most", "max_clue"), ("points", "annotations"))
    ]
    assert {one.filename for one in caught} == {__file__}
    assert list(Old.annotations) == ["given", "forbidden", "marks"]
    assert Old([[2, 3]]).grid == ((2, 3),)
    with pytest.raises(PuzzleError):
        Old([[1]])
    with pytest.warns(DeprecationWarning, match="DrawnPuzzle.points is now annotations"):
        assert SQUARE.points is Slitherlink.annotations


def test_old_methods_of_a_derived_class():
    class Own(DeductionState):
        pass

    assert old(Own(Slitherlink.blank(2, 2).model), "begin_within", Deadline(None), [0])


def test_new_names_do_not_warn():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert linkoracle.decide(SQUARE, core=True).unique
        assert linkoracle.check_solution(SQUARE, linkoracle.solve(SQUARE))
        assert linkoracle.deduce.grade(SQUARE).status == "solved"
        with Oracle(SQUARE) as oracle:
            assert oracle.core({(0, 1): 3}).status == "none"


def test_only_names_of_the_table_are_found():
    with pytest.raises(AttributeError, match="has no attribute 'sovle'"):
        _ = linkoracle.solving.sovle
    with pytest.raises(TypeError, match="unexpected keyword argument 'ased'"):
        linkoracle.diagram(ased=SQUARE)
