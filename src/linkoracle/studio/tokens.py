"""The token in the address of the studio, kept so that an open page finds its server again.

A new server at the same port uses the token of the previous one, from a file that only its user may
read. A page that lost its server sends the token only to a server that has proven to know the
token: another program may listen at that port by now.
"""

from __future__ import annotations

import hashlib
import hmac
import os
import re
import secrets
import time
from pathlib import Path

from linkoracle.core.atomic_write import atomic_write

#: Bytes of a random token.
_BYTES = 16
_TOKEN = re.compile(r"[A-Za-z0-9_-]{22}")
#: Seconds after its last use when a token expires.
_MAX_AGE_SECONDS = 7 * 24 * 3600


def fresh() -> str:
    """Return a random token.

    >>> len(fresh())
    22
    """
    return secrets.token_urlsafe(_BYTES)


def kept(port: int) -> str:
    """Return the token of the last server at this port, or a fresh one; store it if possible."""
    path = _path(port)
    token = _read(path) or fresh()
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        with atomic_write(path, private=True) as file:
            file.write(token.encode())
    except OSError:
        # Without the file, pages must be opened anew after a restart.
        pass
    return token


def _path(port: int) -> Path:
    """Return the file of a token, in the folder for the state of the user's programs."""
    state = os.environ.get("XDG_STATE_HOME") or Path.home() / ".local" / "state"
    return Path(state, "linkoracle", f"studio-{port}.token")


def _read(path: Path) -> str | None:
    """Return the token of a file; ``None`` if it is invalid, expired, or readable by others."""
    try:
        about = path.stat()
        text = path.read_text(encoding="ascii")
    except (OSError, ValueError):
        return None
    shared = os.name == "posix" and (about.st_mode & 0o077 or about.st_uid != os.getuid())
    old = time.time() - about.st_mtime > _MAX_AGE_SECONDS
    return text if not shared and not old and _TOKEN.fullmatch(text) else None


def proof(token: str, nonce: str) -> str:
    """Return a proof of knowing the token: an HMAC with SHA-256 of the nonce.

    >>> proof("secret", "abc") == proof("secret", "abd")
    False
    """
    return hmac.new(token.encode(), nonce.encode(), hashlib.sha256).hexdigest()
