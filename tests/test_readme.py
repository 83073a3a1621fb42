"""What the README and the pages under docs/ show is what the program does.

Every command in a console block is run, and must print what stands below it; the blocks of a page
share one folder. A line that begins with `> ` goes on with the command above. Every `>>>` is run as
a doctest. What is shown and not run stands in `NOT_RUN`, with the reason.
"""

from __future__ import annotations

import doctest
import os
import re
import shlex
import shutil
import subprocess
import sys
import tomllib
from contextlib import chdir
from pathlib import Path

import pytest
from click.testing import CliRunner

from linkoracle.kinds import KINDS
from tests.cli import commands
from tests.pages import doctests_of

ROOT = Path(__file__).resolve().parents[1]
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md"))]
MAKEFILE = (ROOT / "Makefile").read_text(encoding="utf-8")
PICTURES = ROOT / "docs" / "pictures"
#: The pages with something to show; the tables are made by a script.
SHOWING = [page for page in PAGES if page.parent.name != "tables"]

BLOCK = re.compile(r"^```([^\n`]*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
INLINE = re.compile(r"(?<!`)`([^`]+)`(?!`)")
LINK = re.compile(r"\]\(([^)#:\s]+)(?:#[^)\s]*)?\)")

#: Commands in blocks that are shown and not run, and why not.
NOT_RUN = {
    "make .venv/installed-test     # about two minutes; then `source .venv/bin/activate`": (
        "it is what installed this test"
    ),
    "pip install 'cython>=3.1' 'meson-python>=0.18' 'ninja>=1.11'": "downloads",
    "pip install --no-build-isolation -e '.[test]'": "downloads, and builds",
    "pip install --no-build-isolation --no-deps -Csetup-args=-Dbuildtype=debug -e .": (
        "installs into the environment of this test"
    ),
    "pytest -q tests/engines src/linkoracle/engines": "it is tested with all others",
    "pip install linkoracle": "downloads",
    "pip install 'linkoracle[dask]'                            # everywhere": "downloads",
    "linkoracle generate slitherlink 30 30 --count 10000 --dask tcp://10.0.0.1:8786 "
    "-o puzzles.txt": "needs that cluster; tests/cli/test_jobs.py starts one of its own",
    "make site": "needs npm; `make test-site` runs it",
    "python -m http.server -d build/site": "serves until Ctrl-C; tests/site serves that folder",
    "linkoracle studio puzzle.txt": "serves until Ctrl-C; tests/studio starts it",
    "linkoracle studio --catalogue mine.sqlite": "serves until Ctrl-C; tests/studio starts it",
    "linkoracle loops 22 22 --checkpoint loops22.sqlite --resume --dask tcp://10.0.0.1:8786": (
        "needs that cluster; tests/batch/test_dask.py starts one of its own"
    ),
    "linkoracle loops 24 24 --checkpoint loops24.sqlite --resume --spill /mnt/large": "takes weeks",
    "linkoracle census board 5 5 --checkpoint census5x5.sqlite --resume --jobs 2": "takes half an hour",  # noqa: E501
}
PROGRAMS = re.compile(r"(linkoracle|count-solutions|make|python\d?|pip|pytest|npm|node) ")
#: Files and folders of ours, as a text names them.
PATH = re.compile(r"(?<![\w./-])(?:docs|instances|scripts|src|tests)/[\w./-]*\w(?![\w*])")
#: What a shell does besides starting a program.
SHELL = re.compile(r"[|<>;&$*`\n(]")
TARGET = re.compile(r"(?<![\w-])make ([\w./-]*[\w])")


def name_of(page: Path) -> str:
    return str(page.relative_to(ROOT))


def text_of(page: Path) -> str:
    return page.read_text(encoding="utf-8")


def commands_in(block: str) -> list[tuple[str, str]]:
    """Each command of a console block with the output shown below it."""
    found = []
    for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
        lines = part.splitlines(keepends=True)
        more = 1
        while more < len(lines) and lines[more].startswith("> "):
            more += 1
        command = lines[0] + "".join(line[2:] for line in lines[1:more])
        found.append((command.rstrip("\n"), "".join(lines[more:])))
    return found


def shown_commands(page: Path) -> list[tuple[str, str]]:
    blocks = (block for language, block in BLOCK.findall(text_of(page)) if language == "console")
    return [one for block in blocks for one in commands_in(block)]


def shows_python(page: Path) -> bool:
    return bool(doctest.DocTestParser().get_examples(doctests_of(page)))


@pytest.fixture
def folder(tmp_path):
    """A folder to run a page in: what it makes does not land among the sources."""
    for name in ("instances", "docs", "scripts"):
        (tmp_path / name).symlink_to(ROOT / name)
    return tmp_path


def run(command: str, folder: Path) -> subprocess.CompletedProcess[str]:
    """Run a command as a shell does; one of ours alone in this process, which saves its start."""
    program, *words = shlex.split(command, comments=True)
    if program in commands.PROGRAMS and not SHELL.search(command):
        with chdir(folder):
            done = CliRunner().invoke(commands.PROGRAMS[program], words, prog_name=program)
        return subprocess.CompletedProcess(words, done.exit_code, done.stdout, done.stderr)
    beside = str(Path(sys.executable).parent)
    return subprocess.run(
        command,
        shell=True,
        capture_output=True,
        encoding="utf-8",
        cwd=folder,
        env={**os.environ, "PATH": beside + os.pathsep + os.environ["PATH"]},
    )


@pytest.mark.parametrize("page", [page for page in SHOWING if shown_commands(page)], ids=name_of)
def test_shown_commands(page, folder):
    needs_node = False
    for command, output in shown_commands(page):
        if command.startswith("node ") and shutil.which("node") is None:
            needs_node = True
            continue
        done = run(command, folder)
        assert done.stderr == "", command
        assert done.stdout == output, command
    # What a page makes with its last name only is the picture that it shows.
    for made in folder.glob("*.svg"):
        assert made.read_bytes() == (PICTURES / made.name).read_bytes(), made.name
    if needs_node:
        pytest.skip("all but the commands that need Node, which is not installed")


def test_every_picture_is_made_by_what_is_shown():
    """By a command in a page that shows it, or all together by a script that a page names.

    Pages of a booklet are made of the PDF that the page makes, by a program that it names.
    """
    for file in PICTURES.iterdir():
        assert file.stat().st_size < 60_000
        if not file.name.startswith(
            ("board-", "kind-", "scaling-", "shape-", "studio-", "site.", "technique-")
        ):
            showing = [page for page in SHOWING if f"pictures/{file.name})" in text_of(page)]
            commands = [command for page in showing for command, _ in shown_commands(page)]
            made = re.sub(r"-\d+\.png$", ".pdf", file.name)
            assert any(f"-o {made}" in command for command in commands), file.name
            named = [page for page in showing if f"png {made}" in text_of(page)]
            assert made == file.name or named == showing, file.name
    assert "scripts/draw_boards.py" in text_of(ROOT / "docs" / "reference" / "boards.md")
    assert "scripts/draw_kinds.py" in text_of(ROOT / "docs" / "puzzles.md")
    page = ROOT / "docs" / "explanation" / "benchmarks.md"
    assert "scripts/bench_scaling.py" in text_of(page)
    assert "scripts/draw_shapes.py" in text_of(ROOT / "docs" / "how-to" / "generate.md")
    assert "scripts/draw_techniques.py" in text_of(ROOT / "docs" / "explanation" / "solving.md")
    for name in ("draw_studio", "draw_site"):
        assert f"scripts/{name}.py" in text_of(ROOT / "CONTRIBUTING.md")


def test_there_are_commands_to_run():
    assert sum(len(shown_commands(page)) for page in SHOWING) >= 40


@pytest.mark.parametrize("page", [page for page in SHOWING if shows_python(page)], ids=name_of)
def test_shown_python(page, folder, monkeypatch):
    monkeypatch.chdir(folder)
    # What a page registers is gone afterwards.
    monkeypatch.setattr(KINDS, "_found", dict(KINDS._found))
    name = name_of(page)
    test = doctest.DocTestParser().get_doctest(doctests_of(page), {}, name, name, 0)
    assert doctest.DocTestRunner().run(test).failed == 0


def test_all_python_is_run():
    idle = [
        name_of(page)
        for page in PAGES
        for language, block in BLOCK.findall(text_of(page))
        if language == "python" and not block.startswith(">>> ")
        # `tests/test_serve_page.py` and `tests/dataset/test_writing.py` run these, each where its
        # tools are installed.
        if page.name != "serve.md" and not block.startswith("from datasets import load_dataset\n")
    ]
    assert idle == []


def test_nothing_else_is_shown():
    """A command in a block is run, or a visible exception; and no exception is stale."""
    idle = [
        line
        for page in SHOWING
        for language, block in BLOCK.findall(text_of(page))
        for line in block.splitlines()
        if PROGRAMS.match(line) and not (language == "console" and block.startswith("$ "))
    ]
    assert sorted(idle) == sorted(NOT_RUN)


def test_commands_in_the_text():
    """A command in the middle of a sentence is spelled right, and its files exist."""
    wrong = []
    for page in SHOWING:
        for words in INLINE.findall(BLOCK.sub("", text_of(page))):
            code = " ".join(words.split())
            gone = [path for path in PATH.findall(code) if not (ROOT / path).exists()]
            wrong += [f"{name_of(page)}: {code}: no {path}" for path in gone]
            if re.match(r"(linkoracle|count-solutions) [a-z-]", code):
                # In a sentence, arguments may be left to the reader.
                said = commands.complaint(code)
                left_out = ("MissingParameter", "NoArgs", "BadOptionUsage")
                if said is not None and not said.startswith(left_out):
                    wrong.append(f"{name_of(page)}: {code}: {said}")
    assert wrong == []


def test_links_lead_somewhere():
    """Links between the pages work where the files are read as they are, too."""
    broken = [
        f"{name_of(page)}: {target}"
        for page in PAGES
        for target in LINK.findall(BLOCK.sub("", text_of(page)))
        if not (page.parent / target).exists()
    ]
    assert broken == []


def test_make_knows_its_targets():
    targets = set(re.findall(r"^([\w./-]+):", MAKEFILE, re.MULTILINE))
    wrong = []
    for page in PAGES:
        text = text_of(page)
        blocks = [block for language, block in BLOCK.findall(text) if language == "console"]
        for code in [*INLINE.findall(BLOCK.sub("", text)), *blocks]:
            unknown = {*TARGET.findall(code)} - targets
            wrong += [f"{name_of(page)}: make {target}" for target in unknown]
    assert wrong == []


def test_contributors_install_what_the_build_needs():
    """Without build isolation, pip installs none of it."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    required = " ".join(f"'{one}'" for one in project["build-system"]["requires"])
    assert f"\npip install {required}\n" in text_of(ROOT / "CONTRIBUTING.md")
