from __future__ import annotations

import json
import sqlite3
from dataclasses import fields
from itertools import combinations, islice
from pathlib import Path

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from linkoracle import Lattice, Numberlink, Slitherlink, Solution, check_solution, is_unique, solve
from linkoracle.catalogue import GRADES, MEASURES, OUTDATED, UNGRADED, Catalogue, Filter
from linkoracle.catalogue.record import WORD, key_of, packed, unpacked
from linkoracle.core import CatalogueError
from linkoracle.deduce import LABELS, grade
from linkoracle.generate import (
    PathStatistics,
    has_layout_statistics,
    layout_statistics,
    numberlinks,
    slitherlinks,
)
from linkoracle.kinds import KINDS, images
from tests.strategies import puzzles

BOARDS = [
    *islice(slitherlinks(5, 5, seed=1), 4),
    *islice(slitherlinks(4, 6, seed=1, ends="random"), 3),
    *islice(numberlinks(6, 6, seed=1), 3),
]


@pytest.fixture
def path(tmp_path):
    """A catalogue of the boards; the first two have grades."""
    path = tmp_path / "catalogue.sqlite"
    with Catalogue(path) as catalogue:
        for number, made in enumerate(BOARDS, start=1):
            found = grade(made.puzzle) if number <= 2 else None
            maker = {"command": f"generate {made.puzzle.kind}", "cols": made.puzzle.cols}
            assert catalogue.add(
                *(made.puzzle, made.solution),
                source=maker,
                seed=10**30,
                number=number,
                grade=found,
                name="the first" if number == 1 else None,
            )
    return path


def ids(path, *, limit=None, sample=None, seed=None, **options):
    with Catalogue(path, readonly=True) as catalogue:
        found = catalogue.find(Filter(**options), limit=limit, sample=sample, seed=seed)
        return [record.id for record in found]


#: The kinds whose layout statistics a catalogue keeps.
KEPT = ("slitherlink", "numberlink")


def test_all_is_kept(path):
    with Catalogue(path, readonly=True) as catalogue:
        records = list(catalogue.find())
        assert len(catalogue) == len(BOARDS)
        assert list(catalogue.faults()) == []
    for number, (record, made) in enumerate(zip(records, BOARDS, strict=True), start=1):
        assert (record.puzzle, record.solution) == (made.puzzle, made.solution)
        assert (record.id, record.number, record.seed) == (number, number, 10**30)
        assert record.source["command"] == f"generate {made.puzzle.kind}"
        assert record.faults() == []
        found = json.loads(json.dumps(record.as_json()))
        lattice = made.puzzle.lattice
        assert Solution.from_paths(lattice, found["solution"]) == made.solution
        seen = (
            layout_statistics(made.puzzle, made.solution)
            if has_layout_statistics(made.puzzle) and made.puzzle.kind in KEPT
            else None
        )
        assert record.layout == seen
        assert (found["looks"] is None) == (seen is None)
    first, second, third = records[:3]
    assert (first.name, second.name) == ("the first", None)
    assert first.grade == grade(BOARDS[0].puzzle).label
    assert first.steps == grade(BOARDS[0].puzzle).total == sum(first.graded["steps"].values())
    assert (third.grade, third.steps, third.graded) == (None, None, None)


def test_puzzles_of_every_variant_can_be_read():
    assert all(WORD.fullmatch(variant) for kind in KINDS.values() for variant in kind.variants)
    for variant in Numberlink.variants:
        with Catalogue(None) as catalogue:
            assert catalogue.add(Numberlink([[1, None, 1], [2, None, 2]], variant=variant))
            assert [one.variant for one in catalogue.find()] == [variant]
            assert [one.variant for one in catalogue.stats()] == [variant]
            assert list(catalogue.faults()) == []


def test_images_are_the_same_puzzle(path):
    with Catalogue(path) as catalogue:
        for made in BOARDS:
            for image in images(made.puzzle):
                assert image in catalogue
                assert not catalogue.add(image)
        names = {None: None, **{number: 50 - number for number in range(1, 20)}}
        board = BOARDS[-1].puzzle
        renamed = [[names[cell] for cell in row] for row in board.numbers]
        assert not catalogue.add(Numberlink(renamed))
        assert Numberlink(renamed, "fill") not in catalogue
        assert len(catalogue) == len(BOARDS)


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.lists(puzzles(), max_size=4), st.data())
def test_a_catalogue_has_one_of_each_class(some, data):
    some = [puzzle for puzzle in some if is_unique(puzzle)]
    copies = [data.draw(st.sampled_from(images(puzzle))) for puzzle in some]
    with Catalogue(None) as catalogue:
        new = [catalogue.add(puzzle) for puzzle in [*some, *copies]]
        assert not any(new[len(some) :])
        kept = [record.puzzle for record in catalogue.find()]
        assert kept == [puzzle for puzzle, was_new in zip(some, new, strict=False) if was_new]
        assert len({key_of(puzzle) for puzzle in some}) == len(kept)
        assert all(check_solution(record.puzzle, record.solution) for record in catalogue.find())


def test_only_puzzles_with_one_solution_enter():
    with Catalogue(None) as catalogue:
        with pytest.raises(ValueError, match="found several solutions"):
            catalogue.add(Slitherlink.blank(2, 2))
        with pytest.raises(ValueError, match="found no solution"):
            catalogue.add(Slitherlink([[0, 0], [0, 0]]))
        with pytest.raises(ValueError, match="the solution is wrong: the clue 3"):
            catalogue.add(Slitherlink([[3, 3]]), Solution(Lattice(2, 3), (0, 1, 3, 5)))
        with pytest.raises(CatalogueError, match="grade of a puzzle with one solution"):
            catalogue.add(Slitherlink([[4]]), grade=grade(Slitherlink([[0]])))
        assert len(catalogue) == 0
        assert catalogue.add(Slitherlink([[4]]))


@pytest.mark.parametrize(
    ("options", "found"),
    [
        ({}, range(1, 11)),
        ({"kind": "numberlink"}, [8, 9, 10]),
        ({"variant": "path"}, [5, 6, 7]),
        ({"rows": (5, 6)}, [1, 2, 3, 4, 8, 9, 10]),
        ({"rows": (1, 9), "cols": (6, 6)}, [5, 6, 7, 8, 9, 10]),
        ({"clues": (0, 2)}, []),
        ({"grades": (UNGRADED,)}, range(3, 11)),
        ({"grades": GRADES}, [1, 2]),
        ({"grades": (UNGRADED, *GRADES)}, range(1, 11)),
        ({"sources": ("slither",)}, range(1, 8)),
        ({"sources": ("slither", "cols=6")}, [5, 6, 7]),
        ({"sources": ("rows=6",)}, []),
        ({"sources": ("linkoracle",)}, []),
    ],
)
def test_filters(path, options, found):
    assert ids(path, **options) == list(found)


def test_filters_by_clues(path):
    clues = [sum(cell is not None for row in made.puzzle.grid for cell in row) for made in BOARDS]
    clues[7:] = [number // 2 for number in clues[7:]]
    low, high = sorted(clues)[3], sorted(clues)[6]
    expected = [place for place, number in enumerate(clues, start=1) if low <= number <= high]
    assert ids(path, clues=(low, high)) == expected


def test_filters_by_score(path):
    scores = {number: grade(BOARDS[number - 1].puzzle).score for number in (1, 2)}
    with Catalogue(path, readonly=True) as catalogue:
        assert {one.id: one.score for one in catalogue.find() if one.score} == scores
        assert next(catalogue.find()).as_json()["score"] == scores[1]
    low, high = min(scores.values()), max(scores.values())
    assert ids(path, score=(low, high)) == [1, 2]
    assert ids(path, score=(scores[1], scores[1])) == [1]
    assert ids(path, score=(0, low - 1)) == ids(path, score=(high + 1, 10**30)) == []


#: A measure as `Filter` names it, from the layout statistics of a puzzle.
MEASURED = {
    "density": lambda seen: seen.density,
    "blocks": lambda seen: seen.block_deviation,
    "run": lambda seen: seen.clue_run,
    "blank": lambda seen: seen.blank_run,
    "rectangle": lambda seen: seen.empty_rectangle,
    "zeros": lambda seen: seen.shares[0],
    "ones": lambda seen: seen.shares[1],
    "twos": lambda seen: seen.shares[2],
    "threes": lambda seen: seen.shares[3],
    "links": lambda seen: seen.links,
    "straight": lambda seen: seen.straight,
    "short": lambda seen: seen.short,
    "turns": lambda seen: seen.turns,
    "cells": lambda seen: seen.cells,
    "covered": lambda seen: seen.covered,
}


@pytest.mark.parametrize("measure", MEASURES)
def test_filters_by_layout(path, measure):
    of_links = measure in [field.name for field in fields(PathStatistics)]
    found = {
        number: MEASURED[measure](layout_statistics(made.puzzle, made.solution))
        for number, made in enumerate(BOARDS, start=1)
        if bool(made.puzzle.through_cells) == of_links
    }
    for low, high in combinations(sorted({-1, *found.values(), 99}), 2):
        expected = [number for number, value in found.items() if low <= value <= high]
        assert ids(path, layout={measure: (low, high)}) == expected
    assert ids(path, layout={measure: (-1, 99), "links": (-1, 99), "density": (-1, 99)}) == []


def test_layout_statistics_that_are_unknown():
    with pytest.raises(ValueError, match=r"expected one of density, blocks, .*, got 'beauty'"):
        Filter(layout={"beauty": (0, 1)})


def test_scores_of_damaged_or_older_grades(path):
    with sqlite3.connect(path) as file:
        file.execute("UPDATE puzzle SET graded = '{\"score' WHERE id = 1")
        file.execute("UPDATE puzzle SET graded = json_remove(graded, '$.score') WHERE id = 2")
    file.close()
    warnings = []
    with Catalogue(path, readonly=True) as catalogue:
        found = catalogue.find(Filter(score=(0, 10**6)), skipped=warnings.append)
        assert list(found) == []
        assert next(catalogue.find(Filter(rows=(5, 5)), skipped=warnings.append)).score is None
    assert [str(error).partition("puzzle ")[2] for error in warnings] == [
        "1: its grade is not a JSON object"
    ] * 2


def test_grades_on_another_scale_are_outdated(path):
    with sqlite3.connect(path) as file:
        file.execute("UPDATE puzzle SET graded = json_remove(graded, '$.scale') WHERE id = 1")
    file.close()
    with Catalogue(path) as catalogue:
        old, new = [*catalogue.find()][:2]
        assert (old.grade, old.score) == (OUTDATED, None)
        assert new.grade in GRADES
        assert not old.faults()
        assert OUTDATED in {one.grade for one in catalogue.stats()}
        assert ids(path, grades=(OUTDATED,)) == [1]
        assert 1 not in ids(path, grades=GRADES) + ids(path, score=(0, 10**6))
        catalogue.set_grade(1, grade(old.puzzle))
    assert ids(path, grades=(OUTDATED,)) == []


def test_limits_and_samples(path):
    assert ids(path, limit=2, kind="numberlink") == [8, 9]
    assert ids(path, limit=99) == ids(path, sample=99) == list(range(1, 11))
    chosen = {tuple(ids(path, sample=3, seed=seed)) for seed in range(60)}
    assert all(len(one) == 3 and list(one) == sorted(one) for one in chosen)
    assert {number for one in chosen for number in one} == set(range(1, 11))
    assert ids(path, sample=3, seed=5) == ids(path, sample=3, seed=5)
    assert set(ids(path, sample=2, kind="numberlink")) < {8, 9, 10}
    with pytest.raises(ValueError, match="got both"):
        ids(path, limit=1, sample=1)


def test_many_pages(path, monkeypatch):
    monkeypatch.setattr("linkoracle.catalogue.catalogue._PAGE", 3)
    assert ids(path) == ids(path, sample=10) == list(range(1, 11))
    assert ids(path, kind="numberlink") == [8, 9, 10]


def test_stats(path):
    with Catalogue(path, readonly=True) as catalogue:
        groups = catalogue.stats()
        some = catalogue.stats(Filter(kind="numberlink"))
        records = list(catalogue.find())
    assert sum(group.puzzles for group in groups) == 10
    assert some == groups[: len(some)]
    assert [(one.variant, one.rows, one.cols, one.grade, one.puzzles) for one in some] == [
        ("free", 6, 6, None, 3)
    ]
    pairs = [record.clues for record in records if record.kind == "numberlink"]
    assert (some[0].fewest, some[0].most) == (min(pairs), max(pairs))
    order = [*GRADES, None]
    places = [order.index(one.grade) for one in groups if (one.variant, one.rows) == ("loop", 5)]
    assert places == sorted(places)
    assert places[-1] == len(GRADES)


def test_grades_come_later(path):
    board = BOARDS[4].puzzle
    with Catalogue(path) as catalogue:
        catalogue.set_grade(5, grade(board))
    with Catalogue(path, readonly=True) as catalogue:
        record = next(catalogue.find(Filter(variant="path")))
    assert (record.id, record.grade) == (5, grade(board).label)
    assert record.graded["depth"] == grade(board).depth


def test_the_labels_are_those_of_the_grades():
    assert (*LABELS, "gave up") == GRADES
    assert Filter(grades=("none", "tricky..extreme")).grades == ("none", *LABELS[2:5])
    for wrong in ("murderous", "hard..easy", "easy..", "..hard", "none..hard", None):
        with pytest.raises(ValueError, match=r"expected one of the grades.* a range such as"):
            Filter(grades=(wrong,))


@settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(puzzles())
def test_solutions_as_text(puzzle):
    solution = solve(puzzle)
    assume(solution is not None)
    assert unpacked(puzzle, packed(solution)) == solution


def test_texts_in_files_do_not_change():
    """Files hold these: when this fails, old files need a new schema."""
    path = Slitherlink([[None, 3, 1], [2, None, None]], ((0, 1), (2, 0)))
    assert key_of(path) == "slitherlink path\nends 0,0 2,1\n2..\n.31\n"
    assert key_of(Slitherlink([[None, 3], [2, 0]])) == "slitherlink\n.2\n30\n"
    assert key_of(Numberlink([[9, 4, 4], [9, None, None]])) == "numberlink\n..1\n221\n"
    assert packed(Solution(Lattice(3, 3), (0, 11))) == "801"


def test_a_wrong_record_is_told(path):
    file = sqlite3.connect(path)
    first = BOARDS[0].solution
    file.execute("UPDATE puzzle SET solution = ? WHERE id = 2", (packed(first),))
    file.execute("UPDATE puzzle SET clues = 99 WHERE id = 3")
    file.execute("UPDATE puzzle SET puzzle = 'slitherlink\n9\n' WHERE id = 4")
    file.execute("UPDATE puzzle SET canonical = 'x' WHERE id = 5")
    file.execute("UPDATE puzzle SET solution = 'ffffffffffffffffffffffff' WHERE id = 6")
    file.commit()
    file.close()
    with Catalogue(path, readonly=True) as catalogue:
        faults = dict(line.split(": ", 1) for line in catalogue.faults())
    assert list(faults) == [f"puzzle {number}" for number in (2, 3, 4, 5, 6)]
    assert "lines around it" in faults["puzzle 2"] or "meet" in faults["puzzle 2"]
    assert faults["puzzle 3"] == "its kind, variant, size or number of clues is wrong"
    assert "expected a clue from 0 to 4 or '?', found 9" in faults["puzzle 4"]
    assert faults["puzzle 5"] == "its canonical form is wrong"
    assert "expected the id of an edge from 0 to" in faults["puzzle 6"]


def foreign_files(folder: Path) -> list[Path]:
    text, short, database, cut = (folder / name for name in ("text", "short", "other", "cut"))
    text.write_text("these are notes, and more than a few of them " * 20)
    short.write_bytes(b"SQLite format 3\0")
    with sqlite3.connect(database) as file:
        file.execute("CREATE TABLE puzzle (name TEXT)")
    file.close()
    with Catalogue(folder / "whole"):
        pass
    cut.write_bytes((folder / "whole").read_bytes()[:60])
    return [text, short, database, cut]


def test_other_files_are_left_alone(tmp_path):
    for path in foreign_files(tmp_path):
        before = path.read_bytes(), path.stat().st_mtime_ns, sorted(tmp_path.iterdir())
        for readonly in (False, True):
            with pytest.raises(CatalogueError, match="not a catalogue of linkoracle"):
                Catalogue(path, readonly=readonly)
        assert (path.read_bytes(), path.stat().st_mtime_ns, sorted(tmp_path.iterdir())) == before


def test_readers_make_no_file(tmp_path):
    path = tmp_path / "absent"
    for options in ({"readonly": True}, {"create": False}):
        with pytest.raises(CatalogueError, match="no such file"):
            Catalogue(path, **options)
        assert list(tmp_path.iterdir()) == []
    path.touch()
    with pytest.raises(CatalogueError, match="it is empty"):
        Catalogue(path, readonly=True)
    assert path.stat().st_size == 0
    with Catalogue(path) as catalogue:
        assert len(catalogue) == 0
    with Catalogue(path, readonly=True) as catalogue:
        assert list(tmp_path.iterdir()) == [path]
        with pytest.raises(OSError, match="readonly"):
            catalogue.add(Slitherlink([[4]]))
    with pytest.raises(CatalogueError, match="cannot be read: Is a directory"):
        Catalogue(tmp_path)
    with pytest.raises(OSError, match="there is no folder"):
        Catalogue(tmp_path / "no" / "folder")


def test_a_later_schema_is_refused(path):
    file = sqlite3.connect(path)
    file.execute("PRAGMA user_version = 99")
    file.close()
    before = path.read_bytes()
    for readonly in (False, True):
        with pytest.raises(CatalogueError, match=r"later version of linkoracle \(schema 99"):
            Catalogue(path, readonly=readonly)
    assert path.read_bytes() == before


def test_odd_names_of_files(tmp_path):
    path = tmp_path / "a?mode=memory&b#c%20 d.sqlite"
    with Catalogue(path) as catalogue:
        catalogue.add(Slitherlink([[4]]))
    assert list(tmp_path.iterdir()) == [path]
    with Catalogue(str(path), readonly=True) as catalogue:
        assert len(catalogue) == 1
