"""What the two programs have in common as programs: clean endings, completion of file names."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING, Any

import click

from linkoracle.cli.shared import end_interrupted

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

#: The exit status of a program whose reader is gone, as the shell reports it for `SIGPIPE`.
READER_GONE = 141


class Program(click.Command):
    """A program of its own: its name on the command line, and its endings."""

    def invoke(self, ctx: click.Context) -> Any:
        try:
            return super().invoke(ctx)
        except KeyboardInterrupt:
            # Commands tell more themselves; this is for the moments before and after.
            end_interrupted()
        except BrokenPipeError:
            # What is still in the buffer has nowhere to go, and must not complain at exit.
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            ctx.exit(READER_GONE)


class ProgramGroup(Program, click.Group):
    """A program with commands."""


class FileName(click.ParamType[str]):
    """The name of a file, or what is read in place of one; a shell completes it as such."""

    name = "FILE"

    def shell_complete(
        self,
        ctx: click.Context,  # noqa: ARG002
        param: click.Parameter,  # noqa: ARG002
        incomplete: str,
    ) -> list[CompletionItem]:
        from click.shell_completion import CompletionItem

        return [CompletionItem(incomplete, type="file")]


def complete_files(command: click.Command) -> None:
    """Let a shell complete what is shown as FILE or CATALOGUE, in ``command`` and those below."""
    for param in command.params:
        shown = param.metavar or param.name or ""
        if shown.upper().startswith(("FILE", "CATALOGUE")) and param.type is click.STRING:
            param.type = FileName()
    if isinstance(command, click.Group):
        for below in command.commands.values():
            complete_files(below)
