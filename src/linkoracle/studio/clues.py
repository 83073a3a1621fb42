"""The clues of a kind, in the few forms that the page needs to know.

A *form* is a clue as it is written, with ``#`` in place of its number: ``#`` alone for numbers,
``w#`` for a circle with a number, ``#n`` for an arrow. The forms of a kind follow from the bounds
and symbols of its numbers, or from the regular expression of its words.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from itertools import count
from typing import Any

from linkoracle.kinds import Puzzle

#: The longest word, in characters; the most prefixes that are extended; how many numbers, from 0
#: on, are tried in a word: all of three digits, and one more.
_MAX_LENGTH, _MAX_PREFIXES, _NUMBERS = 8, 1000, 1001
#: The tokens of a regular expression, and those that match one character.
_TOKEN = re.compile(r"\\.|\[\^?\]?(?:\\.|[^\]])*\]|\(\?[:=!]|\{[\d,]*\}|.")
_ATOM = re.compile(r"\\.|\[.+\]|[^()|*+?{^$]")
_DIGITS = "1234567890"
_OTHERS = [chr(code) for code in range(33, 127) if chr(code) not in f"{_DIGITS}#"]


@cache
def forms(kind: type[Puzzle] | Puzzle) -> dict[str, dict[str, Any]]:
    """Return the forms of the clues of a kind, and the ``figures`` of each, as looks and texts.

    A form with a number has its bounds ``least`` and ``most``, ``None`` if there is no bound. A
    form that stands for a fixed number has that number as ``clue``.

    >>> from linkoracle.kinds import KINDS
    >>> list(forms(KINDS["masyu"])), list(forms(KINDS["yajilin"]))
    (['w', 'b', '?'], ['n', 'e', 's', 'w', 'x', '#n', '#e', '#s', '#w'])
    >>> list(forms(KINDS["slitherlink"])), forms(KINDS["slitherlink"])["#"]
    (['#', '?'], {'figures': [['text', '#']], 'least': 0, 'most': 4})
    """
    return dict(_numbers(kind) if kind.words is None else _words(kind, kind.words))


def can_go(kind: type[Puzzle]) -> bool:
    """Return whether single clues of a kind may be redundant: not numbers in pairs, nor holes.

    >>> from linkoracle.kinds import KINDS
    >>> [name for name in ("masyu", "numberlink", "simpleloop") if can_go(KINDS[name])]
    ['masyu']
    """
    looks = {look for form in forms(kind).values() for look, _ in form["figures"]}
    return not kind.letters and looks != {"filled"}


def _numbers(kind: type[Puzzle] | Puzzle) -> Iterator[tuple[str, dict[str, Any]]]:
    least, most = getattr(kind, "min_clue", 0), getattr(kind, "max_clue", None)
    first = next(number for number in count(max(least, 0)) if number not in kind.symbols)
    if most is None or first <= most:
        yield "#", {"figures": _figures(kind, first, first), "least": first, "most": most}
    for clue, symbol in kind.symbols.items():
        yield symbol, {"figures": _figures(kind, clue), "clue": clue}


def _words(kind: type[Puzzle] | Puzzle, words: str) -> Iterator[tuple[str, dict[str, Any]]]:
    found = {re.sub("[0-9]+", "#", word) for word in _samples(words)}
    # In the order in which the expression names them.
    for form in sorted(found, key=lambda form: (len(form), [*map(words.find, form)])):
        if "#" not in form:
            yield form, {"figures": _figures(kind, form)}
            continue
        fit = [n for n in range(_NUMBERS) if re.fullmatch(words, form.replace("#", str(n)))]
        sample, most = form.replace("#", str(fit[-1])), fit[-1] if fit[-1] < _NUMBERS - 1 else None
        figures = _figures(kind, sample, fit[-1])
        yield form, {"figures": figures, "least": fit[0], "most": most}


def _samples(words: str) -> Iterator[str]:
    """Yield the words that match a regular expression, with one digit in place of all that match.

    Of many words, yield the shorter ones. If the expression has more than characters, classes,
    groups and repetitions, yield only words of one character.
    """
    longest = _MAX_LENGTH
    try:
        # Matches prefixes of words: each character may also be the end of the text.
        parts = _TOKEN.findall(words)
        begun = re.compile(
            "".join(f"(?:{one}|$)" if _ATOM.fullmatch(one) else one for one in parts)
        )
    except re.error:
        begun, longest = re.compile("."), 1
    waiting = [""]
    for word in waiting:
        if word and re.fullmatch(words, word):
            yield word
        if len(word) < longest and len(waiting) < _MAX_PREFIXES:
            after = [f"{word}{character}" for character in _OTHERS]
            digits = (longer for digit in _DIGITS if begun.fullmatch(longer := f"{word}{digit}"))
            waiting += [
                *filter(begun.fullmatch, after),
                *[one for one in [next(digits, "")] if one],
            ]


def _figures(
    kind: type[Puzzle] | Puzzle, clue: int | str, number: int | None = None
) -> list[list[str]]:
    """Return the figures of a clue, with ``#`` for its number."""
    blank: Any = kind.from_grid([[None, None], [None, None]])
    return [
        [one.look, one.text if number is None else one.text.replace(str(number), "#")]
        for one in blank.clue_figures((0, 0), clue)
    ]
