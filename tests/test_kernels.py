"""Kernels are compiled ahead of time: what is listed, and what none may need."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
SOURCE = ROOT / "src" / "linkoracle"
BUILD = (SOURCE / "meson.build").read_text(encoding="utf-8")
KERNELS = sorted(path.relative_to(SOURCE).with_suffix("") for path in SOURCE.rglob("*.pyx"))


def listed(name: str) -> list[str]:
    """The strings in a list of the build file."""
    found = re.search(rf"^{name} = \[(.*?)\]", BUILD, re.DOTALL | re.MULTILINE)
    assert found is not None
    return re.findall(r"'([^']+)'", found[1])


def test_every_kernel_is_built():
    assert KERNELS
    assert sorted(listed("kernels")) == [kernel.as_posix() for kernel in KERNELS]


def test_caches_of_every_folder_stay_out_of_wheels():
    folders = {path.parent.relative_to(SOURCE).as_posix() for path in SOURCE.rglob("*.py")}
    assert sorted(listed("packages")) == sorted(folders - {"."})


@pytest.mark.skipif(not (ROOT / ".git").exists(), reason="no git here to list files")
def test_nothing_is_compiled_at_first_use():
    files = ["git", "grep", "-il", "numb" + "a"]
    found = subprocess.run(files, cwd=ROOT, capture_output=True, text=True, check=False)
    assert found.stdout.split() == []


#: Packages whose kernels are one file each, unless that is too long to read.
JOINED = sorted({kernel.parent.as_posix() for kernel in KERNELS})
#: Lines of a kernel that still reads well from top to bottom.
LONGEST = 1510
#: Arguments of a function in C; more of them are a struct.
MOST_ARGUMENTS = 8


@pytest.mark.parametrize("package", JOINED)
def test_a_header_is_shared_or_would_make_its_kernel_too_long(package):
    sources = {path: path.read_text(encoding="utf-8") for path in SOURCE.rglob("*.p[xy][xd]")}
    sizes = {path: text.count("\n") for path, text in sources.items()}
    for header in (SOURCE / package).glob("*.pxd"):
        module = ".".join(header.relative_to(SOURCE.parent).with_suffix("").parts)
        readers = [path for path, text in sources.items() if f"from {module} cimport" in text]
        assert readers, f"{header} is cimported nowhere"
        assert (
            len(readers) > 1
            or header.with_suffix(".pyx").exists()
            or (sizes[header] + sizes[readers[0]] > LONGEST)
        ), f"{header} has one reader, {readers[0]}"
    kernels = [path for path in sources if path.parent == SOURCE / package]
    assert kernels
    assert [path for path in kernels if sizes[path] > LONGEST] == []


@pytest.mark.parametrize("package", JOINED)
def test_the_contents_of_a_kernel_are_its_sections(package):
    """In the same order; a file too short for sections has no contents."""
    for path in (SOURCE / package).glob("*.p[xy][xd]"):
        text = path.read_text(encoding="utf-8")
        doc = text.split('"""')[1]
        contents = re.search(r"^Contents\n((?:    .*\n)+)", doc, re.MULTILINE)
        listed_sections = (
            re.findall(r"^    (\S.*?)  ", contents[1], re.MULTILINE) if contents else []
        )
        assert re.findall(r"^# ---- (.+?) -+$", text, re.MULTILINE) == listed_sections, path
        assert contents or text.count("\n") < 150, path


@pytest.mark.parametrize("package", JOINED)
def test_many_arguments_are_a_struct(package):
    found = {}
    for path in (SOURCE / package).glob("*.p[xy][xd]"):
        text = path.read_text(encoding="utf-8")
        for name, arguments in re.findall(r"^ *cdef [^\n=(]*?(\w+)\(([^)]*)\)", text, re.MULTILINE):
            found[f"{path.name}: {name}"] = len(
                [one for one in arguments.split(",") if one.strip()]
            )
    assert found
    assert [name for name, number in found.items() if number > MOST_ARGUMENTS] == []


@pytest.mark.parametrize("package", JOINED)
def test_reasons_are_named(package):
    """A kind and an index, not one number that holds both."""
    for path in (SOURCE / package).glob("*.p[xy][xd]"):
        text = path.read_text(encoding="utf-8")
        assert not re.search(r"\bKINDS \*|\* KINDS\b|// KINDS\b", text), path
