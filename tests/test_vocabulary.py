"""Names that authors use: kinds at the top, options with the nearest name, texts and pictures."""

from __future__ import annotations

import pytest

import linkoracle
from linkoracle import Lattice, LinkModel, Oracle, Session, Slitherlink, catalogue, kinds
from linkoracle.core.errors import FormatError

KINDS = [kinds.KINDS[name] for name in kinds.BUILT_IN]
SMALL = Slitherlink([[3, None], [None, 1]])


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.kind)
def test_every_kind_stands_at_the_top(kind):
    assert getattr(linkoracle, kind.__name__) is kind


@pytest.mark.parametrize("kind", ["slitherlink", "numberlink", "simpleloop", "masyu"])
def test_one_function_makes_every_kind(kind):
    made = linkoracle.generate.puzzle(kind, 5, 5, seed=1)
    assert made.puzzle.kind == kind
    assert linkoracle.is_unique(made.puzzle)
    (first,) = linkoracle.generate.puzzles(kind, 5, 5, seed=1, limit=1)
    assert first.puzzle == made.puzzle


def test_slitherlinks_are_the_same_by_either_function():
    one, other = (
        linkoracle.generate.puzzle("slitherlink", 5, 5, seed=3, symmetry="half-turn"),
        linkoracle.generate.slitherlink(5, 5, seed=3, symmetry="half-turn"),
    )
    assert one.puzzle == other.puzzle


@pytest.mark.parametrize(
    ("asked", "near"),
    [
        (lambda: linkoracle.generate.slitherlink(5, 5, symetry="half-turn"), "symmetry"),
        (lambda: linkoracle.generate.puzzle("masyu", 5, 5, dificulty="easy"), "difficulty"),
        (lambda: linkoracle.generate.numberlink(5, 5, pair=3), "pairs"),
        (lambda: linkoracle.count(SMALL, tmeout=1), "timeout"),
        (lambda: linkoracle.decide(SMALL, engin="sat"), "engine"),
        (lambda: linkoracle.grade(SMALL, timout=1), "timeout"),
        (lambda: linkoracle.draw(SMALL, ascii=True), "ascii_only"),
        (lambda: linkoracle.read("", variants="loop"), "variant"),
        (lambda: linkoracle.write(SMALL, formt="text"), "format"),
        (lambda: Session(SMALL).ask(limits=3), "limit"),
        (lambda: Oracle.slitherlink(2, 2).ask({}, cores=True), "core"),
    ],
)
def test_a_misspelt_option_is_answered_with_the_nearest(asked, near):
    with pytest.raises(TypeError, match=f"Did you mean {near!r}") as raised:
        asked()
    assert "__init__" not in str(raised.value)
    assert "Request" not in str(raised.value)
    assert "self" not in str(raised.value)


def test_clues_that_are_no_counts_go_to_a_session():
    oracle = Oracle(kinds.Masyu(["w..", "...", "..."]))
    with pytest.raises(ValueError, match=r"of the kind masyu .* use linkoracle\.Session"):
        oracle.ask({(0, 0): "b"})


def test_a_puzzle_has_its_clues_by_their_cells():
    assert (SMALL[0, 0], SMALL[0, 1], kinds.Masyu(["w..", "...", "..."])[0, 0]) == (3, None, "w")
    board = linkoracle.boards.honeycomb(2, 2)
    assert Slitherlink.on(board, {0: 5})[0] == 5
    with pytest.raises(IndexError):
        SMALL[2, 0]
    with pytest.raises(TypeError):
        iter(SMALL)


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.kind)
def test_a_text_is_read_again(kind):
    for name, example in kind.examples.items():
        puzzle, _ = example.of(kind, name)
        assert kind.from_string(str(puzzle)) == puzzle
        assert linkoracle.read(str(puzzle)) == puzzle
        assert puzzle._repr_svg_().startswith("<svg")


def test_boards_of_all_shapes_have_a_text():
    for board in (linkoracle.boards.honeycomb(2, 2), linkoracle.boards.kites(2, 2)):
        puzzle = Slitherlink.on(board, {0: 1})
        assert Slitherlink.from_string(str(puzzle)) == puzzle
    with pytest.raises(FormatError, match="expected a Masyu, found a Slitherlink"):
        kinds.Masyu.from_string(str(SMALL))


def test_answers_have_pictures():
    verdict, diagram = linkoracle.decide(SMALL), linkoracle.diagram(SMALL)
    path = next(linkoracle.solutions(LinkModel.blank_paths(Lattice(3, 3), [(0, 8)])))
    made = linkoracle.generate.puzzle("masyu", 5, 5, seed=1)
    for shown in (verdict, diagram, verdict.solutions[0], path, made, made.solution):
        assert shown._repr_svg_().startswith("<svg")
    assert linkoracle.decide(Slitherlink([[4, 4]]))._repr_svg_() is None


def test_a_catalogue_yields_its_puzzles(tmp_path):
    with catalogue.Catalogue(tmp_path / "a.sqlite") as file:
        file.add(puzzle := Slitherlink([[4, None]]))
        assert [record.puzzle for record in file] == [puzzle]
