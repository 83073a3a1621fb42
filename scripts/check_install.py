"""Use linkoracle as it is installed in this environment, and check the answers.

    python scripts/check_install.py

`make dist` and cibuildwheel test wheels with this program, where only the wheel is installed. The
program needs neither the sources nor pytest.
"""

from __future__ import annotations

import os
import subprocess
import sys
import sysconfig
import tempfile
from pathlib import Path

PUZZLE = "slitherlink\n10..\n...1\n2202\n....\n"
#: The output of each command, or a part of it.
ANSWERS = [
    (["count-solutions", "puzzle.txt"], "1\n"),
    (["linkoracle", "check", "puzzle.txt"], "unique"),
    (["linkoracle", "loops", "3", "3"], "213\n"),
    (["linkoracle", "grade", "puzzle.txt"], "easy"),
    (["linkoracle", "draw", "puzzle.txt", "-o", "puzzle.svg"], ""),
    (["linkoracle", "generate", "slitherlink", "7", "7", "--seed", "1"], "slitherlink\n"),
    (["linkoracle", "generate", "numberlink", "6", "6", "--seed", "1"], "numberlink\n"),
    (["linkoracle", "census", "numberlink", "3", "4"], "807"),
    (["linkoracle", "certify", "puzzle.txt", "-o", "proof"], "exactly 1 solution"),
    (["linkoracle", "verify", "--puzzle", "puzzle.txt", "proof"], "verified: slitherlink"),
]
IN_PYTHON = f"""
import linkoracle
puzzle = linkoracle.read({PUZZLE!r})
assert linkoracle.count(puzzle.with_clues({{(0, 0): None}})) == 3
assert linkoracle.count(puzzle, engine="frontier") == linkoracle.count(puzzle, engine="plain") == 1
print(linkoracle.__version__)
"""


def main() -> None:
    """Run each command in an empty folder; stop at the first wrong answer."""
    programs = Path(sysconfig.get_path("scripts"))
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "puzzle.txt").write_text(PUZZLE, encoding="utf-8")
        commands = [([str(programs / name), *rest], out) for (name, *rest), out in ANSWERS]
        commands.append(([sys.executable, "-c", IN_PYTHON], "."))
        for command, expected in commands:
            done = subprocess.run(
                command, capture_output=True, encoding="utf-8", cwd=folder, env=environment
            )
            if done.returncode or expected not in done.stdout:
                sys.exit(f"{command} printed:\n{done.stdout}{done.stderr}expected: {expected!r}")
    print(f"{len(commands)} answers of linkoracle {done.stdout.strip()} are right")


if __name__ == "__main__":
    main()
