"""Puzzles as JSON, and places inside JSON."""

import json
import sys

import pytest

from linkoracle.formats import read, read_all, write
from linkoracle.kinds import Numberlink, Slitherlink

from .strategies import OTHERS, fails

LOOP = Slitherlink([[3, None], [None, 2]])
HEAD = '{"kind": "slitherlink", "grid": '


def test_read_our_object():
    text = (
        '{"kind": "slitherlink", "variant": "path", "rows": 2, "cols": 2,\n'
        ' "grid": [[3, null],\n  [null, 2]],\n "ends": [[0, 0], [2, 2]], "name": "a\\nb"}\n'
    )
    (entry,) = read_all("\n" + text)
    assert entry.puzzle == Slitherlink([[3, None], [None, 2]], ((0, 0), (2, 2)))
    assert (entry.name, entry.line) == ("a b", 2)


@pytest.mark.parametrize(
    "grid", ['"3 .\\n. 2"', '"3.\\n.2\\n"', '["3.", ". 2"]', "[[3,null],[null,2]]"]
)
def test_forms_of_the_grid(grid):
    assert read(HEAD + grid + "}") == LOOP


def test_a_record_of_a_collection():
    record = '{"id": "7_1x2", "rows": 1, "cols": 2, "grid": "10 10", "more": [{}]}'
    (entry,) = read_all(record, kind="numberlink", variant="fill")
    assert entry.puzzle == Numberlink([[10, 10]], "fill")
    assert entry.name == "7_1x2"


def test_one_column_needs_its_size():
    assert read('{"cols": 1, "grid": "10\\n10"}', kind="numberlink") == Numberlink([[10], [10]])


def test_a_number_is_a_name_too_and_null_is_none():
    assert read_all(HEAD + '[[4]], "name": null, "id": 7}')[0].name == "7"
    assert read(HEAD + '[[4]], "ends": null, "variant": null}') == Slitherlink([[4]])


def test_lines_and_arrays():
    one = HEAD + "[[4]]}"
    text = f"# name: first\n{one}\n\n[{one},\n {one}\n]\n[]\n"
    entries = read_all(text)
    assert [(entry.name, entry.line) for entry in entries] == [("first", 2), (None, 4), (None, 5)]


def test_write():
    text = write(LOOP, "json", name="a\nb")
    assert json.loads(text) == {
        "kind": "slitherlink",
        "variant": "loop",
        "rows": 2,
        "cols": 2,
        "grid": [[3, None], [None, 2]],
        "name": "a\nb",
    }
    assert "\n" not in text
    path = Slitherlink([[2]], ((0, 0), (1, 1)))
    assert json.loads(write(path, "json"))["ends"] == [[0, 0], [1, 1]]


DEEP = HEAD + "[" * 200_000
WRONG = {
    "cut": (HEAD + "[[3]", "in:1:37", "not valid JSON: expecting ',' delimiter"),
    "cut in a file": (
        '\n{"kind": "slitherlink",\n  grid: 3}',
        "in:3:3",
        "not valid JSON: expecting property name",
    ),
    # CPython 3.13 points at the comma itself, earlier versions at what follows it.
    "comma": (HEAD + "[[4,]]}", f"in:1:{37 - (sys.version_info >= (3, 13))}", "not valid JSON"),
    "two on a line": (HEAD + "[[4]]} {}", "in:1:40", "expected one JSON value a line, found '{}'"),
    "array of arrays": ("[\n[[1]]]", "in:2:1", "expected an object with a puzzle, found an array"),
    "array without comma": (
        '[{"kind": "slitherlink", "grid": [[4]]} {}]',
        "in:1:41",
        "expected ',' or ']' after a puzzle, found '{'",
    ),
    "array without end": ('[{"kind": "slitherlink", "grid": [[4]]}', "in:1:40", "found the end"),
    "no grid": ('{"kind": "slitherlink"}', "in:1:1", "expected a key 'grid', found none"),
    "empty grid": (
        HEAD + "[]}",
        "in:1:33",
        "expected rows of cells in 'grid', found an empty array",
    ),
    "empty row": (
        HEAD + "[[]]}",
        "in:1:34",
        "expected a row of cells in 'grid', found an empty array",
    ),
    "empty string": (HEAD + '""}', "in:1:34", "expected a row of cells, found none"),
    "grid of numbers": (HEAD + "[3, 4]}", "in:1:34", "found 3"),
    "ragged": (
        HEAD + "[[3, 1],\n [2]]}",
        "in:2:2",
        "expected 2 cells as in the first row, found 1",
    ),
    "true": (
        HEAD + "[[3, true]]}",
        "in:1:38",
        "expected a whole number or null in 'grid', found true",
    ),
    "float": (HEAD + "[[3, 1.0]]}", "in:1:38", "found 1.0"),
    "nan": (HEAD + "[[3, NaN]]}", "in:1:38", "found NaN"),
    "infinity": (HEAD + "[[3, -Infinity]]}", "in:1:38", "found -Infinity"),
    "string": (HEAD + '[[3, "1"]]}', "in:1:38", "found '1'"),
    "object": (HEAD + "[[3, {}]]}", "in:1:38", "found an object"),
    "huge": (HEAD + f"[[3, {'9' * 5000}]]}}", "in:1:38", "found '999"),
    "clue": (HEAD + "[[3, 0], [1,\n 5]]}", "in:2:2", "expected a clue from 0 to 4 or '?', found 5"),
    "negative": (HEAD + "[[3, -2]]}", "in:1:38", "expected a clue from 0 to 4 or '?', found -2"),
    "clue in a string": (
        HEAD + '"3 .\\n. 7"}',
        "in:1:41",
        "expected a clue from 0 to 4 or '?', found 7",
    ),
    "rubbish in a string": (
        HEAD + '"3\\u002e\\n\\u002eq"}',
        "in:1:49",
        "expected a number or '.', found 'q'",
    ),
    "rubbish in strings": (
        HEAD + '["3.", "q."]}',
        "in:1:41",
        "expected a number or '.', found 'q'",
    ),
    "ragged string": (
        HEAD + '"3.\\n."}',
        "in:1:39",
        "expected 2 cells as in the first row (line 1), found 1",
    ),
    "mixed rows": (
        HEAD + '["3.", [1]]}',
        "in:1:40",
        "expected a row of cells as a string in 'grid', found [1]",
    ),
    "kind": (
        '{"kind": "nurikabe", "grid": [[1]]}',
        "in:1:10",
        f"'slitherlink', 'numberlink' or one of {OTHERS} others in 'kind', found 'nurikabe'",
    ),
    "kind number": ('{"kind": 3, "grid": [[1]]}', "in:1:10", "found 3"),
    "no kind": (
        '{"grid": [[1]]}',
        "in:1",
        'Add the key \'kind\', such as "kind": "slitherlink", or name the kind (--kind)',
    ),
    "variant": (
        HEAD + '[[4]], "variant": "apart"}',
        "in:1:51",
        "expected 'loop', 'path' or 'fill' in 'variant', found 'apart'",
    ),
    "path without ends": (
        HEAD + '[[4]], "variant": "path"}',
        "in:1",
        "expected two ends for the variant 'path'",
    ),
    "rows": (HEAD + '[[4]], "rows": 2}', "in:1:48", "expected 1 row as in 'grid', found 2"),
    "cols": (
        HEAD + '[[4]], "cols": true}',
        "in:1:48",
        "expected a whole number from 1 in 'cols', found true",
    ),
    "too large": (
        HEAD + '[[4]], "cols": 99999, "rows": 99999}',
        "in:1:63",
        "expected a board of 1 to 1000000 cells",
    ),
    "ends": (
        HEAD + '[[2]], "ends": [[0, 0]]}',
        "in:1:48",
        "expected 2 places [row, column] in 'ends', found 1",
    ),
    "ends off": (
        HEAD + '[[2]], "ends": [[0, 0], [2, 2]]}',
        "in:1:48",
        "expected an end on the border",
    ),
    "ends in a loop": (
        HEAD + '[[2]], "variant": "loop", "ends": [[0, 0], [1, 1]]}',
        "in:1:67",
        "for a puzzle with ends",
    ),
    "ends in numberlink": (
        '{"kind": "numberlink", "grid": [[1, 1]], "ends": [[0, 0], [1, 1]]}',
        "in:1:50",
        "expected no ends",
    ),
    "name": (HEAD + '[[4]], "name": 3}', "in:1:48", "expected a string in 'name', found 3"),
    "twice": (
        HEAD + '[[4]],\n "grid": [[3]]}',
        "in:2:10",
        "expected the key 'grid' once, found it twice",
    ),
    "label": (
        '{"kind": "numberlink", "grid": [[1, 1, 2]]}',
        "in:1:40",
        "expected the number 2 to stand exactly twice",
    ),
    "deep": (DEEP, "in:1", "found too deep a nesting"),
    "deep elsewhere": (
        HEAD + '[[9]], "more": ' + "[" * 400 + "]" * 400 + "}",
        "in:1:35",
        "found 9",
    ),
    "control": (HEAD + '"3\x01"}', "in:1:35", r"found '\x01'"),
}


@pytest.mark.parametrize("case", WRONG)
def test_wrong(case):
    text, place, reason = WRONG[case]
    fails(text, place, reason)
