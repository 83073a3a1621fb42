"""The server of the studio: one page, its live answers, and puzzles in and out.

Only for this machine, and for users who have the address with its random token: every request must
name this host, have no Origin but this page's, and begin with the token, but for the one by which
a page finds out whether this is its server.
"""

from __future__ import annotations

import asyncio
import json
import os
import socket
import threading
import webbrowser
from collections.abc import AsyncIterator, Awaitable, Callable, Collection
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path
from typing import Any
from urllib.parse import quote

from linkoracle.catalogue import Catalogue
from linkoracle.core.errors import FormatError, LinkOracleError, MissingExtra
from linkoracle.formats import write
from linkoracle.kinds import Puzzle
from linkoracle.studio.boards import board_of
from linkoracle.studio.files import ways
from linkoracle.studio.limits import Limits
from linkoracle.studio.making import Making, offers
from linkoracle.studio.playing import Playing
from linkoracle.studio.shelf import SHOWN_GRADES
from linkoracle.studio.texts import TEXTS, about, reason_of
from linkoracle.studio.tokens import fresh, kept, proof
from linkoracle.studio.workers import Workers

try:
    import uvicorn
    from starlette.applications import Starlette
    from starlette.concurrency import run_in_threadpool
    from starlette.datastructures import Headers
    from starlette.requests import Request
    from starlette.responses import FileResponse, JSONResponse, PlainTextResponse, Response
    from starlette.routing import Mount, Route, WebSocketRoute
    from starlette.staticfiles import StaticFiles
    from starlette.types import ASGIApp, Message, Receive, Scope, Send
    from starlette.websockets import WebSocket, WebSocketDisconnect
except ModuleNotFoundError:
    raise MissingExtra("pages of the studio", "studio") from None

#: The only address that the server listens at.
LOOPBACK = "127.0.0.1"
#: Where it listens if that is free: the browser keeps the board of a page by its port.
PORT = 8642
#: Pages that are answered at a time.
MAX_PAGES = 4
#: Bytes of a request, and of a message about a board.
MAX_BODY = 200_000

_STATIC = Path(__file__).parent / "static"
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


class _Guard:
    """Lets in what names this host and comes from this page, and says so in every answer."""

    def __init__(self, app: ASGIApp, hosts: Collection[str]) -> None:
        self._app, self._hosts = app, set(hosts)
        self._origins = {f"http://{host}" for host in hosts}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        named, origins = headers.getlist("host"), headers.getlist("origin")
        # Browsers send an Origin with every WebSocket and POST. They send none with a GET of our
        # page, nor with links, images, scripts, frames and forms of pages elsewhere, which may GET,
        # too: that changes nothing here, needs the token, and `_HEADERS` let no other page read it.
        ours = self._hosts.issuperset(named) and self._origins.issuperset(origins)
        if not (ours and named and (origins or scope["type"] == "http")):
            if scope["type"] == "http":
                response = PlainTextResponse("not from here\n", 403, headers=_HEADERS)
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


def application(
    token: str,
    hosts: Collection[str],
    limits: Limits | None = None,
    pages: int = MAX_PAGES,
    catalogue: Path | None = None,
) -> Starlette:
    """The server as an ASGI application.

    Addresses begin with ``/token/``; ``hosts`` are what a request may call this host, such as
    ``127.0.0.1:8642``. ``pages`` are answered at a time, within ``limits``. The page may save
    to the ``catalogue``, and look into it.
    """

    #: By their addresses, with what a question is called there.
    pools = {
        "live": ("board", Workers(pages, limits)),
        "making": ("task", Workers(pages, limits, partial(Making, catalogue=catalogue))),
        "playing": ("question", Workers(pages, limits, Playing)),
    }

    @asynccontextmanager
    async def lifespan(_: Starlette) -> AsyncIterator[None]:
        pools["live"][1].warm_up()
        try:
            yield
        finally:
            for _key, pool in pools.values():
                pool.end()

    page = {"files": ways(), "catalogue": catalogue and catalogue.name, "grades": SHOWN_GRADES}
    here = [
        Route("/", lambda _: FileResponse(_STATIC / "index.html")),
        Route(
            "/about", lambda _: JSONResponse(about(offers, limits or Limits(), MAX_BODY, **page))
        ),
        *(Route(f"/{name}", _answering(work), methods=["POST"]) for name, work in TEXTS.items()),
        *(WebSocketRoute(f"/{name}", _conversation(*one)) for name, one in pools.items()),
        Mount("/static", StaticFiles(directory=_STATIC)),
    ]
    routes = [Route("/alive", _alive(token)), Mount(f"/{token}", routes=here)]
    app = Starlette(routes=routes, lifespan=lifespan)
    app.add_middleware(_Guard, hosts=hosts)
    return app


def _alive(token: str) -> Callable[[Request], Awaitable[Response]]:
    """Proves to a page that lost its server that this one has the same token."""

    async def answer(request: Request) -> Response:
        nonce = request.query_params.get("nonce", "")
        if not 16 <= len(nonce) <= 64:
            return JSONResponse({"error": "expected a nonce of 16 to 64 characters"}, 400)
        return JSONResponse({"proof": proof(token, nonce)})

    return answer


async def _body(request: Request) -> str:
    """The text of a request; `FormatError` for one that is too long, or no text."""
    data = b""
    async for part in request.stream():
        data += part
        if len(data) > MAX_BODY:
            raise FormatError(f"expected at most {MAX_BODY} bytes")
    try:
        return data.decode()
    except UnicodeDecodeError:
        raise FormatError("expected text in UTF-8") from None


def _answering(
    work: Callable[[str], dict[str, Any]],
) -> Callable[[Request], Awaitable[Response]]:
    """Answers a request by what ``work`` makes of its text; its errors become one line."""

    async def answer(request: Request) -> Response:
        try:
            return JSONResponse(await run_in_threadpool(work, await _body(request)))
        except LinkOracleError as error:
            return JSONResponse({"error": reason_of(error)}, 400)

    return answer


def _conversation(key: str, pool: Workers) -> Callable[[WebSocket], Awaitable[None]]:
    """Answers over a WebSocket, by one of these workers as long as it is open.

    Each message has a number and, by the name of ``key``, a question, in place of the one before.
    Answers carry that number.
    """

    async def converse(socket: WebSocket) -> None:
        await socket.accept()
        worker = pool.borrow()
        if worker is None:
            await socket.close(1013, f"only {pool.most} pages are answered at a time")
            return
        told: asyncio.Queue[dict[str, Any]] = asyncio.Queue()

        def hear(number: int, stage: dict[str, Any]) -> None:
            told.put_nowait({"number": number, **stage})

        async def send_on() -> None:
            while True:
                await socket.send_json(await told.get())

        sending = asyncio.create_task(send_on())
        try:
            while True:
                asked = _question(await socket.receive_text(), key)
                if asked is None:
                    await socket.close(1008, f"expected a {key} with a number")
                    return
                number, question = asked
                worker.ask(question, partial(hear, number))
        except (WebSocketDisconnect, KeyError):
            # A message that is no text is a KeyError.
            pass
        finally:
            sending.cancel()
            pool.give_back(worker)

    return converse


def _question(text: str, key: str) -> tuple[int, Any] | None:
    """The number and the question of a message; ``None`` if it is not of that form."""
    try:
        asked = json.loads(text) if len(text) <= MAX_BODY else None
    except (ValueError, RecursionError):
        return None
    if not isinstance(asked, dict) or asked.keys() != {"number", key}:
        return None
    number = asked["number"]
    return (number, asked[key]) if type(number) is int and 0 <= number < 2**53 else None


def listening(port: int | None) -> socket.socket:
    """A socket at the port; without one at `PORT`, or at any other if that is taken.

    Raises ``OSError``.
    """
    try:
        listener = socket.create_server((LOOPBACK, PORT if port is None else port))
    except OSError as error:
        if port is not None:
            # Python adds the address, which the message has already.
            error.strerror = os.strerror(error.errno or 0)
            raise
        listener = socket.create_server((LOOPBACK, 0))
    # Connections inherit it. asyncio sets it only where a socket names its protocol, and without it
    # an answer waits some 40 ms until the page has confirmed the one before.
    listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return listener


def run(
    puzzle: Puzzle | None,
    port: int | None,
    *,
    browse: bool,
    say: Callable[[str], object],
    catalogue: Path | None = None,
) -> None:
    """Serve until Ctrl-C. ``say`` gets the address, at which the browser is opened if wished.

    The page begins with ``puzzle``; `PuzzleError` if that is too large for it. Raises ``OSError``
    when the port is taken, `CatalogueError` for a ``catalogue`` that is none. One that is missing
    is begun.
    """
    if puzzle is not None:
        board_of(puzzle)
    if catalogue is not None:
        # Brought up to date, or begun, before a page asks for it.
        Catalogue(catalogue).close()
    listener = listening(port)
    found = listener.getsockname()[1]
    # At a port by chance, no page waits.
    token = kept(found) if found == (port or PORT) else fresh()
    hosts = [f"{name}:{found}" for name in (LOOPBACK, "localhost")]
    config = uvicorn.Config(
        application(token, hosts, catalogue=catalogue),
        log_level="critical",
        lifespan="on",
        ws_max_size=MAX_BODY,
        timeout_graceful_shutdown=1,
        server_header=False,
    )
    address = f"http://{LOOPBACK}:{found}/{token}/"
    if puzzle is not None:
        address += f"#{quote(write(puzzle, 'json'))}"
    say(address)
    if browse:
        threading.Thread(target=webbrowser.open, args=(address,), daemon=True).start()
    uvicorn.Server(config).run(sockets=[listener])
