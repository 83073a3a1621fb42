"""The processes of a program under test, as Linux shows them."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path


def children(process: int) -> list[int]:
    listed = subprocess.run(
        ["ps", "-o", "pid=", "--ppid", str(process)], capture_output=True, text=True, check=False
    )
    return [int(pid) for pid in listed.stdout.split()]


def alive(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    state = Path(f"/proc/{process}/stat").read_text().rsplit(")", 1)[1].split()[0]
    return state != "Z"
