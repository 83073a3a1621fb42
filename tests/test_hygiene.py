"""Property tests check every example that they count; the quick tests cover every part."""

from __future__ import annotations

import ast
from pathlib import Path

from tests.conftest import slow_files

TESTS = Path(__file__).resolve().parent


def property_tests() -> dict[str, ast.FunctionDef]:
    return {
        f"{path.relative_to(TESTS)}::{node.name}": node
        for path in sorted(TESTS.rglob("test_*.py"))
        for node in ast.parse(path.read_text(encoding="utf-8")).body
        if isinstance(node, ast.FunctionDef)
        and any(ast.unparse(one).startswith("given(") for one in node.decorator_list)
    }


def checks(body: list[ast.stmt]) -> bool:
    """Whether these statements check something whenever they are run.

    A loop counts, since what it goes over is up to the test, and so does a call of a helper.
    """
    for one in body:
        match one:
            case ast.Assert() | ast.Expr(value=ast.Call()):
                return True
            case ast.With() if "raises" in ast.unparse(one.items[0]) or checks(one.body):
                return True
            case ast.For() | ast.While() | ast.Try() if checks(one.body):
                return True
            case ast.If() if checks(one.body) and checks(one.orelse):
                return True
    return False


def silent_returns(body: list[ast.stmt]) -> bool:
    """Whether a block here ends the test and has checked nothing."""
    for one in body:
        if isinstance(one, ast.FunctionDef):
            continue
        for field in ("body", "orelse", "handlers", "finalbody"):
            inner = getattr(one, field, [])
            blocks = [part.body for part in inner] if field == "handlers" else [inner]
            for block in blocks:
                if block and (silent_returns(block) or _gives_up(block)):
                    return True
    return False


def _gives_up(block: list[ast.stmt]) -> bool:
    return isinstance(block[-1], ast.Return) and not checks(block[:-1])


def test_every_example_is_checked():
    """What cannot be checked is no example: `hypothesis.assume` asks for another one."""
    tests = property_tests()
    unchecked = [
        name
        for name, test in tests.items()
        if not checks([one for one in test.body if "assume(" not in ast.unparse(one)])
        or silent_returns(test.body)
    ]
    assert len(tests) > 100
    assert unchecked == []


def test_quick_tests_leave_out_slow_files_and_no_whole_part():
    slow = slow_files()
    assert sum(path.exists() for path in slow) > 20
    for folder in {path.parent for path in slow if path.exists()}:
        assert {*folder.glob("test_*.py")} - slow, folder
