"""Write the names of each package into its page under docs/reference.

    python scripts/reference.py          write all pages
    python scripts/reference.py --check  say which pages are not current, and end with status 1

A page gets, below the heading "All names", each public name of its package with its signature, the
first sentence of its description and its first example. `make docs` adds the whole descriptions.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator
from functools import cached_property
from importlib import import_module
from pathlib import Path
from textwrap import fill
from types import ModuleType
from typing import Any

import click

PAGES = Path(__file__).resolve().parents[1] / "docs" / "reference"
HEADING = "## All names"
#: The pages of packages: of each, its public names are listed.
NAMES = (
    "batch boards booklets catalogue census dataset deduce formats frontier generate graphs kinds "
    "linkoracle render search"
)
#: Most lines of an example.
_LINES = 8


def listed(package: ModuleType) -> dict[str, Any]:
    """Return the public names of a package, without its own packages."""
    found = {name: getattr(package, name) for name in sorted(package.__all__, key=str.lower)}
    return {
        name: value
        for name, value in found.items()
        if not (isinstance(value, ModuleType) or name.startswith("_"))
    }


def signature_of(value: Any) -> str:
    """Return the parameters of a function or class, without annotations."""
    if isinstance(value, property | cached_property):
        return ""
    try:
        signature = inspect.signature(value)
    except (TypeError, ValueError):
        return ""
    plain = [
        one.replace(annotation=inspect.Parameter.empty)
        for one in signature.parameters.values()
        if one.name not in ("self", "cls") and not one.name.startswith("_")
    ]
    shown = str(signature.replace(parameters=plain, return_annotation=inspect.Signature.empty))
    # Defaults that are objects say nothing, and some have an address.
    return re.sub(r"=<[^>]*>+", "=...", shown)


def sentence_of(value: Any) -> str:
    """Return the first sentence of a description, in Markdown."""
    paragraph = (inspect.getdoc(value) or "").split("\n\n", maxsplit=1)[0].replace("\n", " ")
    found = re.match(r"(.*?[.:])(?: [A-Z`]|$)", paragraph)
    text = found[1].rstrip(":") if found else paragraph
    return re.sub(r"``([^`]+)``", r"`\1`", text)


def example_of(value: Any) -> list[str]:
    """Return the first example of a description."""
    lines = (inspect.getdoc(value) or "").splitlines()
    start = next((at for at, line in enumerate(lines) if line.startswith(">>>")), None)
    if start is None:
        return []
    example = []
    for line in lines[start:]:
        if not line.strip() or (len(example) >= _LINES and line.startswith(">>>")):
            break
        example.append(line)
    return example


def section(name: str, value: Any) -> Iterator[str]:
    """Yield the lines of one name."""
    is_class = inspect.isclass(value)
    if not (is_class or inspect.isroutine(value)):
        yield f"### `{name}`"
        yield ""
        yield f"A constant of the type `{type(value).__name__}`."
        yield ""
        return
    yield f"### `{name}{signature_of(value)}`"
    yield ""
    if text := sentence_of(value):
        yield fill(text, 100, break_long_words=False)
        yield ""
    if example := example_of(value):
        yield "```pycon"
        yield from example
        yield "```"
        yield ""
    methods = methods_of(value) if is_class else {}
    for method, found in methods.items():
        text = f"* `{method}{signature_of(found)}`: {sentence_of(found)}"
        yield fill(text, 100, subsequent_indent="  ", break_long_words=False)
    if methods:
        yield ""


def methods_of(kind: type[Any]) -> dict[str, Any]:
    """Return the public methods and properties with a description that a class itself defines."""
    found = {}
    for name, value in vars(kind).items():
        if isinstance(value, classmethod | staticmethod):
            value = value.__func__
        is_described = inspect.isfunction(value) or isinstance(value, property | cached_property)
        if not name.startswith("_") and is_described and inspect.getdoc(value):
            found[name] = value
    return found


def written(name: str) -> str:
    """Return a page with the names of its package."""
    package = import_module("linkoracle" if name == "linkoracle" else f"linkoracle.{name}")
    page = (PAGES / f"{name}.md").read_text(encoding="utf-8")
    lines = [HEADING, ""]
    for one, value in listed(package).items():
        lines += section(one, value)
    return "\n".join([page.partition(HEADING)[0].rstrip("\n"), "", *lines]).rstrip("\n") + "\n"


@click.command()
@click.option("--check", is_flag=True, help="Write nothing; end with status 1 for an old page.")
def main(check: bool) -> None:
    old = [name for name in NAMES.split() if written(name) != (PAGES / f"{name}.md").read_text()]
    for name in old:
        if check:
            click.echo(f"docs/reference/{name}.md is not current: run scripts/reference.py")
        else:
            (PAGES / f"{name}.md").write_text(written(name), encoding="utf-8")
    if check and old:
        raise SystemExit(1)


if __name__ == "__main__":
    main()
