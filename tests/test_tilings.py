"""Tilings: equal to those of Loopy, plane, and named by words."""

from __future__ import annotations

import pickle
import re
import subprocess
import sys
from math import dist

import pytest
from hypothesis import given
from hypothesis import strategies as st

from linkoracle import Board, Lattice, MemoryLimit, boards
from linkoracle.board import symmetries
from linkoracle.boards import PATCHED, TILINGS
from linkoracle.formats import json_of_board
from linkoracle.formats.board_texts import board_of_json

#: Dots, edges and faces of the boards of 4x3, 5x6 and 10x10 cells (rows and columns), counted by
#: ``grid.c`` of Simon Tatham's Portable Puzzle Collection, version 20251021.
NUMBERS = {
    "square": ((20, 31, 12), (42, 71, 30), (121, 220, 100)),
    "triangular": ((22, 49, 28), (43, 105, 63), (126, 335, 210)),
    "honeycomb": ((38, 49, 12), (82, 111, 30), (240, 339, 100)),
    "snub_square": ((31, 59, 29), (71, 149, 79), (220, 499, 280)),
    "cairo": ((40, 56, 17), (98, 146, 49), (317, 496, 180)),
    "great_hexagonal": ((72, 118, 47), (180, 318, 139), (600, 1122, 523)),
    "octagonal": ((62, 79, 18), (142, 191, 50), (440, 620, 181)),
    "kites": ((99, 170, 72), (223, 402, 180), (679, 1278, 600)),
    "floret": ((124, 183, 60), (304, 465, 162), (970, 1539, 570)),
    "dodecagonal": ((98, 121, 24), (222, 291, 70), (678, 939, 262)),
    "great_dodecagonal": ((144, 190, 47), (360, 498, 139), (1200, 1722, 523)),
    "great_great_dodecagonal": ((190, 272, 83), (498, 756, 259), (1722, 2730, 1009)),
    "kagome": ((49, 82, 34), (111, 198, 88), (339, 636, 298)),
    "compass_dodecagonal": ((110, 151, 42), (262, 391, 130), (840, 1344, 505)),
}
#: The same numbers for parts of tilings that do not repeat.
PARTS = {
    "penrose_kite_dart 7 7 G-4281,-1409,324": (37, 62, 26),
    "penrose_kite_dart 10 10 G5991,217,72": (86, 155, 70),
    "penrose_kite_dart 6 8 81VBBBAAVBBA": (33, 55, 23),
    "penrose_rhombs 7 7 G-3300,1391,144": (28, 46, 19),
    "penrose_rhombs 10 10 G-4366,-1718,72": (71, 124, 54),
    "penrose_rhombs 7 7 70DYXXYXDY": (27, 44, 18),
    "hats 6 6 6,0,0,0,3,F": (143, 160, 18),
    "hats 12 8 7,3,1,12,1,F": (392, 446, 55),
    "spectres 6 6 80221F": (123, 137, 15),
    "spectres 9 9 A01012D": (312, 353, 42),
}
REPEATING = sorted(set(TILINGS) - PATCHED)
#: The lengths of sides of tiles in tilings with sides longer than 1.
GOLDEN = (1 + 5**0.5) / 2
LENGTHS = {
    "kites": {1, 3**0.5},
    "hats": {1, 3**0.5},
    "floret": {1, 2},
    "penrose_kite_dart": {1, 1 / GOLDEN},
}


def numbers(board: Board) -> tuple[int, int, int]:
    return board.num_vertices, board.num_edges, board.num_faces


def polygons(board: Board) -> list[list[tuple[float, float]]]:
    assert board.points is not None
    return [
        [board.points[vertex] for vertex in board.walk(face)] for face in range(board.num_faces)
    ]


@st.composite
def tilings(draw: st.DrawFn) -> Board:
    """Draw any tiling of any size that is quick."""
    name = draw(st.sampled_from(sorted(TILINGS)))
    rows, cols = draw(st.integers(1, 6)), draw(st.integers(1, 6))
    make = getattr(boards, name)
    if name in PATCHED:
        return make(rows + 4, cols + 3, seed=draw(st.integers(0, 999)))
    if name == "triangular":
        return make(rows, cols, ears=draw(st.booleans()))
    if name == "cairo":
        return make(rows + 1, cols + 1)
    return make(rows, cols)


def test_every_tiling_has_a_constructor():
    assert set(TILINGS) == set(boards.__all__) - {"named", "words_of", "from_polygons"}
    assert sorted(tiling.loopy_type for tiling in TILINGS.values()) == list(range(18))


@pytest.mark.parametrize("name", REPEATING)
def test_numbers_are_those_of_loopy(name):
    sizes = ((4, 3), (5, 6), (10, 10))
    assert tuple(numbers(getattr(boards, name)(*size)) for size in sizes) == NUMBERS[name]


@pytest.mark.parametrize("words", PARTS)
def test_numbers_of_parts_are_those_of_loopy(words):
    assert numbers(boards.named(words)) == PARTS[words]


@given(tilings())
def test_tilings_are_plane(board):
    """Sides do not cross, tiles do not overlap, and there are no holes."""
    vertices, edges, faces = numbers(board)
    assert vertices - edges + faces == 1
    again = boards.from_polygons(polygons(board))
    assert numbers(again) == numbers(board)
    assert isinstance(board, Lattice) or again == board
    for face in range(faces):
        assert len(set(board.walk(face))) == len(board.walk(face)) == len(board.edges_of(face))


@given(tilings())
def test_sides_have_the_length_1_or_what_the_tiling_says(board):
    name = boards.words_of(board).split()[0]
    allowed = LENGTHS.get(name, {1})
    for edge in range(board.num_edges):
        one, other = (board.points[end] for end in board.ends(edge))
        assert min(abs(dist(one, other) - length) for length in allowed) < 1e-9
    assert [min(axis) for axis in zip(*board.points, strict=True)] == [0, 0]


@given(tilings())
def test_words_make_the_board_again(board):
    words = boards.words_of(board)
    again = boards.named(words)
    assert again == board
    assert boards.words_of(again) == words
    assert boards.words_of(pickle.loads(pickle.dumps(board))) == words
    assert boards.named(words.lower().split()) == board


@pytest.mark.parametrize(
    ("board", "number"),
    [
        (boards.honeycomb(1, 1), 12),
        (boards.kites(1, 1), 12),
        (boards.dodecagonal(1, 1), 24),
        (boards.floret(1, 1), 12),
        (boards.floret(3, 3), 6),
        (boards.octagonal(4, 4), 8),
        (boards.octagonal(4, 3), 4),
        (boards.compass_dodecagonal(3, 3), 8),
        (boards.snub_square(4, 4), 4),
        (boards.cairo(4, 4), 4),
        (boards.triangular(4, 3), 4),
        (boards.triangular(3, 4), 2),
        (boards.kagome(3, 3), 2),
    ],
    ids=lambda found: getattr(found, "words", None),
)
def test_symmetries(board, number):
    """Coordinates are exact enough. Florets have no mirror symmetry, but a single flower has."""
    assert len(symmetries(board)) == number


@pytest.mark.parametrize("name", sorted(PATCHED))
def test_a_seed_gives_the_same_part_and_another_seed_another(name):
    make = getattr(boards, name)
    assert make(9, 9, seed=5) == make(9, 9, seed=5)
    assert len({make(9, 9, seed=seed).words for seed in range(5)}) == 5
    assert make(9, 9).words != make(9, 9).words


@pytest.mark.parametrize("name", sorted(PATCHED))
def test_parts_fill_their_rectangle(name):
    """Parts have about ``rows`` x ``cols`` cells of the size of a square of the given side."""
    for seed in range(5):
        board = getattr(boards, name)(12, 20, seed=seed)
        width, height = (max(axis) for axis in zip(*board.points, strict=True))
        across, down, margin = {
            "penrose_kite_dart": (1.5, 1.5, 4),
            "penrose_rhombs": (1.25, 1.25, 4),
            "hats": (3**-0.5 / 2, 1 / 3, 8),
            "spectres": (8**0.5 / 7, 8**0.5 / 7, 6),
        }[name]
        assert 20 - margin * across < width * across <= 20 + 0.1
        assert 12 - margin * down < height * down <= 12 + 0.1


WRONG = {
    "": "expected a board out of square, triangular",
    "hexagons 3 3": "got 'hexagons'",
    "honeycomb": "expected 'honeycomb ROWS COLS', got 'honeycomb'",
    "honeycomb 3": "expected 'honeycomb ROWS COLS', got 'honeycomb 3'",
    "honeycomb 3 x": "expected 'honeycomb ROWS COLS', got 'honeycomb 3 x'",
    "honeycomb 3 -3": "expected 'honeycomb ROWS COLS'",
    "honeycomb 3 3 3": "expected 'honeycomb ROWS COLS', got 'honeycomb 3 3 3'",
    "honeycomb 0 3": "rows",
    "cairo 3 1": "expected two rows and columns, or more, got 3 x 1",
    "triangular 3 3 horns": "expected 'triangular ROWS COLS [ears]'",
    "penrose_rhombs 7 7": "expected 'penrose_rhombs ROWS COLS PATCH'",
    "penrose_rhombs 7 7 G1,2": "expected a patch like",
    "penrose_rhombs 7 7 G1,2,30": "expected an angle out of",
    "penrose_rhombs 7 7 G99999,2,36": "expected a point at most",
    "penrose_rhombs 7 7 70ABU": "expected a patch like",
    "penrose_rhombs 7 7 70CC": "too short",
    "penrose_rhombs 7 7 70CDD": "no D has a part C",
    "hats 6 6 1,F": "expected a patch like '6,0,0,0,3,F'",
    "hats 6 6 1,0,13,F": "expected a part of F, got 13",
    "hats 6 6 1,2,6,H": "expected a hat of P, got 2",
    "hats 6 6 1,0,0,F": "too short",
    "spectres 6 6": "expected 'spectres ROWS COLS PATCH'",
    "spectres 6 6 C0F": "expected a patch like '80221F'",
    "spectres 6 6 807G": "expected parts 0 to 6 of G",
    "spectres 6 6 81F": "expected one spectre in F",
    "spectres 6 6 80F": "too short",
    "penrose_rhombs 4 5 G-40,75,180": "no face of it is left",
}


@pytest.mark.parametrize("words", WRONG)
def test_what_is_no_board(words):
    with pytest.raises(ValueError, match=re.escape(WRONG[words])):
        boards.named(words)


@pytest.mark.parametrize("words", ["honeycomb 1001 1000", "kites 500 500", "hats 2000 999 0,0,0,F"])
def test_boards_that_are_too_large(words):
    with pytest.raises(MemoryLimit, match="at most 1000000 faces"):
        boards.named(words)


@pytest.mark.parametrize(
    ("words", "canonical"),
    [
        ("HONEYCOMB 07 8", "honeycomb 7 8"),
        ("Triangular 3 3 EARS", "triangular 3 3 ears"),
        ("penrose_rhombs 7 7 g-3300,01391,144", "penrose_rhombs 7 7 G-3300,1391,144"),
        ("hats 6 6 6,0,00,00,03,f", "hats 6 6 6,0,0,0,3,F"),
    ],
)
def test_words_are_written_in_one_way(words, canonical):
    assert boards.words_of(boards.named(words)) == canonical


def test_small_parts_of_penrose_tilings_have_no_face():
    with pytest.raises(ValueError, match="expected a larger board"):
        boards.penrose_rhombs(1, 1, seed=1)


def test_boards_without_words():
    plain = Board(3, [(0, 1), (1, 2), (0, 2)], [(0, 1, 2)])
    assert boards.words_of(plain) is None
    assert boards.words_of(boards.from_polygons([[(0, 0), (1, 0), (0, 1)]])) is None
    assert boards.words_of(Lattice(1, 5)) is None


SQUARE = [(0, 0), (1, 0), (1, 1), (0, 1)]
REFUSED = {
    "none": ([], "expected polygons, got none"),
    "two corners": ([[(0, 0), (1, 0)]], "three or more different corners in polygon 0"),
    "a corner twice": ([[(0, 0), (1, 0), (0, 0)]], "3 of which 2 differ"),
    "no point": ([[(0,), (1, 0), (0, 1)]], "expected a corner as two numbers"),
    "not finite": ([[(0, 0), (1, 0), (0, float("inf"))]], "expected coordinates below 1e+100"),
    "too far": ([[(0, 0), (1, 0), (0, 1e100)]], "expected coordinates below 1e+100"),
    "too small": ([[(0, 0), (1e-101, 0), (0, 1e-101)]], "wider or higher than 1e-100"),
    "nearly the same": (
        [SQUARE, [(1 + 1e-10, 0), (2, 0), (1, 1)]],
        "the corners (1.0, 0.0) and (1.0000000001, 0.0) are nearly the same",
    ),
    "bow tie": ([[(0, 0), (2, 2), (2, 0), (0, 1)]], "meet elsewhere than at a corner of both"),
    "flat": ([[(0, 0), (1, 0), (2, 0)]], "meet elsewhere"),
    "same": ([SQUARE, SQUARE[::-1]], "polygons 0 and 1 are the same"),
    "crossing": ([SQUARE, [(0.5, 0.5), (2, 0.5), (2, 2)]], "meet elsewhere"),
    "inside": ([SQUARE, [(0, 0), (0.5, 0.2), (0.2, 0.5)]], "polygon 0 overlaps"),
    "corner on a side": ([SQUARE, [(1, 0.5), (2, 0.5), (2, 2)]], "meet elsewhere"),
    "part of a side": ([SQUARE, [(1, 0), (1, 0.5), (2, 0.5)]], "meet elsewhere"),
    "apart": ([SQUARE, [(5, 5), (6, 5), (6, 6)]], "expected polygons that hang together"),
}


@pytest.mark.parametrize("case", REFUSED)
def test_what_is_no_board_of_polygons(case):
    shapes, reason = REFUSED[case]
    with pytest.raises(ValueError, match=re.escape(reason)):
        boards.from_polygons(shapes)


def test_polygons_may_leave_a_hole_and_touch_at_a_corner():
    ring = [
        [(x, y), (x + 1, y), (x + 1, y + 1), (x, y + 1)]
        for x in range(3)
        for y in range(3)
        if (x, y) != (1, 1)
    ]
    assert numbers(boards.from_polygons(ring)) == (16, 24, 8)
    assert numbers(boards.from_polygons([SQUARE, [(1, 1), (2, 1), (2, 2)]])) == (6, 7, 2)


@given(st.integers(1, 4), st.floats(-9e-13, 9e-13))
def test_corners_are_the_same_up_to_rounding(size, shift):
    shapes = [
        [(x + shift * y, y + shift * x), (x + 1, y), (x + 1, y + 1), (x, y + 1)]
        for x in range(size)
        for y in range(size)
    ]
    assert numbers(boards.from_polygons(shapes)) == numbers(Lattice(size + 1, size + 1))


@pytest.mark.parametrize("far", [0, 100])
def test_polygons_of_a_turned_tiling_share_their_corners(far):
    """Each polygon with its own errors of rounding, as programs that compute corners have them."""
    for name in sorted(TILINGS.keys() - {"square"}):
        make = getattr(boards, name)
        tiling = make(3, 3, seed=1) if name in PATCHED else make(3, 3)
        polygons = []
        for face in range(tiling.num_faces):
            (left, top), *_ = corners = [tiling.points[vertex] for vertex in tiling.walk(face)]
            turned = [
                ((x - left) * 0.6 - (y - top) * 0.8, (x - left) * 0.8 + (y - top) * 0.6)
                for x, y in corners
            ]
            middle = left * 0.6 - top * 0.8 + far, left * 0.8 + top * 0.6 + far
            polygons.append([(middle[0] + x, middle[1] + y) for x, y in turned])
        found = boards.from_polygons(polygons)
        assert numbers(found) == numbers(tiling)
        # And written again, it is read the same.
        assert board_of_json(json_of_board(found, named=False)) == found


def test_boards_need_neither_numpy_nor_networkx():
    program = (
        "import sys; from linkoracle import boards; boards.honeycomb(9, 9);"
        "boards.penrose_rhombs(9, 9, seed=1); boards.from_polygons([[(0, 0), (1, 0), (0, 1)]]);"
        "print({'numpy', 'networkx'}.isdisjoint(sys.modules))"
    )
    run = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert run.stdout == "True\n"
