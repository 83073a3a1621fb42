"""The documentation as a site: `make docs` builds it, with warnings as errors.

A new page needs one line, in the `toctree` of index.md.
"""

from __future__ import annotations

import pkgutil
import sys
from functools import cache, reduce
from importlib.metadata import version as version_of
from typing import Any

import click
from docutils import nodes
from sphinx.application import Sphinx
from sphinx.errors import NoUri

from linkoracle import draw, write
from linkoracle.cli.count_solutions import main as count_solutions
from linkoracle.cli.main import main as linkoracle
from linkoracle.kinds import KINDS, Puzzle

project = "linkoracle"
author = "The linkoracle developers"
version = release = version_of("linkoracle")

extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.viewcode"]
html_theme = "furo"
html_title = f"linkoracle {version}"
html_show_copyright = False
html_copy_source = False
myst_heading_anchors = 4

# In docstrings a name in single backticks is one of ours; text in double ones is any code.
default_role = "py:obj"
nitpicky = True
nitpick_ignore_regex = [("py:(class|data|exc)", ".*")]  # types of other libraries
add_module_names = False
autodoc_default_options = {"members": True}
autodoc_member_order = "bysource"
autodoc_typehints_format = "short"
autodoc_preserve_defaults = True


#: Pages of packages that show all that the package says is public, and whose classes have members
#: of others to show.
PACKAGES = ("batch", "booklets", "catalogue", "census", "frontier", "generate", "graphs", "render", "search")
INHERITING = ("census", "frontier", "graphs")


def setup(app: Sphinx) -> None:
    app.connect("source-read", add_help)
    app.connect("missing-reference", resolve)


def add_help(_: Sphinx, page: str, source: list[str]) -> None:
    """Append what is written elsewhere: docstrings of packages, ``--help``, each kind."""
    package = page.removeprefix("reference/")
    if package in PACKAGES:
        inherited = "   :inherited-members:\n" * (package in INHERITING)
        what = f".. automodule:: linkoracle.{package}\n   :imported-members:\n{inherited}"
        source[0] += f"\n```{{eval-rst}}\n{what}```\n"
    if page == "puzzles":
        source[0] += "\n".join(map(kind_text, KINDS.values()))
    if page == "reference/commands":
        programs = {"count-solutions": count_solutions, "linkoracle": linkoracle}
        for name, program in programs.items():
            source[0] += "\n".join(help_texts(program, name, None))


def kind_text(kind: type[Puzzle]) -> str:
    """Return a section on a kind: its instructions, and an example as a file and solved."""
    texts = [f"\n## {kind.title}\n"]
    for variant, about in kind.variants.items():
        name = kind.kind if variant == next(iter(kind.variants)) else f"{kind.kind} {variant}"
        texts += [f"`{name}`{f', {about}' * bool(about)}: {kind.instructions[variant]}\n"]
    for variant, example in kind.examples.items():
        shown, solution = example.of(kind, variant)
        drawn = draw(shown, solution)
        texts.append(f"```text\n{write(shown)}```\n\n```text\n{drawn}\n```\n")
    return "\n".join(texts)


def help_texts(command: click.Command, name: str, parent: click.Context | None) -> list[str]:
    context = click.Context(
        command, info_name=name, parent=parent, terminal_width=90, max_content_width=90
    )
    # The program `count-solutions` is a command of the other one, too.
    text = "Like [count-solutions](#count-solutions)."
    if name != "count":
        text = f"```text\n{command.get_help(context)}\n```"
    texts = [f"\n## {context.command_path}\n\n{text}\n"]
    if isinstance(command, click.Group):
        for below in command.list_commands(context):
            inner = command.get_command(context, below)
            assert inner is not None
            texts += help_texts(inner, below, context)
    return texts


def resolve(app: Sphinx, env: Any, node: Any, content: nodes.TextElement) -> Any:
    """A name that stands where it is not documented: linked to where it is, if that is one place.

    Names that exist in the package but are on no page are shown without a link.
    """
    if node.get("refdomain") != "py":
        return None
    wanted: str = node["reftarget"]
    domain = env.domains["py"]
    tail = wanted.rpartition(".")[2] if wanted.startswith("linkoracle.") else wanted
    places = {name for name in domain.objects if name == tail or name.endswith(f".{tail}")}
    if len(places) == 1:
        place = domain.objects[places.pop()]
        try:
            address = app.builder.get_relative_uri(node["refdoc"], place.docname)
        except NoUri:
            return content
        found = nodes.reference("", "", internal=True, refuri=f"{address}#{place.node_id}")
        found += content
        return found
    return content if exists(wanted) else None


@cache
def exists(name: str) -> bool:
    """Whether some module of the package has such a name, public or not, or it is a full path."""
    first, *rest = name.split(".")
    for path, module in list(sys.modules.items()):
        # Only names that are there: for others, a package would look for a module to import.
        known = vars(module) if path.startswith("linkoracle") else {}
        if first in known or first in known.get("__all__", ()):
            found = getattr(module, first)
            if reduce(lambda found, part: getattr(found, part, None), rest, found) is not None:
                return True
    try:
        pkgutil.resolve_name(name)
    except (ImportError, AttributeError, ValueError):
        return False
    return True
