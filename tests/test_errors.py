"""Errors come whole out of other processes."""

from __future__ import annotations

import pickle
import subprocess
import sys

import pytest

from linkoracle import errors


@pytest.mark.parametrize(
    "error",
    [
        errors.PuzzleError("a clue 5", (1, 2)),
        errors.FormatError("expected a clue", source="a.txt", line=3, column=5),
        errors.SearchTimeout(0.5, 3),
        errors.ConflictLimit("undecided"),
        errors.MemoryLimit("too much"),
        errors.NothingFound("nothing"),
        errors.RunError("another run"),
        errors.WorkersLost("gone"),
        errors.CatalogueError("no catalogue"),
        errors.PictureError("too large"),
        errors.MissingExtra("PDF files", "pictures"),
    ],
    ids=lambda error: type(error).__name__,
)
def test_errors_can_be_sent(error):
    for again in (pickle.loads(pickle.dumps(error)), _sent_by_dask(error)):
        assert type(again) is type(error)
        assert (str(again), vars(again)) == (str(error), vars(error))


def _sent_by_dask(error: Exception) -> Exception:
    """In a process of its own, since Dask changes how errors are pickled."""
    program = "import distributed, pickle, sys; error = pickle.loads(sys.stdin.buffer.read());" + (
        "sys.stdout.buffer.write(pickle.dumps(pickle.loads(pickle.dumps(error))))"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], input=pickle.dumps(error), capture_output=True, check=True
    )
    return pickle.loads(done.stdout)


def test_every_error_is_sent_above():
    sent = test_errors_can_be_sent.pytestmark[0].args[1]
    ours = {
        one
        for one in vars(errors).values()
        if isinstance(one, type) and issubclass(one, errors.LinkOracleError)
    }
    assert {type(error) for error in sent} == ours - {errors.LinkOracleError}
