"""`linkoracle`: the program with its commands, and `completion` for shells."""

from __future__ import annotations

import click
from click.shell_completion import get_completion_class

from linkoracle.cli.program import ProgramGroup, load_option

#: The module and the attribute of each command, and what it does: a list of commands loads none.
_COMMANDS = {
    "add-clues": ("generate:add_clues", "Add the fewest clues that leave one solution."),
    "board": ("draw:board", "Show a board that is not square."),
    "booklet": ("booklet:booklet", "Print puzzles, solutions at the back."),
    "catalogue": ("catalogue:catalogue", "Collect puzzles, each once."),
    "census": ("census:census", "Count and list all unique puzzles of a loop or a board."),
    "certify": ("solve:certify", "Write proofs of the number of solutions."),
    "check": ("solve:check", "Check that puzzles are unique, or that solutions are right."),
    "completion": ("main:completion", "Let a shell complete both programs."),
    "convert": ("draw:convert", "Write the puzzles in another format."),
    "count": ("count_solutions:main", "Count the solutions of puzzles."),
    "dataset": ("dataset:dataset", "Make data sets of puzzles with twins."),
    "draw": ("draw:draw", "Draw puzzles as SVG, PNG or PDF."),
    "generate": ("generate:generate", "Make puzzles, each proven to have exactly one solution."),
    "grade": ("grade:grade", "Grade the difficulty of puzzles."),
    "kinds": ("main:kinds", "List the kinds of puzzles."),
    "loops": ("loops:loops", "Count, list or sample all loops of a board."),
    "solve": ("solve:solve", "Draw solutions."),
    "studio": ("studio:studio", "Make puzzles in the browser."),
    "verify": ("solve:verify", "Verify certificates."),
}


@click.group(
    cls=ProgramGroup,
    places={name: (f"linkoracle.cli.{at}", what) for name, (at, what) in _COMMANDS.items()},
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


@click.command()
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


@click.command()
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
