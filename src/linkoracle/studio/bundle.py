"""Join the modules of the page: for notebooks, which take a single module, and for the site."""

from __future__ import annotations

import re
from collections.abc import Callable
from graphlib import TopologicalSorter
from pathlib import Path

#: Where the page and its modules are.
STATIC = Path(__file__).parent / "static"

_IMPORT = re.compile(
    r'^import (?:\* as (?P<all>\w+)|\{(?P<some>[^}]*)\})\s+from "\./(?P<file>\w+)\.js";',
    re.MULTILINE,
)
_EXPORT = re.compile(r"^export (?=(?:async )?(?:function|class|const|let) (\w+))", re.MULTILINE)


def _text(name: str) -> str:
    """Return the text of a module of the page."""
    return (STATIC / f"{name}.js").read_text(encoding="utf-8")


def bundle(entry: str, text_of: Callable[[str], str] = _text) -> str:
    """Return a module and all its imports as one module, with the exports of ``entry``.

    Each imported module becomes a function that returns its exports and is called once, before any
    module that imports it; the module ``entry`` comes last. ``text_of`` returns the text of a
    module. Imports must be single statements at the beginning of a line, and exports must be
    declarations.

    >>> texts = {"one": "export const a = 1;\\n", "two": 'import {a} from "./one.js";\\nf(a);\\n'}
    >>> print(bundle("two", texts.get))
    const in_one = (() => {
    const a = 1;
    return {a};
    })();
    const {a} = in_one;
    f(a);
    <BLANKLINE>
    """
    texts: dict[str, str] = {}
    uses: dict[str, list[str]] = {}
    left = [entry]
    while left:
        name = left.pop()
        if name not in uses:
            texts[name] = text_of(name)
            uses[name] = [found["file"] for found in _IMPORT.finditer(texts[name])]
            left += uses[name]
    *parts, last = TopologicalSorter(uses).static_order()
    functions = [_function(name, texts[name]) for name in parts]
    return "\n".join([*functions, _IMPORT.sub(_declared, texts[last])])


def _function(name: str, text: str) -> str:
    """Return a module as a function that is called at once."""
    exported = _EXPORT.findall(text)
    body = _EXPORT.sub("", _IMPORT.sub(_declared, text))
    return f"const {_called(name)} = (() => {{\n{body}return {{{', '.join(exported)}}};\n}})();"


def _declared(found: re.Match[str]) -> str:
    """Return the statement that declares the names of an import."""
    names = found["all"] or f"{{{(found['some'] or '').replace(' as ', ': ')}}}"
    return f"const {names} = {_called(found['file'])};"


def _called(name: str) -> str:
    return f"in_{name}"
