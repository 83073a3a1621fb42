"""`linkoracle completion`: what a shell needs to complete commands, options and file names."""

from __future__ import annotations

import click
from click.shell_completion import get_completion_class

from linkoracle.cli.count_solutions import main as count_solutions


@click.command(short_help="Let a shell complete both programs.")
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
@click.pass_context
def completion(ctx: click.Context, shell: str) -> None:
    """Print a script that makes SHELL complete both programs by the tab key.

    \b
    Examples:
      eval "$(linkoracle completion bash)"     # in ~/.bashrc
      eval "$(linkoracle completion zsh)"      # in ~/.zshrc
      linkoracle completion fish | source      # in ~/.config/fish/config.fish
    """
    kind = get_completion_class(shell)
    assert kind is not None
    programs = {"linkoracle": ctx.find_root().command, "count-solutions": count_solutions}
    for name, program in programs.items():
        # The variable by which click, inside the program, recognizes that it shall complete.
        variable = f"_{name}_COMPLETE".replace("-", "_").upper()
        click.echo(kind(program, {}, name, variable).source())
