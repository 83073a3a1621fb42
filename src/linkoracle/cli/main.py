"""`linkoracle`: the program with its commands, and `completion` for shells."""

from __future__ import annotations

import click
from click.shell_completion import get_completion_class

from linkoracle.cli.program import ProgramGroup, load_option

#: The module and the attribute of each command.
_COMMANDS = {
    "add-clues": "generate:add_clues",
    "board": "draw:board",
    "booklet": "booklet:booklet",
    "catalogue": "catalogue:catalogue",
    "census": "census:census",
    "certify": "solve:certify",
    "check": "solve:check",
    "completion": "main:completion",
    "convert": "draw:convert",
    "count": "count_solutions:main",
    "draw": "draw:draw",
    "generate": "generate:generate",
    "grade": "grade:grade",
    "kinds": "main:kinds",
    "loops": "loops:loops",
    "solve": "solve:solve",
    "studio": "studio:studio",
    "verify": "solve:verify",
}


@click.group(
    cls=ProgramGroup,
    places={name: f"linkoracle.cli.{place}" for name, place in _COMMANDS.items()},
    context_settings={"help_option_names": ["-h", "--help"]},
)
@load_option
@click.version_option(package_name="linkoracle")
def main() -> None:
    """Count, enumerate and certify the solutions of loop and path puzzles.

    \b
    Examples:
      linkoracle generate slitherlink 10 10 -o mine.txt
      linkoracle check mine.txt
      linkoracle grade --explain mine.txt
      linkoracle COMMAND --help
    """


@click.command(short_help="List the kinds of puzzles.")
def kinds() -> None:
    """List the kinds of puzzles: names in files, titles, names at puzz.link, and variants.

    \b
    Examples:
      linkoracle kinds
    """
    from linkoracle.kinds import KINDS

    for name, kind in KINDS.items():
        url = "" if kind.pzpr is None else f"puzz.link: {kind.pzpr.name}"
        variants = ", ".join(kind.variants) if len(kind.variants) > 1 else ""
        click.echo(f"{name:<16} {kind.title:<18} {url:<28} {variants}".rstrip())


@click.command(short_help="Let a shell complete both programs.")
@click.argument("shell", metavar="SHELL", type=click.Choice(["bash", "zsh", "fish"]))
def completion(shell: str) -> None:
    """Print a script for SHELL (bash, zsh or fish) that completes commands and options.

    It is for both programs: linkoracle and count-solutions.

    \b
    Examples:
      eval "$(linkoracle completion bash)"     # in ~/.bashrc
      eval "$(linkoracle completion zsh)"      # in ~/.zshrc
      linkoracle completion fish | source      # in ~/.config/fish/config.fish
    """
    from linkoracle.cli.count_solutions import main as count_solutions

    kind = get_completion_class(shell)
    assert kind is not None
    programs: dict[str, click.Command] = {"linkoracle": main, "count-solutions": count_solutions}
    for name, program in programs.items():
        # With this variable set, click completes in place of running the program.
        variable = f"_{name}_COMPLETE".replace("-", "_").upper()
        click.echo(kind(program, {}, name, variable).source())
