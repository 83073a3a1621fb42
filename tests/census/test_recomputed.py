"""Stored passes that were changed and given a checksum that fits: refused, or sound all the same.

They are resumed in another process, since compiled code that reads beyond an array may end it.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from itertools import islice
from pathlib import Path
from random import Random

import numpy as np
import pytest
from click.testing import CliRunner

from linkoracle import Lattice, LinkModel
from linkoracle.batch.runs import _HEADER, Checkpoint
from linkoracle.census import VARIANTS, instances
from linkoracle.census.numberlink import fault
from linkoracle.cli.main import main
from linkoracle.core import RunError
from linkoracle.frontier import Plan
from tests.census.tampering import (
    ARRAYS,
    changed_shapes,
    changed_types,
    changed_values,
    is_same,
    shuffled,
    written,
)

ROOT = Path(__file__).resolve().parents[2]
#: Boards with a variant, and how many cells are decided: few, half, all.
PASSES = [
    ((3, 3), "unique_and_covering", 5),
    ((3, 3), "unique_free", 9),
    ((2, 4), "unique_fill", 3),
    ((3, 4), "unique_free", 7),
]


def parameters(board, variant):
    return {"census": "numberlink", "rows": board[0], "cols": board[1], "variant": variant}


class Stopped(Exception):
    pass


def kept(folder, board, variant, done):
    """What is kept of a pass after so many cells."""
    path = folder / "sound.npz"

    def stop(line, share):
        if line.startswith(f"cell {done} "):
            raise Stopped

    with pytest.raises(Stopped):
        instances(*board, variant, checkpoint=path, progress=stop)
    found = Checkpoint(path, parameters(board, variant), resume=True).load()
    path.unlink()
    return found


@pytest.fixture(scope="module")
def passes(tmp_path_factory):
    """Each board with its variant, and what is kept of its pass."""
    folder = tmp_path_factory.mktemp("sound")
    return [(one[:2], kept(folder, *one)) for one in PASSES]


def outcomes(folder, batches):
    """Whether each pass is refused, in batches of one board and variant; each has its checksum.

    All are resumed in one process: what it says before it ends tells which pass it was.
    """
    jobs, before = [], {}
    for at, (census, every) in enumerate(batches):
        place = folder / str(at)
        place.mkdir()
        for number, arrays in enumerate(every):
            path = place / f"{number:05}"
            Checkpoint(path, parameters(*census)).save(arrays)
            before[str(path)] = path.read_bytes()
        jobs.append([str(place), *census])
    command = [sys.executable, "-m", "tests.census.tampering", json.dumps(jobs)]
    # Long enough for a busy machine: only a pass that never ends is caught by it.
    limit = 300 + 2 * len(before)
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=limit)
    found = [json.loads(line) for line in done.stdout.splitlines()]
    assert done.returncode == 0, (found[-1:], done.stderr)
    assert [name for name, *_ in found] == list(before)
    for name, count, said in found:
        if count is None:
            assert said.startswith(f"RunError: {name} was changed by another program: ")
            assert "\n" not in said
            assert Path(name).read_bytes() == before[name]
    refused = iter(count is None for _, count, _ in found)
    return [[*islice(refused, len(every))] for _, every in batches]


@pytest.mark.parametrize("places", [4, pytest.param(60, marks=pytest.mark.heavy)])
def test_values_out_of_bounds(passes, tmp_path, places):
    batches = [
        (
            census,
            [
                {**sound, name: other}
                for name in ARRAYS
                for other in changed_values(sound[name], max(1, sound[name].size // places))
            ],
        )
        for census, sound in passes
    ]
    for refused in outcomes(tmp_path, batches):
        # Of five changes of a value these two are far from all that a pass may keep.
        assert all(refused[3::5] + refused[4::5])


def test_other_shapes_and_types(passes, tmp_path):
    others = [
        [
            (name, other)
            for name in ARRAYS
            for other in (*changed_shapes(sound[name]), *changed_types(sound[name]))
        ]
        for _, sound in passes
    ]
    batches = [
        (census, [{**sound, name: it} for name, it in changed])
        for (census, sound), changed in zip(passes, others, strict=True)
    ]
    found = outcomes(tmp_path, batches)
    for (_, sound), changed, refused in zip(passes, others, found, strict=True):
        for (name, other), was_refused in zip(changed, refused, strict=True):
            before, which = sound[name], (name, other.dtype, other.shape)
            if (other.dtype, other.shape[1:]) != (before.dtype, before.shape[1:]) or not other.size:
                assert was_refused, which
            assert not (was_refused and is_same(other, before)), which


@pytest.mark.parametrize("tries", [50, pytest.param(3000, marks=pytest.mark.heavy)])
def test_random_changes(passes, tmp_path, tries):
    batches = [
        (census, [shuffled(Random(seed), sound) for seed in range(tries)])
        for census, sound in passes
    ]
    found = outcomes(tmp_path, batches)
    for (_, sound), (_, others), refused in zip(passes, batches, found, strict=True):
        for other, was_refused in zip(others, refused, strict=True):
            if all(is_same(other[name], sound[name]) for name in ARRAYS):
                assert not was_refused
        assert sum(refused) > tries / 2


def test_arrays_of_another_pass(passes, tmp_path):
    other = kept(tmp_path, (3, 5), "unique_free", 8)
    batches = []
    for census, sound in passes:
        mixed = [{**sound, name: other[name]} for name in ARRAYS]
        without = [{one: sound[one] for one in ARRAYS if one != name} for name in ARRAYS]
        more = [{**sound, "more": sound["cells"]}, {}, other]
        batches.append((census, mixed + without + more))
    for refused in outcomes(tmp_path, batches):
        assert all(refused[len(ARRAYS) :])


def plan_of(rows, cols):
    return Plan(LinkModel.blank_paths(Lattice(rows, cols), ()), free_ends=True, named=True)


@pytest.mark.parametrize(
    ("name", "changed", "said"),
    [
        ("states", [1 << 40], "a state has more fields than the board"),
        ("states", [1 << 62, 1 << 63], "a state has more fields than the board"),
        ("states", [0, 0], "a state is there twice"),
        ("states", [2], "a path of a state has no other end"),
        ("states", [4], "a path of a state has no other end"),
        ("states", [4 | 3 << 10], "a path of a state has no other end"),
        ("states", [5], "a path of a state has no other end"),
        ("states", [15], "a path of a state begins at an undecided cell"),
        ("states", [9 | 9 << 10], "two paths of a state begin at one cell"),
        ("states", [9 << 5], "a path of a state leads off the board"),
        ("states", [], "it does not have two families for each state"),
        ("families", [[2, 0]], "a number in 'families' is not a node"),
        ("families", [[-1, 0]], "a number in 'families' is not a node"),
        ("cells", 0, "its number of cells is out of range"),
        ("cells", 10, "its number of cells is out of range"),
        ("nodes", [[1 << 30, 0, 0]], "the first two nodes are not the terminals"),
        ("nodes", [[55, 0, 2]], "a node leads to a later one"),
        ("nodes", [[55, -1, 1]], "a node leads to a later one"),
        ("nodes", [[55, 1, 0]], "a node leads to a later one"),
        ("nodes", [[81, 0, 1]], "a node has an invalid pair of cells"),
        ("nodes", [[-1, 0, 1]], "a node has an invalid pair of cells"),
        ("nodes", [[10, 0, 1]], "a node has an invalid pair of cells"),
        ("nodes", [[55, 0, 1], [54, 0, 2], [55, 0, 3]], "one that is not below it"),
        ("nodes", [[55, 0, 1], [55, 0, 1]], "a node is there twice"),
        ("nodes", [[63, 0, 1], [55, 0, 2]], "a cell is in two pairs"),
    ],
)
def test_each_reason(tmp_path, name, changed, said):
    """Seven cells of 3 x 3 are decided; variable 55 is the pair of the cells 1 and 2.

    Three fields of five bits; the second is not in use. 2 to 4 are other ends, 8 to 16 cells.
    """
    arrays = {
        "states": np.zeros(1, np.uint64),
        "families": np.array([[1, 0]], np.int32),
        "nodes": np.array([[1 << 30, 0, 0]] * 2, np.int32),
        "cells": np.array(7),
    }
    assert fault(arrays, plan_of(3, 3)) is None
    other = np.array(changed, arrays[name].dtype)
    if name == "nodes" and changed[0][0] != 1 << 30:
        other = np.concatenate([arrays["nodes"], other])
    path = tmp_path / "pass.npz"
    board = (3, 3), "unique_free"
    Checkpoint(path, parameters(*board)).save({**arrays, name: other})
    with pytest.raises(RunError, match=said):
        instances(*board[0], board[1], checkpoint=path, resume=True)


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("board", [(1, 1), (1, 30), (3, 2), (2, 5), (3, 4)])
def test_what_a_pass_keeps_is_never_refused(tmp_path, monkeypatch, board, variant):
    seen = []

    def save(_, arrays):
        seen.append(fault(arrays, plan_of(*board)))

    monkeypatch.setattr(Checkpoint, "save", save)
    instances(*board, variant, checkpoint=tmp_path / "pass.npz")
    assert seen == [None] * board[0] * board[1]


def test_an_array_in_columns_is_taken(tmp_path):
    board, variant, done = PASSES[0]
    sound = kept(tmp_path, board, variant, done)
    path = tmp_path / "pass.npz"
    turned = {name: np.asfortranarray(array) for name, array in sound.items()}
    turned["cells"] = sound["cells"]
    Checkpoint(path, parameters(board, variant)).save(turned)
    with np.load(path) as file:
        assert not file["nodes"].flags.c_contiguous
    resumed = instances(*board, variant, checkpoint=path, resume=True)
    assert resumed.by_pairs() == instances(*board, variant).by_pairs()


def test_pickles_are_not_read(tmp_path):
    board, variant, done = PASSES[0]
    sound = kept(tmp_path, board, variant, done)
    path = tmp_path / "pass.npz"
    Checkpoint(path, parameters(board, variant)).save(sound)
    with np.load(path) as file:
        header = file[_HEADER]
    for name in ARRAYS:
        other = {**sound, name: sound[name].astype(object), _HEADER: header}
        with pytest.raises(RunError, match=": not a run of linkoracle"):
            instances(*board, variant, checkpoint=written(path, other), resume=True)


def test_the_command_ends_in_one_line(tmp_path):
    board, variant, done = PASSES[0]
    sound = kept(tmp_path, board, variant, done)
    path = tmp_path / "pass.npz"
    Checkpoint(path, parameters(board, variant)).save(
        {**sound, "families": sound["families"] + 9999}
    )
    before = path.read_bytes()
    arguments = ["census", "numberlink", "3", "3", "--resume", "--checkpoint", str(path)]
    ended = CliRunner().invoke(main, arguments)
    assert (ended.exit_code, ended.stdout) == (2, "")
    (line,) = ended.stderr.splitlines()
    assert line.endswith(
        f"{path} was changed by another program: a number in 'families' is not a node"
    )
    assert path.read_bytes() == before


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs pipes that have a name")
@pytest.mark.parametrize("census", ["board", "numberlink"])
def test_what_is_no_file_is_not_waited_for(tmp_path, census):
    path = tmp_path / "pipe"
    os.mkfifo(path)
    arguments = ["census", census, "2", "2", "--resume", "--checkpoint", str(path)]
    ended = CliRunner().invoke(main, arguments)
    assert ended.exit_code == 2
    assert ": not a run of linkoracle: it is not a file" in ended.stderr
