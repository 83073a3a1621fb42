"""Files that are written completely or not at all, and those that a package has."""

from __future__ import annotations

import errno
import os
import stat
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
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


def data_text(package: str, name: str) -> str:
    """Return the text of a file of a package, be it in a folder or an archive.

    >>> data_text("linkoracle.deduce", "scales.json")[0]
    '{'
    """
    # Loading it takes some milliseconds.
    from importlib.resources import files

    return (files(package) / name).read_text(encoding="utf-8")


def cannot_write(error: OSError, path: str | Path) -> OSError:
    """Return the error to raise when ``path`` cannot be written.

    >>> print(cannot_write(OSError(28, "No space left on device"), "numbers"))
    [Errno 28] cannot write: No space left on device: 'numbers'
    """
    return OSError(error.errno, f"cannot write: {no_folder(path) or error.strerror}", str(path))


def sqlite_cannot_write(error: Exception, path: str | Path | None) -> OSError | None:
    """Return the error to raise if SQLite cannot write to ``path``; ``None`` for other reasons."""
    number = _OF_SQLITE.get(getattr(error, "sqlite_errorcode", 0) & 0xFF)
    if number is None or path is None:
        return None
    if number == errno.EROFS and _forbids_writing(Path(path)):
        return None
    return cannot_write(OSError(number, str(error)), path)


def _forbids_writing(path: Path) -> bool:
    """Return whether a file's own bytes say so: only if it is damaged.

    The version of its format for writing is byte 18 (https://www.sqlite.org/fileformat.html).
    """
    with suppress(OSError), path.open("rb") as file:
        return file.read(19)[18:] > b"\2"
    return False


#: The numbers of system errors by codes of SQLite: no permission, read only, a failed write, a full
#: disk, and a file that cannot be opened.
_OF_SQLITE = {
    3: errno.EACCES,
    8: errno.EROFS,
    10: errno.EIO,
    13: errno.ENOSPC,
    14: errno.EACCES,
}


def discard_empty(path: Path) -> None:
    """Remove a file that was created in vain, unless something is in it by now."""
    with suppress(OSError):
        if path.stat().st_size == 0:
            path.unlink()


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
