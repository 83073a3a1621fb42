"""What a file of a census is of: the version of linkoracle and the parameters, as JSON texts."""

from __future__ import annotations

import json
from collections.abc import Mapping
from importlib.metadata import version
from pathlib import Path
from typing import Any

from linkoracle.errors import RunError


def stamp_of(parameters: Mapping[str, Any]) -> dict[str, str]:
    """The stamp of a run with these parameters."""
    stamp = {"version": version("linkoracle"), **parameters}
    return {name: json.dumps(value) for name, value in stamp.items()}


def check_new(path: Path, resume: bool) -> None:
    """Raise `RunError` for a file that exists, unless its run is to be resumed."""
    if path.exists() and not resume:
        raise RunError(f"{path} exists: resume that run, or choose another file")


def check_same(path: Path | None, wanted: Mapping[str, str], found: Mapping[str, str]) -> None:
    """Raise `RunError` for a stamp that is another one."""
    for name in [*wanted, *found]:
        if wanted.get(name) != found.get(name):
            raise RunError(
                f"{path} was begun with {name} = {found.get(name, 'nothing')}, "
                f"which is now {wanted.get(name, 'nothing')}"
            )
