"""Access to the studio: for a browser with a code, which it exchanges for a path and a cookie.

A *code* opens the studio once. It may be read by others: the command line of a browser shows it to
every user of the machine. Whoever presents it gets the path of the page and, as a cookie for that
path alone, the *token*. The path is derived from the token and secret, too: browsers send a cookie
to all ports of a host, so another program must not know the path.

A new server at the same port uses the token of the previous one, from a file that only its user may
read. So an open page finds its server again. It sends the token only to a server that has proven to
know the path: another program may listen at that port by now.

`Guard` refuses all other requests.
"""

from __future__ import annotations

import hashlib
import hmac
import os
import re
import secrets
import time
from collections.abc import Callable, Collection
from pathlib import Path

from linkoracle.core import MissingExtra, atomic_write

try:
    from starlette.datastructures import Headers
    from starlette.requests import cookie_parser
    from starlette.responses import PlainTextResponse
    from starlette.types import ASGIApp, Message, Receive, Scope, Send
except ModuleNotFoundError:
    raise MissingExtra("pages of the studio", "studio") from None

#: The name of the cookie that holds the token.
COOKIE = "linkoracle"
#: The answer to a browser without the token.
CLOSED = "Open the address that linkoracle printed last. Each address opens one browser.\n"
_HEADERS = {
    "content-security-policy": "default-src 'none'; script-src 'self'; style-src 'self'; "
    "img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; "
    "frame-ancestors 'none'",
    "referrer-policy": "no-referrer",
    "x-content-type-options": "nosniff",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "cache-control": "no-store",
}

#: Bytes of a random token.
_BYTES = 16
_TOKEN = re.compile(r"[A-Za-z0-9_-]{22}")
#: Seconds after its last use when a token expires.
_MAX_AGE_SECONDS = 7 * 24 * 3600
#: Seconds within which a browser must present a code that stood on its command line.
BROWSER_SECONDS = 120.0


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


def path_of(token: str) -> str:
    """Return the first part of the path of the page with this token.

    >>> len(path_of("secret"))
    32
    """
    return proof(token, "path")[:32]


def proof(secret: str, nonce: str) -> str:
    """Return a proof of knowing a secret: an HMAC with SHA-256 of the nonce.

    >>> proof("secret", "abc") == proof("secret", "abd")
    False
    """
    return hmac.new(secret.encode(), nonce.encode(), hashlib.sha256).hexdigest()


class Codes:
    """Codes that open the studio once each.

    >>> codes = Codes()
    >>> code = codes.new()
    >>> codes.redeem(code), codes.redeem(code)
    (True, False)
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._deadlines: dict[str, float] = {}

    def new(self, seconds: float = float("inf")) -> str:
        """Return a code that is valid once, for so many seconds."""
        code = fresh()
        self._deadlines[code] = self._clock() + seconds
        return code

    def redeem(self, code: str) -> bool:
        """Return whether the code is valid, and make it invalid."""
        deadline = self._deadlines.pop(code, None)
        return deadline is not None and self._clock() <= deadline


class Guard:
    """Refuse requests of other hosts and pages, and of the page without the token.

    Add `_HEADERS` to every answer.
    """

    def __init__(self, app: ASGIApp, hosts: Collection[str], token: str) -> None:
        self._app, self._hosts, self._token = app, set(hosts), token
        self._origins = {f"http://{host}" for host in hosts}
        self._page = f"/{path_of(token)}/"

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        named, origins = headers.getlist("host"), headers.getlist("origin")
        # Browsers send an Origin with every WebSocket and POST. They send none with a GET of our
        # page, nor with links, images, scripts, frames and forms of other pages, which may GET,
        # too. A GET changes nothing, needs the token, and `_HEADERS` let no other page read it.
        ours = self._hosts.issuperset(named) and self._origins.issuperset(origins)
        ours = ours and bool(named) and (bool(origins) or scope["type"] == "http")
        enters = scope["path"].startswith(self._page)
        known = not enters or self._has_token(headers)
        if not (ours and known):
            if scope["type"] == "http":
                reason = CLOSED if ours else "not from here\n"
                response = PlainTextResponse(reason, 403, headers=_HEADERS)
                await response(scope, receive, send)
            else:
                await send({"type": "websocket.close", "code": 1008})
            return

        async def guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                added = [(name.encode(), value.encode()) for name, value in _HEADERS.items()]
                message["headers"] = [*message["headers"], *added]
            await send(message)

        await self._app(scope, receive, guarded)

    def _has_token(self, headers: Headers) -> bool:
        # Not `Request.cookies`: WebSockets have headers, but are not requests.
        found = cookie_parser(headers.get("cookie", "")).get(COOKIE, "")
        return hmac.compare_digest(found.encode(), self._token.encode())
