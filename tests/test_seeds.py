"""One convention for seeds: without one, a fresh one is drawn and reported, and repeats all."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from inspect import Parameter, signature
from random import Random

import pytest
from click.testing import CliRunner

from linkoracle import Slitherlink, diagram, generate
from linkoracle.catalogue import Catalogue
from linkoracle.census import puzzles_of
from linkoracle.cli.main import main
from linkoracle.generate.loops.shapes import two_colour
from linkoracle.studio.making import Making
from tests.test_public import public_functions

LINE = two_colour(Random(1), 6, 6)
LOOPS = diagram(Slitherlink.blank(5, 5))
DRAWN = {
    "slitherlink": lambda **seed: generate.slitherlink(5, 5, **seed),
    "slitherlinks": lambda **seed: next(generate.slitherlinks(5, 5, **seed)),
    "numberlink": lambda **seed: generate.numberlink(5, 5, **seed),
    "numberlinks": lambda **seed: next(generate.numberlinks(5, 5, **seed)),
    "puzzle": lambda **seed: generate.puzzle("simpleloop", 6, 6, **seed),
    "puzzles": lambda **seed: next(generate.puzzles("simpleloop", 6, 6, **seed)),
    "reduce_clues": lambda **seed: generate.reduce_clues(LINE, **seed),
    "loops": lambda **seed: LOOPS.sample(4, **seed),
    "census": lambda **seed: puzzles_of(LOOPS[7]).sample(4, **seed),
}


@pytest.mark.parametrize("drawn", DRAWN.values(), ids=DRAWN)
def test_without_a_seed_a_fresh_one_is_drawn_and_told(drawn):
    some = [drawn() for _ in range(3)]
    assert len({one.seed for one in some}) == 3
    assert any(one != some[0] for one in some)
    assert drawn(seed=some[0].seed) == some[0]


def test_every_seed_in_the_library_is_fresh_by_default():
    defaults = {
        name: signature(function).parameters["seed"].default
        for name, function in public_functions()
        # The fields of a result are no arguments.
        if "seed" in getattr(function, "__annotations__", {}) and not name.endswith("__init__")
    }
    assert len(defaults) > 8
    # A step of a maker, which has the seed of its series already: it takes no other than that.
    assert defaults.pop("linkoracle.generate.NumberlinkRequest.with_symmetry") is Parameter.empty
    assert {name for name, default in defaults.items() if default is not None} == set()


def run(line: str) -> tuple[str, list[str]]:
    done = CliRunner().invoke(main, line.split())
    assert done.exit_code == 0, done.output
    return done.stdout, re.findall("^seed: ([0-9]+)$", done.stderr, re.MULTILINE)


@pytest.mark.parametrize(
    "line",
    [
        "generate slitherlink 5 5 --count 2",
        "generate numberlink 5 5",
        "generate simpleloop 6 6",
        "loops 6 6 --sample 2",
        "census loop --random 5 5 --sample 2 --seed 1",
        "census loop --random 5 5 --list --clues 25",
        "census numberlink 3 3 --pairs 2 --sample 2",
        "catalogue list kept.sqlite --sample 9",
    ],
)
def test_commands_tell_a_seed_that_they_drew(line, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    run("generate slitherlink 5 5 --seed 1 --count 20 --into kept.sqlite")
    printed, seeds = run(line)
    if "--seed" in line:
        assert seeds == []
        return
    (seed,) = seeds
    assert run(f"{line} --seed {seed}") == (printed, [])


def test_a_catalogue_keeps_the_seed_that_was_drawn(tmp_path):
    file = tmp_path / "kept.sqlite"
    _, (seed,) = run(f"generate slitherlink 5 5 --count 9 --into {file}")
    with Catalogue(file) as catalogue:
        assert {record.seed for record in catalogue.find()} == {int(seed)}
        found = catalogue.find(sample=4)
        again = catalogue.find(sample=4, seed=found.seed)
        assert [one.id for one in found] == [one.id for one in again]


def test_the_studio_tells_its_seed():
    def made(**options):
        events = []
        task = {"what": "new", "kind": "slitherlink", "rows": 5, "cols": 5, **options}
        Making().answer(task, events.append)
        return next(stage for stage in events if stage["stage"] == "made")

    first = made()
    assert made(seed=first["seed"]) == first


#: Prints lines for each kind: its model and path, a made puzzle and its certificate, and sentences
#: about a drawing that breaks rules.
_ANSWERS = """
import json
from hashlib import sha256
from linkoracle import certificate, generate, violations, write
from linkoracle.certificates import record_of
from linkoracle.deduce import grade
from linkoracle.kinds import KINDS

def told(*things):
    return sha256("\\0".join(map(str, things)).encode()).hexdigest()[:16]

for name, kind in KINDS.items():
    for example in kind.examples.values():
        puzzle, _ = example.of(kind)
        print(name, told(json.dumps(record_of(puzzle)), grade(puzzle).path))
for name in generate.made_kinds():
    size = (5, 5) if name == "grandtour" else (6, 6)
    request = generate.request_for(name, *size)
    made, other = (generate.make(request, seed=1, index=index) for index in range(2))
    print(name, told(write(made.puzzle), certificate(made.puzzle).data))
    # One loop, which breaks rules about clues.
    print(name, told(violations(made.puzzle, other.solution)))
"""


def test_nothing_depends_on_the_order_of_sets_of_words() -> None:
    """Python orders sets of texts differently in each process, unless told how."""
    printed = [
        subprocess.run(
            [sys.executable, "-c", _ANSWERS],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("1", "2")
    ]
    assert printed[0].splitlines() == printed[1].splitlines()
    assert len(printed[0].splitlines()) > 60
