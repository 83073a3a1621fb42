"""The server of the studio: one page, its live answers, and the import and export of puzzles.

Only for this machine, and for browsers that were given a code (`linkoracle.studio.access`). Every
request must name this host, and have no Origin or the Origin of this page. Its path must be that of
the page, and it must have the cookie, except for two requests: `/open/CODE` exchanges a code for
both, and by `/alive` a page checks whether this is its server.
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
from linkoracle.core import FormatError, LinkOracleError, MissingExtra
from linkoracle.formats import write
from linkoracle.kinds import Puzzle
from linkoracle.studio import access, making, playing, puzzle_tasks, texts
from linkoracle.studio.boards import board_of
from linkoracle.studio.bundle import STATIC
from linkoracle.studio.tasks import Limits
from linkoracle.studio.workers import Workers

try:
    import uvicorn
    from starlette.applications import Starlette
    from starlette.concurrency import run_in_threadpool
    from starlette.requests import Request
    from starlette.responses import (
        FileResponse,
        JSONResponse,
        PlainTextResponse,
        RedirectResponse,
        Response,
    )
    from starlette.routing import Mount, Route, WebSocketRoute
    from starlette.staticfiles import StaticFiles
    from starlette.websockets import WebSocket, WebSocketDisconnect
except ModuleNotFoundError:
    raise MissingExtra("pages of the studio", "studio") from None

#: The only address that the server listens at.
LOOPBACK = "127.0.0.1"
#: The default port, if it is free. The browser stores the board of a page by its port.
PORT = 8642
#: Most pages that are answered at a time.
MAX_PAGES = 4
#: Most bytes of a request, and of a message about a board.
MAX_BODY = 200_000


def application(
    token: str,
    hosts: Collection[str],
    limits: Limits | None = None,
    pages: int = MAX_PAGES,
    catalogue: Path | None = None,
    enter: Callable[[str], str | None] = lambda _: None,
) -> Starlette:
    """Return the server as an ASGI application.

    Addresses of the page begin with `path_of` the ``token``, and its requests hold that as a
    cookie. ``enter`` returns for a code the fragment of the address to open, and ``None`` if the
    code is invalid. ``hosts`` are the names of this host in requests, such as ``127.0.0.1:8642``.
    At most ``pages`` are answered at a time, within ``limits``. The page may save puzzles to the
    ``catalogue``, and find puzzles in it.
    """

    #: The workers, by the address of their queries.
    pools = {
        "live": Workers(pages, limits),
        "making": Workers(pages, limits, partial(making.Making, catalogue=catalogue)),
        "playing": Workers(pages, limits, playing.Playing),
    }

    @asynccontextmanager
    async def lifespan(_: Starlette) -> AsyncIterator[None]:
        pools["live"].warm_up()
        try:
            yield
        finally:
            for pool in pools.values():
                pool.end()

    page = {
        "files": puzzle_tasks.ways(),
        "catalogue": catalogue and catalogue.name,
        "grades": puzzle_tasks.shown_grades(),
    }
    here = [
        Route("/", lambda _: FileResponse(STATIC / "index.html")),
        Route(
            "/about",
            lambda _: JSONResponse(
                texts.about(making.offers, limits or Limits(), MAX_BODY, **page)
            ),
        ),
        *(
            Route(f"/{name}", _answering(work), methods=["POST"])
            for name, work in texts.TEXTS.items()
        ),
        *(WebSocketRoute(f"/{name}", _conversation(pool)) for name, pool in pools.items()),
        Mount("/static", StaticFiles(directory=STATIC)),
    ]
    path = access.path_of(token)

    async def opened(request: Request) -> Response:
        """Exchange a code for the path of the page and its cookie."""
        fragment = enter(request.path_params["code"])
        if fragment is None:
            return PlainTextResponse(access.CLOSED, 403)
        # The redirect has the puzzle, so that the command line of the browser does not show it.
        answer = RedirectResponse(f"/{path}/{fragment}", 303)
        answer.set_cookie(access.COOKIE, token, path=f"/{path}/", httponly=True, samesite="lax")
        return answer

    routes = [
        Route("/alive", _alive(path)),
        Route("/open/{code}", opened, methods=["GET"]),
        Mount(f"/{path}", routes=here),
    ]
    app = Starlette(routes=routes, lifespan=lifespan)
    app.add_middleware(access.Guard, hosts=hosts, token=token)
    return app


def _alive(path: str) -> Callable[[Request], Awaitable[Response]]:
    """Prove to a page that lost its server that this server has the same path."""

    async def answer(request: Request) -> Response:
        nonce = request.query_params.get("nonce", "")
        if not 16 <= len(nonce) <= 64:
            return JSONResponse({"error": "expected a nonce of 16 to 64 characters"}, 400)
        return JSONResponse({"proof": access.proof(path, nonce)})

    return answer


async def _body(request: Request) -> str:
    """Return the text of a request; raise `FormatError` if it is too long or not UTF-8."""
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
    """Answer a request with the result of ``work`` for its text, or with its error as one line."""

    async def answer(request: Request) -> Response:
        try:
            return JSONResponse(await run_in_threadpool(work, await _body(request)))
        except LinkOracleError as error:
            return JSONResponse({"error": texts.reason_of(error)}, 400)

    return answer


def _conversation(pool: Workers) -> Callable[[WebSocket], Awaitable[None]]:
    """Answer over a WebSocket, with one of these workers as long as the socket is open.

    Each message has a ``number`` and a ``query``, which replaces the one before. Answers carry the
    number of their query.
    """

    async def converse(socket: WebSocket) -> None:
        await socket.accept()
        worker = pool.borrow()
        if worker is None:
            await socket.close(1013, f"only {pool.most} pages are answered at a time")
            return
        events: asyncio.Queue[dict[str, Any]] = asyncio.Queue()

        def hear(number: int, stage: dict[str, Any]) -> None:
            events.put_nowait({"number": number, **stage})

        async def send_on() -> None:
            while True:
                await socket.send_json(await events.get())

        sending = asyncio.create_task(send_on())
        try:
            while True:
                message = _query(await socket.receive_text())
                if message is None:
                    await socket.close(1008, "expected a query with a number")
                    return
                number, query = message
                worker.ask(query, partial(hear, number))
        except (WebSocketDisconnect, KeyError):
            # A binary message raises KeyError.
            pass
        finally:
            sending.cancel()
            pool.give_back(worker)

    return converse


def _query(text: str) -> tuple[int, Any] | None:
    """Return the number and the query of a message; ``None`` if the message is invalid."""
    try:
        message = json.loads(text) if len(text) <= MAX_BODY else None
    except (ValueError, RecursionError):
        return None
    if not isinstance(message, dict) or message.keys() != {"number", "query"}:
        return None
    number = message["number"]
    return (number, message["query"]) if type(number) is int and 0 <= number < 2**53 else None


def listening(port: int | None) -> socket.socket:
    """Return a socket at ``port``; for ``None`` at `PORT`, or at a free port if that is taken.

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
    # Connections inherit this option. asyncio sets it only where a socket names its protocol.
    # Without it, an answer waits some 40 ms until the page has confirmed the previous one.
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
    """Serve until Ctrl-C. Pass an address to ``say``; with ``browse``, open one in a browser.

    Each address opens one browser. When the address passed to ``say`` is used, a new one follows.

    The page begins with ``puzzle``; raises `PuzzleError` if that is too large for the page. Raises
    ``OSError`` if the port is taken, `CatalogueError` if ``catalogue`` is not a catalogue. A
    missing catalogue is created.
    """
    if puzzle is not None:
        board_of(puzzle)
    if catalogue is not None:
        # Updated or created before a page needs it.
        Catalogue(catalogue).close()
    listener = listening(port)
    taken = listener.getsockname()[1]
    # No page waits for a server at a random port.
    token = access.kept(taken) if taken == (port or PORT) else access.fresh()
    hosts = [f"{name}:{taken}" for name in (LOOPBACK, "localhost")]
    codes = access.Codes()
    fragment = "" if puzzle is None else f"#{quote(write(puzzle, 'json'))}"
    printed = codes.new()

    def address(code: str) -> str:
        return f"http://{LOOPBACK}:{taken}/open/{code}"

    def enter(code: str) -> str | None:
        nonlocal printed
        if not codes.redeem(code):
            return None
        if code == printed:
            printed = codes.new()
            say(f"another browser: {address(printed)}")
        return fragment

    config = uvicorn.Config(
        application(token, hosts, catalogue=catalogue, enter=enter),
        log_level="critical",
        lifespan="on",
        ws_max_size=MAX_BODY,
        timeout_graceful_shutdown=1,
        server_header=False,
    )
    say(address(printed))
    if browse:
        arguments = (address(codes.new(access.BROWSER_SECONDS)),)
        threading.Thread(target=webbrowser.open, args=arguments, daemon=True).start()
    uvicorn.Server(config).run(sockets=[listener])
