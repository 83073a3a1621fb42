"""Words of a booklet: lines that are broken, cut or made smaller to fit a width, and measured."""

from __future__ import annotations

from typing import NamedTuple

from linkoracle.render.document import Anchor, Document, width_of

#: From line to line, from the foot of a line to the next line's top, and under a heading, in
#: heights of the type.
LEADING, _DEPTH, _UNDER = 1.4, 0.4, 0.55
#: Lines that a title may take, and by how much it shrinks at a time until it does.
_TITLE_LINES, _SHRINK, _LEAST_TITLE = 3, 0.9, 12.0
#: A line across the page, in points, and the space below it.
_THICK, _BELOW = 1.5, 10.0
#: Between the dots of a leader, in heights of the type.
_DOTS = 0.55


class _Line(NamedTuple):
    x: float
    foot: float
    text: str
    size: float
    heavy: bool
    anchor: Anchor


class Words:
    """Lines of text below each other, ``width`` points wide and ``height`` high so far."""

    def __init__(self, width: float) -> None:
        self.width, self.height = width, 0.0
        self._lines: list[_Line] = []
        self._rules: list[float] = []

    def write(self, document: Document, x: float, y: float) -> None:
        """Write all on a page, the top left corner at (x, y)."""
        for line in self._lines:
            place = x + line.x, y + line.foot
            document.text(*place, line.text, line.size, heavy=line.heavy, anchor=line.anchor)
        for level in self._rules:
            document.rule(x, y + level, self.width, _THICK)

    def line(self, text: str, size: float, *, heavy: bool = False) -> None:
        """One line, cut where it is too long."""
        self.height += (LEADING - _DEPTH) * size
        cut_text = cut(text, size, self.width, heavy=heavy)
        self._lines.append(_Line(0.0, self.height, cut_text, size, heavy, "start"))
        self.height += _DEPTH * size

    def title(self, text: str, size: float) -> None:
        """A few lines of heavy type, smaller if they would be many."""
        while (
            len(parts := wrapped(text, size, self.width, heavy=True)) > _TITLE_LINES
            and size > _LEAST_TITLE
        ):
            size *= _SHRINK
        *first, last = parts[:_TITLE_LINES]
        for part in (*first, " ".join((last, *parts[_TITLE_LINES:]))):
            self.line(part, size, heavy=True)

    def heading(self, text: str, size: float) -> None:
        self.height += size
        self.line(text, size, heavy=True)
        self.height += _UNDER * size

    def told(self, name: str, text: str, size: float, *, beside: float = 0.0) -> None:
        """A name in heavy type, and what is told of it; ``beside`` it this width stays free."""
        self.line(name, size * 1.1, heavy=True)
        for part in wrapped(text, size, self.width - beside):
            self.line(part, size)
        self.height += _UNDER * size

    def entry(self, text: str, page: str, size: float) -> None:
        """A line of contents: dots lead to the number of the page."""
        gap = size
        end = self.width - width_of(page, size) - gap
        self.line(cut(text, size, end - 2 * gap), size)
        written = self._lines[-1]
        step = _DOTS * size
        # Dots of all lines stand below each other.
        dots = int((end - width_of(written.text, size) - gap) / step)
        for number in range(dots):
            at = end - step * number
            self._lines.append(_Line(at, written.foot, ".", size, False, "middle"))
        self._lines.append(_Line(self.width, written.foot, page, size, False, "end"))

    def rule(self) -> None:
        """A line from side to side."""
        self.height += _BELOW / 2
        self._rules.append(self.height)
        self.height += _BELOW

    def space(self, height: float) -> None:
        self.height += height


def wrapped(text: str, size: float, width: float, *, heavy: bool = False) -> list[str]:
    """The text in lines of this width; a word that is wider is broken.

    >>> wrapped("draw a single loop", 10, 50)
    ['draw a', 'single', 'loop']
    """
    lines: list[str] = []
    line = ""
    for word in text.split():
        longer = f"{line} {word}" if line else word
        if width_of(longer, size, heavy=heavy) <= width:
            line = longer
            continue
        lines += [line] if line else []
        line = ""
        for letter in word:
            if line and width_of(line + letter, size, heavy=heavy) > width:
                lines.append(line)
                line = ""
            line += letter
    return [*lines, line] if line else lines


def cut(text: str, size: float, width: float, *, heavy: bool = False) -> str:
    """The text, or as much of its beginning as this width holds.

    >>> cut("a long name", 10, 100), cut("a long name", 10, 40)
    ('a long name', 'a long…')
    """
    if width_of(text, size, heavy=heavy) <= width:
        return text
    while text and width_of(f"{text}…", size, heavy=heavy) > width:
        text = text[:-1]
    return f"{text.rstrip()}…" if text else ""
