"""What a kind takes in its cells, in the few forms that the page needs to know.

A *form* is a clue as it is written, with ``#`` in place of its number: ``#`` alone for numbers,
``w#`` for a circle with a number, ``#n`` for an arrow. The kind itself says which there are, by the
bounds and symbols of its numbers or the regular expression of its words, and what is drawn of them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from itertools import count
from typing import Any

from linkoracle.kinds import Puzzle

#: The longest word, in characters; so many beginnings of words are gone on with; the numbers that
#: are tried in a word.
_LONGEST, _BEGINNINGS, _NUMBERS = 8, 1000, 1000
#: What a regular expression is made of, and what of it stands for a character.
_TOKEN = re.compile(r"\\.|\[\^?\]?(?:\\.|[^\]])*\]|\(\?[:=!]|\{[\d,]*\}|.")
_ATOM = re.compile(r"\\.|\[.+\]|[^()|*+?{^$]")
_DIGITS = "1234567890"
_OTHERS = [chr(code) for code in range(33, 127) if chr(code) not in f"{_DIGITS}#"]


@cache
def forms(kind: type[Puzzle]) -> dict[str, dict[str, Any]]:
    """The forms of the clues of a kind, and of each the ``figures``, as looks and texts.

    A form with a number has the ``least`` and the ``most`` of it, ``None`` if there is no bound. A
    form that stands for a number has that as ``clue``.

    >>> from linkoracle.kinds import KINDS
    >>> list(forms(KINDS["masyu"])), list(forms(KINDS["yajilin"]))
    (['w', 'b'], ['x', '#n', '#e', '#s', '#w'])
    >>> list(forms(KINDS["slitherlink"])), forms(KINDS["slitherlink"])["#"]
    (['#', '?'], {'figures': [['text', '#']], 'least': 0, 'most': 4})
    """
    return dict(_numbers(kind) if kind.words is None else _words(kind, kind.words))


def can_go(kind: type[Puzzle]) -> bool:
    """Whether clues of a kind can go by themselves: no pairs, and no holes, which a line must fill.

    >>> from linkoracle.kinds import KINDS
    >>> [name for name in ("masyu", "numberlink", "simpleloop") if can_go(KINDS[name])]
    ['masyu']
    """
    looks = {look for form in forms(kind).values() for look, _ in form["figures"]}
    return not kind.letters and looks != {"filled"}


def _numbers(kind: type[Puzzle]) -> Iterator[tuple[str, dict[str, Any]]]:
    # On faces, a kind has the clues of its page, but that some may be as great as a face has sides.
    page = getattr(kind, "page", kind)
    least, most = getattr(page, "least", 0), getattr(kind, "most", getattr(page, "most", None))
    first = next(number for number in count(max(least, 0)) if number not in kind.symbols)
    if most is None or first <= most:
        yield "#", {"figures": _figures(kind, first, first), "least": first, "most": most}
    for clue, symbol in kind.symbols.items():
        yield symbol, {"figures": _figures(kind, clue), "clue": clue}


def _words(kind: type[Puzzle], words: str) -> Iterator[tuple[str, dict[str, Any]]]:
    found = {re.sub("[0-9]+", "#", word) for word in _samples(words)}
    # In the order of the kind: what it names first comes first.
    for form in sorted(found, key=lambda form: (len(form), [*map(words.find, form)])):
        if "#" not in form:
            yield form, {"figures": _figures(kind, form)}
            continue
        fit = [n for n in range(_NUMBERS) if re.fullmatch(words, form.replace("#", str(n)))]
        sample, most = form.replace("#", str(fit[-1])), fit[-1] if fit[-1] < _NUMBERS - 1 else None
        figures = _figures(kind, sample, fit[-1])
        yield form, {"figures": figures, "least": fit[0], "most": most}


def _samples(words: str) -> Iterator[str]:
    """The words that a regular expression takes, with one digit for all that would do there.

    Of an expression with many words the shorter ones; of one with more than characters, classes,
    groups and repetitions in it, only those of one character.
    """
    longest = _LONGEST
    try:
        # What a beginning of a word fits: each character, or the end of the text.
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
        if len(word) < longest and len(waiting) < _BEGINNINGS:
            after = [f"{word}{character}" for character in _OTHERS]
            digits = (longer for digit in _DIGITS if begun.fullmatch(longer := f"{word}{digit}"))
            waiting += [
                *filter(begun.fullmatch, after),
                *[one for one in [next(digits, "")] if one],
            ]


def _figures(kind: type[Puzzle], clue: int | str, number: int | None = None) -> list[list[str]]:
    """What is drawn of a clue, with ``#`` for its number."""
    blank: Any = kind.from_grid([[None, None], [None, None]])
    return [
        [one.look, one.text if number is None else one.text.replace(str(number), "#")]
        for one in blank.clue_figures((0, 0), clue)
    ]
