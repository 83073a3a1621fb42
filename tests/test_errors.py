"""Errors come whole out of other processes."""

from __future__ import annotations

import ast
import pickle
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import click

from linkoracle.core import errors

SENT = [
    errors.PuzzleError("a clue 5", (1, 2)),
    errors.FormatError("expected a clue", source="a.txt", line=3, column=5),
    errors.SearchTimeout(0.5, 3),
    errors.NotSupported("squares only"),
    errors.NotCompiled("linkoracle.search.engine"),
    errors.Interrupted("interrupted"),
    errors.ConflictLimit("undecided"),
    errors.MemoryLimit("too much"),
    errors.NothingFound("nothing"),
    errors.NoCertificate("too many solutions"),
    errors.RunError("another run"),
    errors.WorkersLost("gone"),
    errors.CatalogueError("no catalogue"),
    errors.PictureError("too large"),
    errors.ClosedError("closed"),
    errors.MissingExtra("PDF files", "pictures"),
    errors.CheckFailed("not handed out"),
]


def test_errors_can_be_sent():
    for again in ([pickle.loads(pickle.dumps(error)) for error in SENT], _sent_by_dask(SENT)):
        assert [type(error) for error in again] == [type(error) for error in SENT]
        assert [*map(str, again)] == [*map(str, SENT)]
        assert [*map(vars, again)] == [*map(vars, SENT)]


def _sent_by_dask(sent: list[errors.LinkOracleError]) -> list[Exception]:
    """In a process of its own, since Dask changes how errors are pickled."""
    program = "import distributed, pickle, sys; error = pickle.loads(sys.stdin.buffer.read());" + (
        "sys.stdout.buffer.write(pickle.dumps(pickle.loads(pickle.dumps(error))))"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], input=pickle.dumps(sent), capture_output=True, check=True
    )
    again: list[Exception] = pickle.loads(done.stdout)
    return again


def test_every_error_is_sent_above():
    ours = {
        one
        for one in vars(errors).values()
        if isinstance(one, type) and issubclass(one, errors.LinkOracleError)
    }
    assert {type(error) for error in SENT} == ours - {errors.LinkOracleError}


SOURCE = Path(errors.__file__).parents[1]
#: What a call that makes no sense may raise, and what Python itself asks for.
BUILT_IN = {
    "ValueError",
    "TypeError",
    "KeyError",
    "IndexError",
    "AttributeError",
    "StopIteration",
    "AssertionError",
    "NotImplementedError",
    "KeyboardInterrupt",
}
#: The contract of executors; and a program of its own, which needs nothing of the package.
ELSEWHERE = {
    ("batch/__init__.py", "RuntimeError"),
    ("certificates/verify_certificate.py", "Refused"),
    ("studio/boards.py", "OpenBorders"),
    # As `len` itself, but with what to call instead.
    ("zdd/families.py", "OverflowError"),
}


def raised() -> Iterator[tuple[str, str]]:
    """The file and the class of everything that is raised; functions say what they make."""
    trees = {
        path.relative_to(SOURCE).as_posix(): ast.parse(path.read_text(encoding="utf-8"))
        for path in sorted(SOURCE.rglob("*.py"))
    }
    made = {
        (home, node.name): ast.unparse(node.returns).rpartition(".")[2]
        for file, tree in trees.items()
        for node in ast.walk(tree)
        if isinstance(node, ast.FunctionDef) and node.returns is not None
        for home in ("", file)
    }
    # A class of one file is what it is derived from.
    made |= {
        (file, node.name): ast.unparse(node.bases[0]).rpartition(".")[2]
        for file, tree in trees.items()
        for node in ast.walk(tree)
        if isinstance(node, ast.ClassDef) and node.bases and node.name.startswith("_")
    }
    for file, tree in trees.items():
        for node in ast.walk(tree):
            if isinstance(node, ast.Raise) and isinstance(node.exc, (ast.Call, ast.Attribute)):
                called = node.exc.func if isinstance(node.exc, ast.Call) else node.exc
                name = ast.unparse(called).rpartition(".")[2]
                if isinstance(node.exc, ast.Call) or name[0].isupper():
                    here = made.get((file, name)) or made.get(("", name))
                    yield file, name if name[0].isupper() else str(here)


def test_all_that_is_raised_is_ours_or_says_that_a_call_makes_no_sense():
    ours = {name for name, one in vars(errors).items() if isinstance(one, type)}
    seen = set(raised())
    assert len(seen) > 50
    for file, name in seen - ELSEWHERE:
        of_click = file.startswith("cli/") and hasattr(click, name)
        # An OSError says why a file cannot be written.
        known = name in ours or name in BUILT_IN or name == "OSError"
        assert known or of_click, f"{file} raises {name}"


def test_our_errors_are_those_that_input_limits_or_the_machine_cause():
    for name, one in vars(errors).items():
        if isinstance(one, type) and one.__module__ == errors.__name__:
            assert issubclass(one, errors.LinkOracleError), name
            assert one.__doc__
