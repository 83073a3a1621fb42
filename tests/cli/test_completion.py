from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from linkoracle.cli.main import main
from linkoracle.cli.values import FileName
from tests.cli.commands import all_commands

#: What readline does when the tab key is pressed, and what it got.
TAB = """
eval "$(linkoracle completion bash)"
compopt() { echo "compopt $*"; }
COMP_WORDS=("$@") COMP_CWORD=$(($# - 1)) COMPREPLY=()
complete -p "$1" > /dev/null || exit 1
"_${1//-/_}_completion" "$1"
printf '%s\\n' "${COMPREPLY[@]}"
"""


def tab(*words: str) -> list[str]:
    """What Bash offers for the last of the words."""
    beside = str(Path(sys.executable).parent)
    done = subprocess.run(
        ["bash", "-c", TAB, "bash", *words],
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, "PATH": beside + os.pathsep + os.environ["PATH"]},
    )
    assert done.stderr == ""
    return done.stdout.split()


@pytest.mark.skipif(shutil.which("bash") is None, reason="needs Bash")
@pytest.mark.parametrize(
    ("words", "offered"),
    [
        (["linkoracle", "gen"], ["generate"]),
        (["linkoracle", "census", "nu"], ["numberlink"]),
        (["linkoracle", "convert", "--to", "p"], ["penpa", "pzpr"]),
        (["linkoracle", "count", "--uni"], ["--unique"]),
        (["count-solutions", "--uni"], ["--unique"]),
        (["count-solutions", "--engine", "f"], ["frontier"]),
        # File names are left to Bash.
        (["count-solutions", "inst"], ["compopt", "-o", "default"]),
        (["linkoracle", "generate", "slitherlink", "-o", "x"], ["compopt", "-o", "default"]),
    ],
)
def test_in_bash(words, offered):
    assert tab(*words) == offered


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_both_programs(shell):
    result = CliRunner().invoke(main, ["completion", shell], prog_name="linkoracle")
    assert result.exit_code == 0
    for name in ("linkoracle", "count-solutions"):
        assert name in result.stdout
        assert f"_{name.upper().replace('-', '_')}_COMPLETE={shell}_complete" in result.stdout


def test_unknown_shell():
    result = CliRunner().invoke(main, ["completion", "tcsh"])
    assert result.exit_code == 2
    assert "'tcsh' is not one of" in result.stderr


@pytest.mark.parametrize("name", all_commands())
def test_files_are_completed(name):
    command = all_commands()[name]
    context = click.Context(command)
    for param in command.params:
        shown = param.make_metavar(context).strip("[].")
        names_file = shown in ("FILE", "DIR", "CATALOGUE", "FILE|WORDS")
        assert names_file == isinstance(param.type, FileName), param.name
