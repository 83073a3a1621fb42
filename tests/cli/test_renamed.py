"""Options that had another name are understood by that, with a line on standard error."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from tests.cli.commands import PROGRAMS
from tests.cli.test_help import help_of

SMALL = "instances/numberlink-8x8.txt"


@pytest.fixture(scope="module")
def files(tmp_path_factory) -> dict[str, str]:
    folder: Path = tmp_path_factory.mktemp("renamed")
    (folder / "one.txt").write_text("slitherlink\n33\n..\n")
    (folder / "links.txt").write_text("1.1\n...\n")
    (folder / "lines.json").write_text('{"lines": [[[0, 0], [0, 1]]], "crosses": []}')
    names = {path.stem: str(path) for path in folder.iterdir()}
    names |= {"catalogue": str(folder / "catalogue.sqlite"), "folder": str(folder)}
    made = "linkoracle generate slitherlink 4 4 --seed 1 --count 2 --grade --into {catalogue}"
    assert run(made.format(**names)).exit_code == 0
    return names


def run(line: str):
    program, *words = line.split()
    return CliRunner().invoke(PROGRAMS[program], words, prog_name=program)


RENAMED = [
    ("--rules", "--techniques", "linkoracle grade {} easy {one}"),
    ("--rules", "--techniques", "linkoracle generate slitherlink 5 5 --seed 1 {}=easy"),
    ("--no-rules", "--no-instructions", "linkoracle booklet {one} {} -o {folder}/book.pdf"),
    ("--board", "--partial-solution", "linkoracle grade --hint {} {lines} {one}"),
    ("--board", "--partial-solution", "linkoracle draw {one} --hint {}={lines} -o {folder}/a.svg"),
    ("--clues", "--puzzle", "linkoracle loops {} {one}"),
    ("--grade", "--difficulty", "linkoracle catalogue list {catalogue} {} easy {} normal {} none"),
    ("--looks", "--statistics", "linkoracle grade {} {one}"),
    ("--looks", "--statistics", "linkoracle catalogue list {catalogue} {} density=0-1 {} run=0-9"),
    ("--maker", "--source", "linkoracle catalogue list {catalogue} {} generate {} rows=4"),
    ("--with", "--shape-option", "linkoracle generate slitherlink 5 5 --seed 1 {} zeros=1"),
    ("--symmetric", "--symmetry", "linkoracle census loop {one} {} none"),
    ("--store", "--checkpoint", "linkoracle census numberlink 2 2 {} {folder}/{number}.npz"),
]


@pytest.mark.parametrize(("old", "new", "line"), RENAMED)
def test_the_old_name_does_the_same_and_says_so(files, old, new, line):
    by_old, by_new = (
        run(line.replace("{}", name).format(**files, number=name)) for name in (old, new)
    )
    assert (by_old.exit_code, by_old.stdout) == (by_new.exit_code, by_new.stdout)
    assert by_new.exit_code == 0, by_new.stderr
    assert by_old.stderr == f"warning: {old} is deprecated, use {new}\n" + by_new.stderr
    program, *words = line.partition(" {")[0].split()
    shown = help_of(" ".join([program, *(word for word in words if word[0] not in "-0123456789{")]))
    assert f" {new} " in shown
    assert f" {old} " not in shown


def test_both_names_together():
    line = "linkoracle grade --rules easy --techniques hard " + SMALL
    assert run(line).stdout == run(line.replace("--rules easy ", "")).stdout
