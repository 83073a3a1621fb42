"""What `--help` says of each command is complete, and what it shows as examples is right."""

from __future__ import annotations

import re
import subprocess
import sys

import click
import pytest
from click.testing import CliRunner

import linkoracle
from tests.cli.commands import PROGRAMS, all_commands, complaint

COMMANDS = all_commands()


def help_of(name: str) -> str:
    program, *words = name.split()
    result = CliRunner().invoke(PROGRAMS[program], [*words, "--help"], prog_name=program)
    assert result.exit_code == 0
    return result.output


def examples_of(name: str) -> list[str]:
    """The lines under "Examples:", which are indented one step more."""
    found = re.search(r"^  Examples:\n((?:    .*\n)+)", help_of(name), re.MULTILINE)
    return found[1].splitlines() if found else []


@pytest.mark.parametrize("name", COMMANDS)
def test_examples(name):
    examples = [line.strip() for line in examples_of(name)]
    ours = [
        part
        for line in examples
        for part in re.findall(r"(?:linkoracle|count-solutions) [^|&>)]*", line)
        if "COMMAND" not in part
    ]
    assert ours, f"{name} --help shows no examples"
    assert [(part, complaint(part)) for part in ours if complaint(part)] == []
    # An example is of the requested command, which `linkoracle count` leaves to the
    # program that it is.
    own = "count-solutions" if name == "linkoracle count" else name
    assert any(part.startswith(own) for part in ours)


def test_complaint_separates_right_from_wrong():
    assert complaint("linkoracle generate slitherlink 10 10 --seed 1") is None
    assert complaint("linkoracle --version") is None
    assert complaint("count-solutions --limit 2 'some file'") is None
    for line in (
        "linkoracle generate slitherlink 10 10 --sead 1",
        "linkoracle generate slitherlink 10",
        "linkoracle generate nurikabe 10 10",
        "linkoracle convert --to gif puzzle.txt",
        "count-solutions --limit none puzzle.txt",
    ):
        assert complaint(line), line


@pytest.mark.parametrize("name", COMMANDS)
def test_every_option_says_what_it_does(name):
    for param in COMMANDS[name].params:
        if isinstance(param, click.Option):
            assert param.help, param.opts
    lines = help_of(name).splitlines()
    assert max(map(len, lines)) <= 80, "wider than a terminal"


@pytest.mark.parametrize(
    "name", [name for name in COMMANDS if isinstance(COMMANDS[name], click.Group)]
)
def test_lists_of_commands_say_it_in_a_line(name):
    _, _, listed = help_of(name).partition("\nCommands:\n")
    assert listed
    assert "..." not in listed, "give the command a short_help"


@pytest.mark.parametrize("program", PROGRAMS)
def test_version(program):
    result = CliRunner().invoke(PROGRAMS[program], ["--version"], prog_name=program)
    assert result.output == f"{program}, version {linkoracle.__version__}\n"


@pytest.mark.parametrize("command", [["-m", "linkoracle"], ["-m", "linkoracle", "count"]])
def test_as_a_module(command):
    done = subprocess.run(
        [sys.executable, *command, "--help"], capture_output=True, text=True, check=True
    )
    assert done.stdout.startswith("Usage: linkoracle ")
