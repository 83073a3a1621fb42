"""Ways to change the arrays of a stored pass, and a program that resumes what comes of them."""

from __future__ import annotations

import json
import sys
from itertools import islice
from pathlib import Path

import numpy as np

from linkoracle.census import instances
from linkoracle.core import LinkOracleError

ARRAYS = ("states", "families", "nodes", "cells")


def written(path, arrays):
    with path.open("wb") as file:
        np.savez(file, **arrays)
    return path


def changed_values(array, every):
    for place in range(0, array.size, every):
        for change in (1, -1, 1 << 20, -1 << 30):
            other = array.copy()
            with np.errstate(over="ignore"):
                other.flat[place] = (int(array.flat[place]) + change) & 0x7FFFFFFF
            yield other
        other = array.copy()
        other.flat[place] = np.array(-1).astype(array.dtype)
        yield other


def changed_shapes(array):
    flat = array.ravel()
    yield from (flat[:0], flat[:1], flat[:-1], flat, flat.reshape(-1, 1), np.append(flat, flat))
    yield flat[::-1].reshape(array.shape)
    if array.ndim:
        yield from (array[:0], array[:-1], array[:1], array[::2], array[..., None])
    if array.ndim == 2:
        yield from (array[:, :1], array.T, array[:, ::-1])


def changed_types(array):
    for dtype in ("i1", "i2", "<i4", ">i4", "<i8", ">i8", "u8", "f4", "f8", "c8", "?", "U3", "S2"):
        yield array.astype(dtype)
    yield array.view([("a", array.dtype)])
    if array.size and array.dtype.kind == "i":
        other = array.astype("f8")
        other.flat[-1] = np.nan
        yield other


def is_same(one, other):
    return one.dtype == other.dtype and one.dtype.isnative and np.array_equal(one, other)


def shuffled(source, arrays):
    """The arrays with a few random changes that leave their types as they are."""
    found = {name: array.copy() for name, array in arrays.items()}
    for _ in range(source.choice((1, 1, 1, 2, 5))):
        name = source.choice([name for name in ARRAYS if found[name].size])
        array = found[name]
        rows = len(array) if array.ndim else 1
        one, other = source.randrange(rows), source.randrange(rows)
        place = source.randrange(array.size)
        match source.randrange(7):
            case 0:
                bit = source.randrange(8 * array.itemsize)
                array.reshape(-1).view(f"u{array.itemsize}")[place] ^= 1 << bit
            case 1:
                limits = np.iinfo(array.dtype)
                edges = (limits.min, limits.max, -1, 0, 1, 2, 63, len(arrays["nodes"]), 1 << 30)
                array.flat[place] = np.array(source.choice(edges)).astype(array.dtype)
            case 2:
                array.flat[place] = array.flat[source.randrange(array.size)]
            case 3 if array.ndim:
                array[[one, other]] = array[[other, one]]
            case 4 if array.ndim:
                found[name] = np.delete(array, one, axis=0)
            case 5 if array.ndim:
                found[name] = np.insert(array, one, array[other], axis=0)
            case _:
                with np.errstate(over="ignore"):
                    array.flat[place] += np.array(source.choice((-64, -1, 1, 64))).astype(
                        array.dtype
                    )
    return found


def resumed(path, board, variant):
    """``None`` and the error when a pass is refused; else its count, listed and drawn from."""
    try:
        found = instances(*board, variant, checkpoint=path, resume=True)
    except LinkOracleError as error:
        return [None, f"{type(error).__name__}: {error}"]
    some = [str(puzzle) for puzzle in islice(found, 500)]
    assert sum(found.by_pairs().values()) == found.count() >= len(set(some)) == len(some)
    assert len(some) == 500 or len(some) == found.count()
    assert len(found.sample(3, seed=1) if found else []) == 3 * bool(found)
    return [found.count(), None]


if __name__ == "__main__":
    for folder, board, variant in json.loads(sys.argv[1]):
        for path in sorted(Path(folder).iterdir()):
            print(json.dumps([str(path), *resumed(path, board, variant)]), flush=True)
