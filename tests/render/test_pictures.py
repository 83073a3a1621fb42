"""Pictures show the right edges, clues, differences, edge frequencies and marks."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from itertools import combinations, product
from math import dist
from pathlib import Path

import pytest

import linkoracle
from linkoracle import Lattice, Numberlink, SimpleLoop, Slitherlink, Solution
from linkoracle.generate import Made
from linkoracle.kinds import KINDS
from linkoracle.render import THEMES, Marks, inner_faces, marked, overlay, picture, shares, svg
from linkoracle.render.figures import colours_of
from linkoracle.render.shapes import BANDS
from tests.render.reading import SVG, by_class, edges, is_solution, parsed

INSTANCES = Path(__file__).resolve().parents[2] / "instances"
CELL = 100
#: The colours of a picture for print.
BLACK_AND_WHITE = {"#000000", "#ffffff", "none"}


def instance(name: str):
    return linkoracle.read(INSTANCES / f"{name}.txt")


@pytest.mark.parametrize("name", ["slitherlink-10x10", "path-12x12", "numberlink-10x10"])
def test_a_solution_is_drawn_edge_by_edge(name):
    puzzle = instance(name)
    solution = linkoracle.solve(puzzle)
    text = svg(picture(puzzle, solution), cell=CELL)
    assert is_solution(edges(text, "line", puzzle, CELL), solution)
    assert edges(svg(picture(puzzle), cell=CELL), "line", puzzle, CELL) == []


@pytest.mark.parametrize("name", ["slitherlink-20x20", "numberlink-fill-9x12", "path-6x6"])
def test_clues_stand_in_their_cells(name):
    puzzle = instance(name)
    text = svg(picture(puzzle), cell=CELL)
    role = "clue" if isinstance(puzzle, Slitherlink) else "number"
    found = {
        (int(float(one.get("y")) / CELL - 0.5), int(float(one.get("x")) / CELL - 0.5)): one.text
        for group in by_class(text, role)
        for one in group
    }
    assert found == {
        (row, col): str(value)
        for row, cells in enumerate(puzzle.grid)
        for col, value in enumerate(cells)
        if value is not None
    }


def test_lines_run_without_dots_in_them():
    puzzle = instance("slitherlink-10x10")
    solution = linkoracle.solve(puzzle)
    dots = {one.centre for one in picture(puzzle, solution).shapes if one.role == "dot"}
    everywhere = {one.centre for one in picture(puzzle).shapes if one.role == "dot"}
    # The picture begins half a cell above and left of the first dot.
    walked = {(col + 0.5, row + 0.5) for walk in solution.paths() for row, col in walk}
    assert len(everywhere) == 121
    assert dots == everywhere - walked
    half = Marks(lines=[0], new_lines=[1], crosses=[2])
    left = [one for one in marked(puzzle, half).shapes if one.role == "dot"]
    assert len(left) == 118


@pytest.mark.parametrize("kind", [Slitherlink, SimpleLoop])
def test_what_is_fixed_is_drawn_with_and_without_a_solution(kind):
    corner = [((0, 0), (0, 1)), ((0, 0), (1, 0))]
    puzzle = kind([[None] * 4] * 4, given=corner, forbidden=[((1, 1), (1, 2)), ((2, 1), (2, 2))])
    if kind is Slitherlink:
        puzzle = replace(puzzle, holes=[(4, 4), (0, 4)])
    for drawn in (picture(puzzle), picture(puzzle, linkoracle.solve(puzzle))):
        text = svg(drawn, cell=CELL)
        assert sorted(edges(text, "given", puzzle, CELL)) == sorted(puzzle.model.given)
        crosses = [one for one in drawn.shapes if one.role == "given cross"]
        assert len(crosses) == 2 * len(puzzle.forbidden)
        middles = {tuple(sum(at) / 2 for at in zip(*one.points, strict=True)) for one in crosses}
        at = 0.5 if kind is Slitherlink else 1.0
        assert middles == {(1.5 + at, 1 + at), (1.5 + at, 2 + at)}
    dots = {one.centre for one in picture(puzzle).shapes if one.role == "dot"}
    # Given lines hide the three dots along them, and holes have no dots.
    assert len(dots) == (20 if kind is Slitherlink else 0)


def test_overlays_differ_where_the_solutions_do():
    puzzle = instance("slitherlink-10x10-several")
    solutions = list(linkoracle.solutions(puzzle))[:4]
    agreed = set.intersection(*(set(one.edges) for one in solutions))
    drawn = overlay(puzzle, solutions)
    text = svg(drawn, cell=CELL)
    # The legend is below the board, which ends half a cell after its last dot.
    board = svg(picture_without_legend(drawn, puzzle), cell=CELL)
    assert sorted(edges(board, "line", puzzle, CELL)) == sorted(agreed)
    for number, solution in enumerate(solutions):
        found = edges(board, f"series-{number}", puzzle, CELL)
        assert sorted(found) == sorted(set(solution.edges) - agreed)
        assert found
    colours = {by_class(text, f"series-{number}")[0].get("stroke") for number in range(4)}
    assert len(colours) == 4
    assert "in all 4 drawn" in text


def picture_without_legend(drawn, puzzle):
    """Return a picture with only the lines of the board."""
    low = puzzle.rows + 1.0
    kept = [one for one in drawn.shapes if not hasattr(one, "points") or one.points[0][1] < low]
    return type(drawn)(drawn.width, drawn.height, drawn.title, tuple(kept), drawn.cell)


def test_one_solution_laid_over_itself_is_that_solution():
    puzzle = instance("slitherlink-7x7")
    solution = linkoracle.solve(puzzle)
    text = svg(overlay(puzzle, [solution]), cell=CELL)
    assert is_solution(edges(text, "line", puzzle, CELL), solution)
    assert "series" not in text


def test_shares_are_widths():
    puzzle = Slitherlink.blank(1, 2)
    by_edge = linkoracle.diagram(puzzle).edge_frequencies()
    assert set(by_edge.values()) == {Fraction(2, 3)}
    by_edge[0], by_edge[1], by_edge[2] = Fraction(0), Fraction(1), Fraction(1, 3)
    drawn = shares(puzzle, by_edge, note="3 solutions").shapes
    weights = [one.weight for one in drawn if one.role == "share" and one.points[0][1] < 2]
    assert sorted(weights) == pytest.approx([1 / 3] + [2 / 3] * 4)
    assert any(one.role == "caption" and one.text == "3 solutions" for one in drawn)


def test_marks_are_where_they_were_put():
    puzzle = Slitherlink([[0, 3], [None, None]])
    marks = Marks(lines=[5], crosses=[0, 1], new_lines=[2, 7], new_crosses=[3], cells=[(0, 1)])
    text = svg(marked(puzzle, marks), cell=CELL)
    assert edges(text, "known", puzzle, CELL) == [5]
    assert sorted(edges(text, "new", puzzle, CELL)) == [2, 7]
    crosses = by_class(text, "known-cross")[0].get("d")
    assert crosses.count("M") == 4
    assert by_class(text, "new-cross")[0].get("d").count("M") == 2
    assert by_class(text, "face")[0].get("d") == "M150,50H250V150H150Z"
    assert by_class(svg(marked(puzzle, marks), "print"), "face-outline")


@pytest.mark.parametrize("when", ["known", "new"])
def test_cells_that_lines_visit_or_miss_are_marked(when):
    prefix = "" if when == "known" else "new_"
    marks = Marks(**{f"{prefix}visited": [0], f"{prefix}unvisited": [4]})
    drawn = marked(SimpleLoop(["...", "...", "..."]), marks).shapes
    # The picture begins half a cell above and left of the board.
    assert [one.centre for one in drawn if one.role == f"{when} dot"] == [(1, 1)]
    (area,) = (one for one in drawn if one.role == f"{when} shaded")
    assert [sum(axis) / 4 for axis in zip(*area.points, strict=True)] == pytest.approx([2, 2])
    text = svg(marked(Slitherlink.blank(2, 2), marks), cell=CELL)
    assert not by_class(text, f"{when}-dot")


def inside(solution, *, loop=True):
    """Return whether cells are inside, by rows."""
    rows, cols = solution.lattice.rows - 1, solution.lattice.cols - 1
    within = inner_faces(solution, loop=loop)
    return [[row * cols + col in within for col in range(cols)] for row in range(rows)]


def test_inside_is_what_a_ray_says():
    for solution in linkoracle.solutions(Slitherlink.blank(3, 3)):
        lattice, sides = solution.lattice, inside(solution)
        for row, col in product(range(3), range(3)):
            left = [lattice.edge((row, c), (row + 1, c)) for c in range(col + 1)]
            assert sides[row][col] == sum(edge in solution for edge in left) % 2


@pytest.mark.parametrize("name", ["slitherlink-10x10", "path-6x6"])
def test_regions_fill_one_side(name):
    puzzle = instance(name)
    solution = linkoracle.solve(puzzle)
    sides = inside(solution, loop=puzzle.ends is None)
    drawn = picture(puzzle, solution, regions=True)
    areas = [one for one in drawn.shapes if one.role == "inside"]
    assert sum(one.points[2][0] - one.points[0][0] for one in areas) == sum(map(sum, sides))
    lattice = puzzle.lattice
    for row, col in product(range(puzzle.rows), range(puzzle.cols - 1)):
        edge = lattice.edge((row, col + 1), (row + 1, col + 1))
        assert (sides[row][col] != sides[row][col + 1]) == (edge in solution)
    for row, col in product(range(puzzle.rows - 1), range(puzzle.cols)):
        edge = lattice.edge((row + 1, col), (row + 1, col + 1))
        assert (sides[row][col] != sides[row + 1][col]) == (edge in solution)


def test_paths_that_touch_look_different():
    solution = linkoracle.solve(instance("numberlink-10x10"))
    walks = solution.paths()
    kinds = colours_of(solution.walks(), solution.board)
    owner = {cell: index for index, walk in enumerate(walks) for cell in walk}
    pairs = [
        (index, owner[beside])
        for (row, col), index in owner.items()
        for beside in ((row, col + 1), (row + 1, col))
        if owner.get(beside, index) != index
    ]
    assert pairs
    assert all(kinds[one] != kinds[other] for one, other in pairs)
    for theme in THEMES.values():
        looks = [(theme.styles[f"path {n}"], theme.styles.get(f"band {n}")) for n in range(BANDS)]
        assert len(set(looks)) == BANDS


def every_picture():
    slitherlink, numberlink = instance("path-6x6"), instance("numberlink-8x8")
    several = instance("slitherlink-10x10-several")
    solutions = list(linkoracle.solutions(several))[:4]
    for puzzle in (slitherlink, numberlink, instance("slitherlink-4x4")):
        solution = linkoracle.solve(puzzle)
        yield picture(puzzle, title="A & <b>")
        yield picture(puzzle, solution)
        yield picture(puzzle, solution, regions=True)
        yield marked(puzzle, Marks([1], [2], [3], [4], [(0, 0), (1, 1)], "See."))
    yield overlay(several, solutions)
    yield shares(several, {0: 0.5, 1: 1.0})


def test_print_is_black_on_white():
    for drawn in every_picture():
        tree = parsed(svg(drawn, "print"))
        used = {one.get(name) for one in tree.iter() for name in ("fill", "stroke")} - {None}
        assert used <= BLACK_AND_WHITE
        assert not any("opacity" in name for one in tree.iter() for name in one.attrib)


@pytest.mark.parametrize("theme", THEMES)
def test_every_picture_is_well_formed_and_says_what_it_is(theme):
    for drawn in every_picture():
        text = svg(drawn, theme)
        tree = parsed(text)
        assert tree.tag == SVG + "svg"
        assert tree.find(SVG + "title").text == drawn.title
        left, top, width, height = map(float, tree.get("viewBox").split())
        assert (left, top) == (0, 0)
        assert text == svg(drawn, theme)
        assert "http" not in text.replace("http://www.w3.org/2000/svg", "")
        for one in tree.iter(SVG + "text"):
            assert 0 < float(one.get("x")) < width
            assert 0 < float(one.get("y")) < height


def test_words_are_cleaned_and_wrapped():
    drawn = picture(Slitherlink.blank(2, 2), title="a\x00b\n" + "word " * 40)
    lines = [one.text for one in drawn.shapes if one.role == "title"]
    assert lines[0].startswith("a b word")
    assert len(lines) > 3
    parsed(svg(drawn))


def test_wrong_solutions_are_drawn_and_strange_ones_refused():
    puzzle = Slitherlink.blank(2, 2)
    branching = Solution(puzzle.lattice, (0, 1, 2, 3))
    text = svg(picture(puzzle, branching), cell=CELL)
    assert sorted(edges(text, "line", puzzle, CELL)) == [0, 1, 2, 3]
    other = Solution(Lattice(2, 2), (0,))
    with pytest.raises(ValueError, match="another size"):
        picture(puzzle, other)
    with pytest.raises(ValueError, match="another size"):
        overlay(puzzle, [other])
    with pytest.raises(ValueError, match="expected 1 to 4 solutions, got 5"):
        overlay(puzzle, [branching] * 5)
    with pytest.raises(ValueError, match="regions need"):
        picture(puzzle, regions=True)
    with pytest.raises(ValueError, match="no edge 12"):
        marked(puzzle, Marks(lines=[12]))
    with pytest.raises(ValueError, match="no edge -1"):
        marked(puzzle, Marks(crosses=[-1, 5]))
    with pytest.raises(ValueError, match="from 0 to 1"):
        shares(puzzle, {0: 1.5})
    with pytest.raises(ValueError, match="expected one of the themes light, dark, print"):
        svg(picture(puzzle), "pink")


def test_notebooks_show_boards():
    puzzle = Numberlink([[1, 1]])
    solution = linkoracle.solve(puzzle)
    assert puzzle._repr_svg_() == svg(picture(puzzle))
    assert picture(puzzle)._repr_svg_() == svg(picture(puzzle))
    assert Made(puzzle, solution)._repr_svg_() == svg(picture(puzzle, solution))
    assert Slitherlink.blank(1, 1)._repr_svg_().startswith("<svg")


def test_numbers_of_three_digits_fit_their_discs():
    puzzle = Numberlink([[100, None, 100], [7, None, 7]])
    sizes = {one.text: one.size for one in picture(puzzle).shapes if one.role == "number"}
    assert 0.636 * 3 * sizes["100"] < 2 * 0.37 < 3 * sizes["7"]


#: What replaces linear red, green and blue where one of the kinds of cones is missing: Machado,
#: Oliveira and Fernandes, A physiologically-based model for simulation of color vision deficiency
#: (IEEE Transactions on Visualization and Computer Graphics, 2009), severity 1.
VISION = {
    "all": [[1, 0, 0], [0, 1, 0], [0, 0, 1]],
    "no long": [
        [0.152286, 1.052583, -0.204868],
        [0.114503, 0.786281, 0.099216],
        [-0.003882, -0.048116, 1.051998],
    ],
    "no medium": [
        [0.367322, 0.860646, -0.227968],
        [0.280085, 0.672501, 0.047413],
        [-0.011820, 0.042940, 0.968881],
    ],
    "no short": [
        [1.255528, -0.076749, -0.178779],
        [-0.078411, 0.930809, 0.147602],
        [0.004733, 0.691367, 0.303900],
    ],
}


def lab(color, vision):
    """Return a colour in the space CIE Lab, as it is seen with these cones."""
    parts = [int(color[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    linear = [v / 12.92 if v <= 0.04045 else ((v + 0.055) / 1.055) ** 2.4 for v in parts]
    seen = [min(1, max(0, sumprod(row, linear))) for row in vision]
    to_xyz = [[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]]
    xyz = [sumprod(row, seen) / sum(row) for row in to_xyz]
    x, y, z = (v ** (1 / 3) if v > 0.008856 else 7.787 * v + 16 / 116 for v in xyz)
    return 116 * y - 16, 500 * (x - y), 200 * (y - z)


def sumprod(row, values):
    return sum(one * other for one, other in zip(row, values, strict=True))


@pytest.mark.parametrize("cones", VISION)
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_bands_differ_for_all_kinds_of_colour_vision(theme, cones):
    """Colours at a distance of 2 are just told apart side by side."""
    colors = [THEMES[theme].styles[f"band {number}"].color for number in range(BANDS)]
    seen = [lab(color, VISION[cones]) for color in colors]
    assert min(dist(one, other) for one, other in combinations(seen, 2)) > 12


def test_bands_lie_under_pearls_and_borders_and_numbers_beside_lines():
    masyu = KINDS["masyu"]
    puzzle, solution = masyu.examples["loop"].of(masyu)
    roles = [shape.role for shape in picture(puzzle, solution, regions=True).shapes]
    last = max(place for place, role in enumerate(roles) if role.startswith("band "))
    assert last < min(roles.index("grid"), roles.index("terminal"), roles.index("path 0"))
    made = linkoracle.generate.puzzle("countryroad", 6, 6, seed=1)
    numbers = [
        [shape for shape in shown.shapes if shape.role == "clue"]
        for shown in (picture(made.puzzle), picture(made.puzzle, made.solution))
    ]
    moved = [(one, other) for one, other in zip(*numbers, strict=True) if one.at != other.at]
    assert moved
    assert all(other.size < one.size / 1.5 for one, other in moved)
