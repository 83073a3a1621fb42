"""Files that are written completely or not at all."""

from __future__ import annotations

import os
import stat
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO


@contextmanager
def atomic_write(
    path: Path, *, durable: bool = False, private: bool = False
) -> Iterator[IO[bytes]]:
    """Yield a file to write to, which replaces ``path`` at the end of the block.

    Until then it has a temporary name in the same folder. After an exception it is removed and
    ``path`` is unchanged. With ``durable`` the file survives a loss of power. It has the
    permissions of the old file; with ``private`` only its owner can access it. A link is followed;
    a device or a pipe is written to directly. Raises ``OSError``.

    >>> with tempfile.TemporaryDirectory() as folder:
    ...     with atomic_write(Path(folder, "numbers")) as file:
    ...         number = file.write(b"1 2 3")
    ...     Path(folder, "numbers").read_bytes()
    b'1 2 3'
    """
    try:
        before = path.stat().st_mode
    except FileNotFoundError:
        before = None
    if before is not None and not stat.S_ISREG(before) and not stat.S_ISDIR(before):
        with path.open("wb") as file:
            yield file
        return
    path = path.resolve()
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    temporary = Path(name)
    try:
        with os.fdopen(handle, "wb") as file:
            yield file
            if durable:
                file.flush()
                os.fsync(file.fileno())
        # `mkstemp` makes private files.
        if not private:
            temporary.chmod(_usual_mode() if before is None else stat.S_IMODE(before))
        temporary.replace(path)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise


def no_folder(path: str | Path) -> str:
    """Return why a file cannot be made if its folder is missing, or else an empty text.

    >>> no_folder("no/where/numbers"), no_folder("numbers")
    ("there is no folder 'no/where'. Make it first", '')
    """
    folder = Path(path).parent
    return "" if folder.exists() else f"there is no folder {str(folder)!r}. Make it first"


def _usual_mode() -> int:
    """Return the permissions of new files."""
    mask = os.umask(0)
    os.umask(mask)
    return 0o666 & ~mask
