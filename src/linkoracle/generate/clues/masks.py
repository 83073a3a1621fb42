"""Preset masks of clues, and letters and digits made of clues.

A mask has a row of characters for each row of cells: `#` for a clue, a digit for this clue, `.` for
none, `?` for either, `_` for a cell that is not marked. Masks without `?` or `_` need the strategy
``"mask"``, which searches for a loop that clues on exactly these cells make unique. All presets but
``spiral`` have half-turn symmetry; ``checkerboard`` has it only on boards whose sides are both even
or both odd.

>>> print(*pattern("rings", 5, 6), sep="\\n")
######
#....#
#.##.#
#....#
######
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import product
from typing import Literal, get_args

from linkoracle.core import checked_int

Pattern = Literal[
    "rings", "spiral", "frame", "border", "opening", "checkerboard", "diagonals", "stripes"
]
#: The names of the presets.
PATTERNS: tuple[Pattern, ...] = get_args(Pattern)
#: Each letter and digit as five rows of three cells; a row is a binary number.
_DRAWN = """
0 75557  1 26227  2 71747  3 71717  4 55711  5 74717  6 74757  7 71222  8 75757  9 75717
A 25755  B 65656  C 34443  D 65556  E 74647  F 74644  G 34553  H 55755  I 72227  J 11152
K 55655  L 44447  M 57755  N 65555  O 25552  P 65644  Q 25573  R 65655  S 34216  T 72222
U 55557  V 55552  W 55775  X 55255  Y 55222  Z 71247
"""
_GLYPHS = {" ": "00000", **dict(zip(_DRAWN.split()[::2], _DRAWN.split()[1::2], strict=True))}
_HIGH, _WIDE = 5, 3


def pattern(name: Pattern, rows: int, cols: int) -> tuple[str, ...]:
    """Return a preset mask for a board of ``rows`` x ``cols`` cells.

    * ``"rings"``: every other ring of cells, from the border inwards;
    * ``"spiral"``: one line of cells from the border inwards;
    * ``"frame"``: the border, a gap next to it, and anything inside;
    * ``"border"``: 3 and 0 in turns at every other cell of the border, and anything inside;
    * ``"opening"``: no clue in the middle third of the rows and columns, anything around it;
    * ``"checkerboard"``: every other cell;
    * ``"diagonals"``: two of three diagonals;
    * ``"stripes"``: every other row, from the top and from the bottom.

    Raises ``ValueError`` for an unknown name, and for a board without cells.

    >>> print(*pattern("diagonals", 4, 6), sep="\\n")
    #.##.#
    .##.##
    ##.##.
    #.##.#
    """
    if name not in PATTERNS:
        raise ValueError(f"expected a pattern out of {', '.join(PATTERNS)}; got {name!r}")
    rows, cols = checked_int(rows, "rows", 1), checked_int(cols, "columns", 1)
    # A half-turn must map the diagonals without clues to each other.
    left_out = 2 * (rows + cols - 2) % 3

    def ring(row: int, col: int) -> int:
        return min(row, col, rows - 1 - row, cols - 1 - col)

    def on_border(row: int, col: int) -> str:
        """The mark of a cell of the border: clockwise, from two cells behind each corner."""
        if row in (0, rows - 1):
            place, size = col if row == 0 else cols - 1 - col, cols
        else:
            place, size = row if col else rows - 1 - row, rows
        is_inner = min(rows, cols) > 1 and 2 <= place < size - 2
        return "0.3."[place % 4] if is_inner else "."

    turning = _spiral(rows, cols)
    marks: dict[str, Callable[[int, int], str]] = {
        "rings": lambda row, col: "#."[ring(row, col) % 2],
        "spiral": lambda row, col: "#" if (row, col) in turning else ".",
        "opening": lambda row, col: ".?"[_off(row, rows) or _off(col, cols)],
        "frame": lambda row, col: "#.?"[min(ring(row, col), 2)],
        "border": lambda row, col: "?" if ring(row, col) else on_border(row, col),
        "checkerboard": lambda row, col: "#."[(row + col) % 2],
        "diagonals": lambda row, col: "#."[(row + col) % 3 == left_out],
        "stripes": lambda row, _: "#."[min(row, rows - 1 - row) % 2],
    }
    mark = marks[name]
    return tuple("".join(mark(row, col) for col in range(cols)) for row in range(rows))


def _off(place: int, size: int) -> bool:
    """Return whether a row or a column is outside of the middle third."""
    return not size // 3 <= place < size - size // 3


def _spiral(rows: int, cols: int) -> set[tuple[int, int]]:
    """Return the cells of a line that turns right before it meets itself."""
    row = col = down = 0
    right = 1
    found = {(0, 0)}
    turned = False
    while True:
        ahead = row + down, col + right
        beyond = ahead[0] + down, ahead[1] + right
        if 0 <= ahead[0] < rows and 0 <= ahead[1] < cols and found.isdisjoint((ahead, beyond)):
            (row, col), turned = ahead, False
            found.add(ahead)
        elif turned:
            return found
        else:
            (down, right), turned = (right, -down), True


def letters(text: str, rows: int, cols: int) -> tuple[str, ...]:
    """Return a mask that shows a line of letters and digits in the middle, as large as possible.

    The characters are made of clues. The cells around them are empty, so that they can be read, and
    the rest of the board is not marked. Lower case is written as upper case.

    Raises ``ValueError`` for other characters, an empty text, and a board that is too small.

    >>> letters("42", 7, 10)[1:4]
    ('.#.#.###._', '.#.#...#._', '.###.###._')
    """
    rows, cols = checked_int(rows, "rows", 1), checked_int(cols, "columns", 1)
    text = str(text).upper()
    unknown = [character for character in text if character not in _GLYPHS]
    if unknown or not text.strip():
        what = repr(unknown[0]) if unknown else "nothing"
        raise ValueError(f"expected letters and digits, such as 2026, found {what}")
    width = (_WIDE + 1) * len(text) - 1
    scale = min((rows - 2) // _HIGH, (cols - 2) // width)
    if scale < 1:
        least = f"{_HIGH + 2}x{width + 2}"
        raise ValueError(
            f"expected a board of {least} cells at least for {text!r}, got {rows}x{cols}"
        )
    top, left = (rows - scale * _HIGH) // 2, (cols - scale * width) // 2
    filled = {
        (top + row * scale + down, left + ((_WIDE + 1) * place + col) * scale + right)
        for place, character in enumerate(text)
        for row, bits in enumerate(map(int, _GLYPHS[character]))
        for col in range(_WIDE)
        if bits >> (_WIDE - 1 - col) & 1
        for down in range(scale)
        for right in range(scale)
    }
    near = [*product((-1, 0, 1), repeat=2)]
    around = {(row + down, col + right) for row, col in filled for down, right in near}
    return tuple(
        "".join(
            "#" if (row, col) in filled else "." if (row, col) in around else "_"
            for col in range(cols)
        )
        for row in range(rows)
    )
