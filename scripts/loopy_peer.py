"""Game IDs from Loopy, of Simon Tatham's puzzles: Debian's `sgt-loopy`, of sgt-puzzles."""

from __future__ import annotations

import shutil
import subprocess

import click

#: Its difficulties, the easiest first, by the letters of its parameters.
LEVELS = {"e": "easy", "n": "normal", "t": "tricky", "h": "hard"}


def made_by_loopy(number: int, parameters: str) -> str:
    """Return a text with a game ID a line, for parameters such as ``10x10t0dh``."""
    program = shutil.which("sgt-loopy", path="/usr/games:/usr/bin")
    if program is None:
        raise click.ClickException("sgt-loopy is not installed")
    command = [program, "--generate", str(number), parameters]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout
