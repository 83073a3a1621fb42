"""Build the wheel of linkoracle for a browser tab: all its Python files, and no compiled module.

    python scripts/pure_wheel.py FOLDER

The wheel fits every Python and system. `linkoracle.core` there states that nothing is compiled, so
the plain engine answers. Each kernel is a module that raises `NotCompiled`, and so is each module
that needs NumPy or another library at import. The same sources make the same file, byte by byte.
"""

from __future__ import annotations

import re
import sys
import tomllib
from base64 import urlsafe_b64encode
from hashlib import sha256
from pathlib import Path
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

ROOT = Path(__file__).resolve().parents[1]
SOURCE = ROOT / "src"
#: Packages that a tab does not have.
_NEEDY = re.compile(r"^(from|import) (numpy|networkx|click|rich|starlette)\b", re.MULTILINE)
#: The text of a module that cannot work in a tab.
_REFUSAL = b"""from linkoracle.core.errors import NotCompiled

raise NotCompiled(__name__)
"""
#: Data files that the package reads.
_DATA = (".jsonl",)


def version() -> str:
    """Return the version of the project."""
    found = re.search(
        r"^  version: '(.+)'", (ROOT / "meson.build").read_text("utf-8"), re.MULTILINE
    )
    assert found is not None
    return found[1]


def contents() -> dict[str, bytes]:
    """Return the files of the package by their names in the wheel."""
    files: dict[str, bytes] = {}
    for path in sorted((SOURCE / "linkoracle").rglob("*")):
        name = path.relative_to(SOURCE).as_posix()
        if path.suffix == ".pyx":
            files[name.removesuffix("x")] = _REFUSAL
        elif path.suffix == ".py":
            needy = _NEEDY.search(path.read_text("utf-8"))
            files[name] = _REFUSAL if needy else path.read_bytes()
        elif path.suffix in _DATA:
            files[name] = path.read_bytes()
    core = files["linkoracle/core/__init__.py"]
    assert core.count(b"\nCOMPILED: bool = True\n") == 1
    files["linkoracle/core/__init__.py"] = core.replace(
        b"COMPILED: bool = True", b"COMPILED: bool = False"
    )
    return files


def write_wheel(path: Path, files: dict[str, bytes]) -> None:
    """Write an archive of files whose bytes depend on nothing but the files."""
    with ZipFile(path, "w", ZIP_DEFLATED, compresslevel=9) as archive:
        for name, data in files.items():
            # The earliest time that an archive can hold.
            archive.writestr(ZipInfo(name, (1980, 1, 1, 0, 0, 0)), data, ZIP_DEFLATED)


def build(folder: Path) -> Path:
    """Write the wheel into a folder; return its path."""
    number = version()
    about = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    info = f"linkoracle-{number}.dist-info"
    solver = next(one for one in about["dependencies"] if one.startswith("python-sat"))
    files = contents()
    files[f"{info}/METADATA"] = (
        f"Metadata-Version: 2.4\nName: linkoracle\nVersion: {number}\n"
        f"Summary: {about['description']}\nLicense-Expression: {about['license']}\n"
        f"License-File: LICENSE\nRequires-Python: {about['requires-python']}\n"
        f"Requires-Dist: {solver}\n"
    ).encode()
    files[f"{info}/licenses/LICENSE"] = (ROOT / "LICENSE").read_bytes()
    files[f"{info}/WHEEL"] = (
        b"Wheel-Version: 1.0\nGenerator: linkoracle\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
    )
    lines = [
        f"{name},sha256={urlsafe_b64encode(sha256(data).digest()).decode().rstrip('=')},{len(data)}\n"
        for name, data in files.items()
    ]
    files[f"{info}/RECORD"] = "".join([*lines, f"{info}/RECORD,,\n"]).encode()
    path = folder / f"linkoracle-{number}-py3-none-any.whl"
    folder.mkdir(parents=True, exist_ok=True)
    write_wheel(path, files)
    return path


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    print(build(Path(sys.argv[1])))
