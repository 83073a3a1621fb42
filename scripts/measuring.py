"""Tools of the benchmarks: rows in processes of their own, their memory, puzzles with names."""

from __future__ import annotations

import json
import resource
import subprocess
import sys
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import Any

import linkoracle
from linkoracle.formats import About, Entry


def in_a_process(script: str, arguments: Iterable[str], seconds: float, **more: Any) -> Any:
    """Return what ``script --child ARGUMENTS`` prints as JSON, in a process of its own.

    The result has the key ``error`` if the time limit was reached, or the process failed.
    """
    command = [sys.executable, script, "--child", *arguments]
    try:
        done = subprocess.run(
            command, capture_output=True, text=True, timeout=seconds, check=True, **more
        )
    except subprocess.TimeoutExpired:
        return {"error": f"not within {seconds:g} s"}
    except subprocess.CalledProcessError as failure:
        lines = failure.stderr.strip().splitlines()
        return {"error": lines[-1] if lines else f"ended with status {failure.returncode}"}
    return json.loads(done.stdout)


def peak() -> int:
    """Return the peak memory of this process in bytes."""
    status = Path("/proc/self/status")
    if status.exists():
        lines = dict(line.split(":", 1) for line in status.read_text().splitlines())
        return int(lines["VmHWM"].split()[0]) * 1024
    # This includes the memory of the parent process.
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024


def named_entries(files: Iterable[str], kind: str | None, variant: str | None) -> list[Entry]:
    """Return all puzzles of files, each with a name: results are kept by name."""
    return [
        replace(entry, about=About(name=entry.name or f"{file}:{entry.line}"))
        for file in files
        for entry in linkoracle.read_all(Path(file), kind=kind, variant=variant)
    ]
