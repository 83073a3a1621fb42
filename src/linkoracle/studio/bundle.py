"""The modules of the page as one: notebooks take a single ES module, which imports no others."""

from __future__ import annotations

import re
from functools import cache
from graphlib import TopologicalSorter
from pathlib import Path

#: Where the page and its modules are.
STATIC = Path(__file__).parent / "static"

_IMPORT = re.compile(
    r'^import (?:\* as (?P<all>\w+)|\{(?P<some>[^}]*)\}) from "\./(?P<file>\w+)\.js";', re.MULTILINE
)
_EXPORT = re.compile(r"^export (?=(?:async )?(?:function|class|const|let) (\w+))", re.MULTILINE)


@cache
def bundle(entry: str) -> str:
    """The module of a name, and all that it imports, as one; it exports what ``entry`` does.

    Each module becomes a function that returns what it exports, called once, before those that
    import it. Modules are written as the page has them: one import a statement, at the beginning of
    a line, and exports where something is declared.

    >>> print(bundle("history").splitlines()[0], bundle("history").splitlines()[-1])
    const in_history = (() => { export default in_history;
    """
    uses: dict[str, set[str]] = {}
    left = [entry]
    while left:
        name = left.pop()
        if name not in uses:
            uses[name] = {found["file"] for found in _IMPORT.finditer(_text(name))}
            left += uses[name]
    parts = [_function(name) for name in TopologicalSorter(uses).static_order()]
    return "\n".join([*parts, f"export default {_called(entry)};"])


def _function(name: str) -> str:
    """A module as a function that is called at once."""
    text = _text(name)
    exported = _EXPORT.findall(text)
    body = _EXPORT.sub("", _IMPORT.sub(_taken, text))
    return f"const {_called(name)} = (() => {{\n{body}return {{{', '.join(exported)}}};\n}})();"


def _taken(found: re.Match[str]) -> str:
    """What an import names, taken from what the function of that module has returned."""
    names = found["all"] or f"{{{(found['some'] or '').replace(' as ', ': ')}}}"
    return f"const {names} = {_called(found['file'])};"


def _called(name: str) -> str:
    return f"in_{name}"


def _text(name: str) -> str:
    return (STATIC / f"{name}.js").read_text(encoding="utf-8")
