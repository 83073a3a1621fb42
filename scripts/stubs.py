"""Write the stubs of kernels and packages, from which type checkers and editors know their types.

    python scripts/stubs.py                  # beside all kernels and packages
    python scripts/stubs.py KERNEL.pyx STUB  # of one kernel

The stub of a package has the names of its table (`linkoracle.core.exports`), which are loaded on
first use. Packages that define public names themselves have no stub, as it would hide what they
are from type checkers: they import the names of their table under ``TYPE_CHECKING``.

The stub of a kernel has the names that Python can use, with the types in the `.pyx`: the annotation
if there is one, else Python's type for the type of C. Results, and arguments that may be any
object, need an annotation: without one, strict type checkers reject the stub.
"""

from __future__ import annotations

import ast
import os
import re
import sys
from pathlib import Path
from typing import NamedTuple

SOURCE = Path(__file__).resolve().parents[1] / "src"

#: Names of libraries that annotations may use.
LIBRARIES = """\
from array import array
from collections.abc import Callable, Iterable, Sequence
from typing import Any, NamedTuple, TypeAlias
import numpy as np
from numpy.typing import NDArray
"""
PACKAGE_LIBRARIES = """\
from collections.abc import Callable, Mapping
from types import FrameType
from typing import Any
"""
#: Names of the package that annotations may use, besides the imports of their kernel.
MODULES = {
    "Add": "linkoracle.engines.clauses",
    "Board": "linkoracle.board.board",
    "Deadline": "linkoracle.core.limits",
    "LinkModel": "linkoracle.board.model",
}

NO_CODE = re.compile(r'"""(?:[^"]|"(?!""))*"""|#.*')
IMPORT = re.compile(r"^from ([\w.]+) c?import (\([^)]*\)|.*)", re.MULTILINE)
ENUM = re.compile(r"^cpdef enum:((?:\n(?: .*)?)+)", re.MULTILINE)
STATEMENT = re.compile(
    r"""^(?P<indent>|\ {4})(?:
        (?:cdef\ )?(?P<class>class\ \w+(?:\(\w+\))?:)
      | def\ (?P<function>\w+)\((?P<signature>(?:[^()]|\([^()]*\))*\)(?:\ ->\ [^:]+)?:)
      | cdef\ readonly\ (?P<type>\w+)\ (?P<attribute>\w+)
      | (?P<line>@property|\w+:\ [^=\n]+(?:=\ ".*")?)
      | (?P<strange>def\ .*)
      | \w
    )""",
    re.MULTILINE | re.VERBOSE,
)
#: An argument with a type of Cython: whether an annotation follows, or `None` is the default.
ARGUMENT = re.compile(r"((?:const )?\w+(?:\[[:, 1]+\])?) (\w+)(:)?(?=(\s*=\s*None\b)?)")


def python_type(declared: str) -> str:
    """Return Python's type for a type of Cython."""
    if item := re.match(r"(?:const )?(\w+?)(?:_t)?\[", declared):
        name = {"double": "float64"}.get(item[1], item[1])
        # The items of other arrays are structs.
        return f"NDArray[np.{name if re.search(r'[0-9]$', name) else 'void'}]"
    if re.fullmatch(r"int|u?int\d+_t|size_t|Py_ssize_t", declared):
        return "int"
    return {"bint": "bool", "double": "float"}.get(declared, declared)


def python_argument(found: re.Match[str]) -> str:
    declared, name, colon, none = found.groups()
    if colon or declared == "object":
        return name + (colon or "")
    return f"{name}: {python_type(declared)}" + (" | None" if none else "")


def lines_of(code: str) -> list[str]:
    """Yield what Python can use of a kernel: functions and names, and classes with theirs."""
    lines, in_class = [], False
    for found in STATEMENT.finditer(code):
        indent = found["indent"]
        in_class = in_class if indent else bool(found["class"])
        if found["class"]:
            lines += [found["class"], "    ..."]
        elif indent and not in_class:
            continue
        elif found["function"]:
            name = found["function"].replace("__cinit__", "__init__")
            signature = ARGUMENT.sub(python_argument, found["signature"].replace(" not None", ""))
            lines.append(f"{indent}def {name}({signature} ...")
        elif found["attribute"]:
            lines.append(f"{indent}{found['attribute']}: {python_type(found['type'])}")
        elif found["line"]:
            lines.append(indent + found["line"])
        elif found["strange"]:
            raise SyntaxError("a signature with more brackets", ("", 0, 0, found["strange"]))
    return lines


def tidy(node: ast.AST) -> None:
    """Keep in a stub only what a caller needs."""
    if isinstance(node, ast.ClassDef):
        # Only `__init__` is defined twice: Python sees the second definition.
        named = {getattr(item, "name", number): item for number, item in enumerate(node.body)}
        named.pop("__dealloc__", None)
        node.body = list(named.values())[1:] or node.body[:1]
    elif isinstance(node, ast.FunctionDef) and node.name == "__init__":
        node.returns = ast.Constant(None)
    elif isinstance(node, ast.arguments):
        for values in (node.defaults, node.kw_defaults):
            # A constant of the kernel, which the stub may not have.
            values[:] = [
                ast.Constant(...) if isinstance(value, ast.Name) else value for value in values
            ]


def stub_of(kernel: Path) -> str:
    """Return the stub of a `.pyx`, with the public enums of a `.pxd` beside it."""
    shared = kernel.with_suffix(".pxd")
    code, enums = (
        NO_CODE.sub("", path.read_text(encoding="utf-8")) if path.exists() else ""
        for path in (kernel, shared)
    )
    members = "".join(ENUM.findall(enums + code))
    numbers = [f"{name}: int" for name in re.findall(r"^ +(\w+)", members, re.MULTILINE)]
    try:
        module = ast.parse("\n".join(numbers + lines_of(code)))
    except SyntaxError as error:
        raise SystemExit(f"{kernel}: no stub can be made of: {error.text}") from error
    for node in ast.walk(module):
        tidy(node)
    known = dict(MODULES)
    for place, imported in IMPORT.findall(code):
        known |= dict.fromkeys(re.findall(r"\w+", imported), place)
    names = [node for node in ast.walk(module) if isinstance(node, ast.Name)]
    used = {node.id for node in names if isinstance(node.ctx, ast.Load)}
    imports = (f"from {known[name]} import {name}\n" for name in sorted(used.intersection(known)))
    return LIBRARIES + "".join(imports) + ast.unparse(module) + "\n"


class Table(NamedTuple):
    """The names that a package loads on first use, by their modules, and its own public names."""

    homes: dict[str, str]
    own: list[str]


def table_of(package: Path) -> Table | None:
    """Return the table in the ``__init__.py`` of a folder; ``None`` if there is none."""
    tree = ast.parse((package / "__init__.py").read_text(encoding="utf-8"))
    calls = [node for node in ast.walk(tree) if isinstance(node, ast.Call)]
    calls = [call for call in calls if re.fullmatch(r"(core\.)?exports", ast.unparse(call.func))]
    if not calls:
        return None
    given = {str(more.arg): ast.literal_eval(more.value) for more in calls[0].keywords}
    name = ".".join(package.parts[package.parts.index("linkoracle") :])
    homes = {}
    for listed in (ast.literal_eval(calls[0].args[1]), given.get("inner", {})):
        for home, names in listed.items():
            module = home if home.startswith("linkoracle.") else f"{name}.{home}"
            homes |= dict.fromkeys(names.split(), module)
    return Table(homes, given.get("own", "").split())


def package_stub(package: Path) -> str | None:
    """Return the stub of a package, ``None`` if it has none: see above."""
    table = table_of(package)
    if table is None or not all(
        name == "__version__" or (package / name).is_dir() for name in table.own
    ):
        return None
    tree = ast.parse((package / "__init__.py").read_text(encoding="utf-8"))
    lines = [f"from linkoracle import {name} as {name}" for name in table.own if name[0] != "_"]
    lines += [f"from {home} import {name} as {name}" for name, home in table.homes.items()]
    lines += ["__version__: str"] * ("__version__" in table.own)
    functions = False
    for node in tree.body:
        if isinstance(node, ast.AnnAssign):
            lines.append(f"{ast.unparse(node.target)}: {ast.unparse(node.annotation)}")
        elif isinstance(node, ast.FunctionDef) and not node.name.startswith("_"):
            node.body = [ast.Expr(ast.Constant(...))]
            lines.append(ast.unparse(node))
            functions = True
    return (PACKAGE_LIBRARIES * functions) + "\n".join(lines) + "\n"


def write(stub: Path, text: str) -> None:
    if not stub.exists() or stub.read_text(encoding="utf-8") != text:
        written = stub.with_name(f"{stub.name}.{os.getpid()}")
        written.write_text(text, encoding="utf-8")
        written.replace(stub)


def write_all(folder: Path) -> None:
    """Write a stub beside each kernel and package, and remove those of what is gone."""
    stubs = {kernel.with_suffix(".pyi"): stub_of(kernel) for kernel in folder.rglob("*.pyx")}
    for init in folder.rglob("__init__.py"):
        if text := package_stub(init.parent):
            stubs[init.with_suffix(".pyi")] = text
    for stub, text in stubs.items():
        write(stub, text)
    for stub in folder.rglob("*.pyi"):
        if stub not in stubs:
            stub.unlink(missing_ok=True)


if __name__ == "__main__":
    if sys.argv[1:]:
        source, target = map(Path, sys.argv[1:])
        write(target, stub_of(source))
    else:
        write_all(SOURCE)
