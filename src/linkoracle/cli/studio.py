"""`linkoracle studio`: an editor and player for puzzles in the browser."""

from __future__ import annotations

import errno
from importlib.util import find_spec
from pathlib import Path

import click

from linkoracle.cli import options as opt
from linkoracle.cli.program import BAD_INPUT, SYSTEM_ERROR, end, load_one
from linkoracle.cli.values import FILE, WholeNumber

#: The packages of the extra `studio`.
_NEEDED = ("starlette", "uvicorn", "websockets")


@click.command()
@click.argument("file", metavar="[FILE]", required=False, type=FILE)
@opt.option(
    "--port", WholeNumber(1, 65535), "Listen on this port.  [default: 8642, or any free port]"
)
@click.option("--no-browser", is_flag=True, help="Only print the address.")
@opt.option(
    "--catalogue",
    FILE,
    "A catalogue to save puzzles to and open them from; created if missing.",
)
@opt.kind_options
def studio(
    file: str | None,
    port: int | None,
    no_browser: bool,
    catalogue: str | None,
    kind: str | None,
    variant: str | None,
) -> None:
    """Open the studio in the browser, with the puzzle in FILE.

    After each change, the page shows the number of solutions, the forced lines, and more. Only this
    machine can open the page. The address printed opens it in one browser. Ctrl-C ends the studio.

    \b
    Examples:
      linkoracle studio
      linkoracle studio puzzle.txt
      linkoracle studio --no-browser --port 9000
      linkoracle studio --catalogue mine.sqlite
    """
    if missing := [name for name in _NEEDED if find_spec(name) is None]:
        end(f"the studio needs {', '.join(missing)}: pip install 'linkoracle[studio]'", BAD_INPUT)
    puzzle = load_one(file, kind, variant).puzzle if file is not None else None
    from linkoracle.studio import run

    try:
        kept = None if catalogue is None else Path(catalogue)
        run(puzzle, port, browse=not no_browser, say=click.echo, catalogue=kept)
    except OSError as error:
        if error.errno not in (errno.EADDRINUSE, errno.EACCES):
            raise
        end(f"cannot listen at port {port}: {error.strerror}", SYSTEM_ERROR)
