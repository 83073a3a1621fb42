"""Every command of the two programs, and whether a line would be understood by them."""

from __future__ import annotations

import shlex
from collections.abc import Iterator

import click

from linkoracle.cli.count_solutions import main as count_solutions
from linkoracle.cli.main import main as linkoracle

PROGRAMS = {"linkoracle": linkoracle, "count-solutions": count_solutions}


def all_commands() -> dict[str, click.Command]:
    """Commands by how they are called, such as ``linkoracle census board``."""
    return {
        name: command for program in PROGRAMS for name, command in below(program, PROGRAMS[program])
    }


def below(name: str, command: click.Command) -> Iterator[tuple[str, click.Command]]:
    yield name, command
    if isinstance(command, click.Group):
        context = click.Context(command)
        for inner in command.list_commands(context):
            one = command.get_command(context, inner)
            assert one is not None
            yield from below(f"{name} {inner}", one)


def complaint(line: str) -> str | None:
    """What a program would say against the command, options and arguments of ``line``."""
    name, *words = shlex.split(line, comments=True)
    command, context = PROGRAMS[name], None
    try:
        while True:
            context = command.make_context(name, words, parent=context)
            if not isinstance(command, click.Group):
                return None
            words = [*context._protected_args, *context.args]
            found, inner, words = command.resolve_command(context, words)
            assert inner is not None
            name, command = str(found), inner
    except click.exceptions.Exit:
        return None
    except click.UsageError as error:
        return f"{type(error).__name__}: {error.format_message()}"
