"""The server: which requests it accepts, and the answers that the page gets."""

from __future__ import annotations

import json
import os
import re
import signal
import socket
import subprocess
import sys
import time
from contextlib import closing
from pathlib import Path
from urllib.parse import unquote

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

pytest.importorskip("starlette")
pytest.importorskip("httpx")

import httpx
from starlette.testclient import TestClient
from starlette.websockets import WebSocketDisconnect

from linkoracle import read, write
from linkoracle.catalogue import GRADES, UNGRADED
from linkoracle.core import FormatError
from linkoracle.kinds import KINDS
from linkoracle.studio import access, server
from linkoracle.studio.access import Codes, path_of, proof
from linkoracle.studio.boards import board_of, puzzle_of
from linkoracle.studio.server import MAX_BODY, application, listening
from tests.strategies import puzzles
from tests.studio.asking import slitherlink
from tests.workers import WAIT_SECONDS, Program

HOST = "127.0.0.1:8642"
ORIGIN = {"origin": f"http://{HOST}"}
TOKEN = "secret"
#: The path of the page, without its last slash.
PAGE = f"/{path_of(TOKEN)}"
COOKIE = {"cookie": f"{access.COOKIE}={TOKEN}"}
LIVE = f"ws://{HOST}{PAGE}/live"
STATIC = Path(server.__file__).parent / "static"


@pytest.fixture(scope="module")
def client():
    app = application(TOKEN, [HOST], pages=2)
    with TestClient(app, base_url=f"http://{HOST}", headers=COOKIE) as client:
        yield client


def answer(socket, number: int, board: object) -> dict[str, dict]:
    socket.send_json({"number": number, "query": board})
    stages = {}
    while "done" not in stages:
        stage = socket.receive_json()
        assert stage["number"] == number
        stages[stage["stage"]] = stage
    return stages


def test_the_page_and_its_files(client):
    page = client.get(f"{PAGE}/")
    assert page.status_code == 200
    for name in sorted(path.name for path in STATIC.iterdir()):
        found = client.get(f"{PAGE}/static/{name}")
        assert (found.status_code, found.text) == (200, (STATIC / name).read_text())
    assert client.get(f"{PAGE}/static/studio.js").headers["content-type"].startswith("text/java")
    assert [kind["name"] for kind in client.get(f"{PAGE}/about").json()["kinds"]] == list(KINDS)


def test_nothing_comes_from_elsewhere_and_no_code_is_inline():
    for path in STATIC.iterdir():
        text = path.read_text().replace("http://www.w3.org/2000/svg", "")
        found = [word for word in ("http://", "https://", "innerHTML", "eval(") if word in text]
        assert found == [], path
    page = (STATIC / "index.html").read_text()
    assert page.count("<script") == page.count('<script type="module" src=') == 1
    assert not re.search(r"\s(style|on\w+)=", page)


def test_every_answer_restricts_the_page(client):
    for path in (f"{PAGE}/", f"{PAGE}/static/studio.js", f"{PAGE}/nothing", "/nothing"):
        headers = client.get(path).headers
        policy = headers["content-security-policy"]
        assert "default-src 'none'" in policy
        assert "script-src 'self'" in policy
        assert "unsafe" not in policy
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["referrer-policy"] == "no-referrer"


@pytest.mark.parametrize(
    "path",
    ["/", PAGE[:-1] + "/", f"{PAGE}2/", "/static/studio.js", f"{PAGE}/static/../server.py",
     f"{PAGE}/static/%2e%2e/server.py", f"{PAGE}/static//etc/passwd", f"{PAGE}/static/"],
)  # fmt: skip
def test_nothing_is_found_without_the_token_or_outside_of_the_page(client, path):
    assert client.get(path).status_code == 404


def test_the_page_needs_its_cookie_too(client):
    with TestClient(client.app, base_url=f"http://{HOST}") as stranger:
        for cookie in ({}, {"cookie": "linkoracle=secre"}, {"cookie": "other=secret"}):
            refused = stranger.get(f"{PAGE}/", headers=cookie)
            assert refused.status_code == 403
            assert "address that linkoracle printed" in refused.text
            assert stranger.post(f"{PAGE}/read", content="x", headers=cookie).status_code == 403
            with (
                pytest.raises(WebSocketDisconnect) as ended,
                stranger.websocket_connect(LIVE, headers=ORIGIN | cookie),
            ):
                pass
            assert ended.value.code == 1008
        assert stranger.get(f"{PAGE}/", headers=COOKIE).status_code == 200


def test_a_code_opens_one_browser():
    codes = Codes()
    app = application(TOKEN, [HOST], enter=lambda code: "#puzzle" if codes.redeem(code) else None)
    # Only a browser that came by the code gets the path and the cookie of the page.
    with TestClient(app, base_url=f"http://{HOST}", follow_redirects=False) as browser:
        code = codes.new()
        assert browser.get("/open/wrong").status_code == 403
        opened = browser.get(f"/open/{code}")
        assert (opened.status_code, opened.headers["location"]) == (303, f"{PAGE}/#puzzle")
        cookie = opened.headers["set-cookie"]
        assert f"Path={PAGE}/" in cookie
        assert "HttpOnly" in cookie
        assert browser.get(f"{PAGE}/").status_code == 200
        again = browser.get(f"/open/{code}")
        assert again.status_code == 403
        assert "set-cookie" not in again.headers
        assert browser.get(f"/open/{codes.new()}", headers={"host": "evil"}).status_code == 403


def test_a_page_checks_whether_this_is_its_server(client):
    nonce = "0123456789abcdef"
    answer = client.get(f"/alive?nonce={nonce}")
    assert answer.json() == {"proof": proof(path_of(TOKEN), nonce)}
    assert client.get("/alive?nonce=fedcba9876543210").json() != answer.json()
    for nonce in ("", "short", "x" * 65):
        assert client.get(f"/alive?nonce={nonce}").status_code == 400


@pytest.mark.parametrize(
    "headers",
    [
        {"host": "evil.example"},
        {"host": "127.0.0.1:9999"},
        {"host": "127.0.0.1"},
        {"host": ""},
        {"origin": "http://evil.example"},
        {"origin": "null"},
        {"origin": f"https://{HOST}"},
        {"origin": f"http://{HOST}.evil.example"},
    ],
)
def test_foreign_hosts_and_origins_are_refused(client, headers):
    assert client.get(f"{PAGE}/", headers=headers).status_code == 403
    assert client.get("/alive?nonce=0123456789abcdef", headers=headers).status_code == 403
    assert client.post(f"{PAGE}/read", content="x", headers=headers).status_code == 403
    with (
        pytest.raises(WebSocketDisconnect) as refused,
        client.websocket_connect(LIVE, headers=ORIGIN | headers),
    ):
        pass
    assert refused.value.code == 1008


@pytest.mark.parametrize("order", [1, -1])
@pytest.mark.parametrize("name", ["origin", "host"])
def test_one_foreign_header_beside_ours_is_enough_to_be_refused(client, name, order):
    ours = {"host": HOST, **ORIGIN}
    both = [(name, ours[name]), (name, "http://evil.example")][::order]
    headers = httpx.Headers([*((one, ours[one]) for one in ours if one != name), *both])
    assert client.get(f"{PAGE}/", headers=headers).status_code == 403
    assert client.post(f"{PAGE}/read", content="x", headers=headers).status_code == 403
    with (
        pytest.raises(WebSocketDisconnect) as refused,
        client.websocket_connect(LIVE, headers=headers),
    ):
        pass
    assert refused.value.code == 1008


def test_a_socket_without_an_origin_is_refused(client):
    with pytest.raises(WebSocketDisconnect), client.websocket_connect(LIVE):
        pass


def test_a_socket_needs_the_token(client):
    with (
        pytest.raises(WebSocketDisconnect),
        client.websocket_connect(LIVE.replace(PAGE, PAGE[:-1]), headers=ORIGIN),
    ):
        pass


def test_live_answers(client):
    with client.websocket_connect(LIVE, headers=ORIGIN) as socket:
        stages = answer(socket, 1, slitherlink(2, 2, {0: 3, 1: 3}))
        assert stages["status"]["status"] == "unique"
        stages = answer(socket, 2, slitherlink(2, 2))
        assert stages["count"]["count"] == "13"
        stages = answer(socket, 3, slitherlink(2, 2, {0: 4, 1: 4}))
        assert stages["conflict"]["cells"] == [0, 1]
        socket.send_json({"number": 4, "query": {"kind": "nurikabe"}})
        assert socket.receive_json()["stage"] == "wrong"


def test_answers_for_a_player(client):
    address = LIVE.replace("live", "playing")
    with client.websocket_connect(address, headers=ORIGIN) as socket:
        board = slitherlink(2, 2, {0: 3, 1: 3})
        for number, what in enumerate(["rules", "check", "hint"]):
            socket.send_json({"number": number, "query": {"what": what, "board": board}})
            events = [socket.receive_json()]
            while events[-1]["stage"] != "done":
                events.append(socket.receive_json())
            assert {stage["number"] for stage in events} == {number}
            assert (
                events[0]["stage"] == {"rules": "rules", "check": "checked", "hint": "hint"}[what]
            )


@pytest.mark.parametrize(
    "message",
    [
        "",
        "[",
        "[]",
        "[" * 90_000,
        '{"number": 1}',
        '{"number": -1, "query": {}}',
        '{"number": 1.0, "query": {}}',
        '{"number": true, "query": {}}',
        '{"number": 9007199254740993, "query": {}}',
        '{"number": 1, "query": {}, "more": 1}',
        " " * (MAX_BODY + 1),
    ],
)
def test_invalid_messages_end_the_connection(client, message):
    with client.websocket_connect(LIVE, headers=ORIGIN) as socket:
        socket.send_text(message)
        with pytest.raises(WebSocketDisconnect) as refused:
            socket.receive_json()
        assert refused.value.code == 1008
    with client.websocket_connect(LIVE, headers=ORIGIN) as socket:
        assert answer(socket, 1, slitherlink(1, 1))["count"]["count"] == "1"


def test_bytes_are_not_a_message(client):
    with client.websocket_connect(LIVE, headers=ORIGIN) as socket:
        socket.send_bytes(b"\0")
    with client.websocket_connect(LIVE, headers=ORIGIN) as socket:
        assert answer(socket, 1, slitherlink(1, 1))["count"]["count"] == "1"


def test_the_number_of_pages_is_limited(client):
    def connected():
        return client.websocket_connect(LIVE, headers=ORIGIN)

    with connected() as one, connected() as other:
        answer(one, 1, slitherlink(2, 2))
        answer(other, 1, slitherlink(2, 2))
        with connected() as third, pytest.raises(WebSocketDisconnect) as refused:
            third.receive_json()
        assert refused.value.code == 1013
        assert "2 pages" in refused.value.reason
    with connected() as again:
        answer(again, 1, slitherlink(2, 2))


#: The formats that name the kind of a puzzle.
_TOLD = ["json", "pzpr", "text"]


@given(puzzle=puzzles(), name=st.sampled_from(_TOLD))
@settings(max_examples=60)
def test_puzzles_are_exported_and_imported(client, puzzle, name):
    members = {"board": board_of(puzzle), "format": name}
    written = client.post(f"{PAGE}/write", content=json.dumps(members))
    if written.status_code == 400:
        with pytest.raises(FormatError) as error:
            write(puzzle, name)
        assert written.json() == {"error": str(error.value)}
        return
    text = written.json()["text"]
    assert text == write(puzzle, name)
    came = client.post(f"{PAGE}/read", content=text.encode())
    assert puzzle_of(came.json()["board"]) == read(text + "\n")


def test_a_picture(client):
    members = {"board": slitherlink(2, 2, {0: 3}), "format": "svg"}
    text = client.post(f"{PAGE}/write", content=json.dumps(members)).json()["text"]
    assert text.startswith(("<svg", "<?xml"))


@pytest.mark.parametrize(
    ("path", "content", "reason"),
    [
        ("read", b"nonsense", "expected"),
        ("read", b"", "expected"),
        ("read", b"\xff", "UTF-8"),
        ("read", b"x" * (MAX_BODY + 1), f"at most {MAX_BODY} bytes"),
        ("read", b"/etc/passwd", "does not say its kind of puzzle"),
        ("read", b"slitherlink\n3\n\nslitherlink\n2\n", "one puzzle, found 2"),
        ("read", b"https://puzz.link/p?slither/61/1/zzzg", "found 1x61"),
        ("write", b"{", "JSON"),
        ("write", b"[]", "an object"),
        ("write", b'{"board": {}, "format": "pzpr"}', "kind"),
        ("write", json.dumps({"board": slitherlink(1, 1), "format": "slk"}).encode(), "'format'"),
        ("write", json.dumps({"board": slitherlink(1, 1), "format": [1]}).encode(), "'format'"),
    ],
)
def test_errors_of_reading_and_writing_are_one_line(client, path, content, reason):
    answer = client.post(f"{PAGE}/{path}", content=content)
    assert answer.status_code == 400
    assert reason in answer.json()["error"]
    assert "\n" not in answer.json()["error"]


def test_it_listens_on_this_machine_only_and_elsewhere_if_the_port_is_taken():
    with closing(listening(None)) as one, closing(listening(None)) as other:
        assert one.getsockname()[0] == other.getsockname()[0] == "127.0.0.1"
        port = one.getsockname()[1]
        assert port != other.getsockname()[1]
        with pytest.raises(OSError, match="in use"):
            listening(port)


def test_a_connection_sends_each_answer_at_once():
    with closing(listening(None)) as listener, closing(socket.socket()) as page:
        page.connect(listener.getsockname())
        connection, _ = listener.accept()
        with connection:
            assert connection.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        return listener.getsockname()[1]


def test_the_command_serves_until_ctrl_c(tmp_path):
    file = tmp_path / "mine.txt"
    file.write_text("slitherlink\n3.\n.2\n")
    port = free_port()
    program = [sys.executable, "-m", "linkoracle", "studio", "--no-browser"]
    with Program(
        [*program, "--port", str(port), str(file)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        address = process.stdout.readline().strip()
        assert re.fullmatch(rf"http://127\.0\.0\.1:{port}/open/[\w-]{{22}}", address)
        opened = httpx.get(address)
        assert opened.status_code == 303
        page, _, puzzle = opened.headers["location"].partition("#")
        assert read(unquote(puzzle) + "\n") == read(file)
        page = f"http://127.0.0.1:{port}{page}"
        assert "linkoracle studio" in httpx.get(page, cookies=opened.cookies).text
        assert [httpx.get(where).status_code for where in (address, page)] == [403, 403]
        # Another browser needs another address, which is printed at once.
        said = process.stdout.readline().strip()
        another = said.removeprefix("another browser: ")
        assert another not in (said, address)
        assert httpx.get(another).headers["location"] == opened.headers["location"]
        assert process.stdout.readline().startswith("another browser: ")
        taken = subprocess.run([*program, "--port", str(port)], capture_output=True, text=True)
        assert taken.returncode == 5
        assert taken.stderr == f"error: cannot listen at port {port}: Address already in use\n"
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=WAIT_SECONDS)
        assert (process.returncode, out, err) == (130, "", "interrupted\n")


@pytest.mark.skipif(os.name != "posix", reason="the browser of this test is a shell script")
def test_the_command_line_of_the_browser_has_neither_token_nor_puzzle(tmp_path):
    (tmp_path / "browser").write_text(
        f'#!/bin/sh\necho "$@" > {tmp_path}/all.part\nmv {tmp_path}/all.part {tmp_path}/all\n'
    )
    (tmp_path / "browser").chmod(0o700)
    state = {"XDG_STATE_HOME": str(tmp_path), "BROWSER": f"{tmp_path}/browser %s"}
    port = free_port()
    command = [sys.executable, "-m", "linkoracle", "studio", "--port", str(port)]
    with Program(
        [*command, "instances/slitherlink-7x7.txt"],
        stdout=subprocess.PIPE,
        env=os.environ | state,
        text=True,
    ) as process:
        printed = process.stdout.readline().strip()
        assert printed
        until = time.monotonic() + WAIT_SECONDS
        while not (tmp_path / "all").exists():
            assert time.monotonic() < until
            time.sleep(0.05)
        seen = (tmp_path / "all").read_text().strip()
        assert re.fullmatch(rf"http://127\.0\.0\.1:{port}/open/[\w-]{{22}}", seen)
        assert seen != printed
        token = next(tmp_path.glob("linkoracle/*.token")).read_text()
        assert token not in seen
        opened = httpx.get(seen)
        assert opened.cookies[access.COOKIE] == token
        assert "slitherlink" in unquote(opened.headers["location"])
        # The address that was printed is still good.
        assert httpx.get(printed).status_code == 303
        process.send_signal(signal.SIGINT)


@pytest.mark.parametrize(
    ("arguments", "status", "reason"),
    [
        (["nothing-there.txt"], 2, "no such file"),
        (["--port", "0"], 2, "port"),
        (["--catalogue", "README.md"], 2, "README.md"),
        (["https://puzz.link/p?slither/61/1/zzzg"], 2, "found 1x61"),
    ],
)
def test_bad_arguments(arguments, status, reason):
    done = subprocess.run(
        [sys.executable, "-m", "linkoracle", "studio", "--no-browser", *arguments],
        capture_output=True,
        text=True,
        env=os.environ | {"COLUMNS": "80"},
    )
    assert done.returncode == status
    assert reason in done.stderr
    assert done.stderr.count("\n") == 1
    assert done.stdout == ""


def test_without_the_extra(monkeypatch):
    from click.testing import CliRunner

    from linkoracle.cli import studio

    monkeypatch.setattr(studio, "_NEEDED", ("starlette", "no_such_thing"))
    result = CliRunner().invoke(studio.studio, [])
    assert result.exit_code == 2
    assert "needs no_such_thing: pip install 'linkoracle[studio]'" in result.output


def test_a_task_is_done_and_the_next_one_ends_it(client):
    new = {"what": "new", "kind": "slitherlink", "rows": 5, "cols": 5, "seed": 1}
    endless = {**new, "kind": "numberlink", "rows": 30, "cols": 30, "pairs": 3}
    with client.websocket_connect(LIVE.replace("live", "making"), headers=ORIGIN) as socket:
        socket.send_json({"number": 1, "query": endless})
        assert socket.receive_json()["stage"] == "going"
        socket.send_json({"number": 2, "query": new})
        while (event := socket.receive_json())["stage"] in ("going", "shown"):
            pass
        assert (event["number"], event["stage"]) == (2, "made")
        assert puzzle_of(event["board"]).rows == 5


def test_the_page_gets_the_tasks_of_each_kind(client):
    offers = client.get(f"{PAGE}/about").json()["offers"]
    assert offers["catalogue"] is None
    assert offers["grades"] == ["any", *GRADES, UNGRADED]
    limits = {"side": 60, "cells": 2500, "bytes": MAX_BODY, "seconds": 600, "grade": 10.0}
    assert offers["limits"] == limits
    page = client.get(f"{PAGE}/").text
    inputs = re.findall(r'<input id="([\w-]+)" type="number"[^>]*>', page)
    limited = dict(re.findall(r'<input id="([\w-]+)" type="number"[^>]* data-most="(\w+)"', page))
    assert limited.keys() == {*inputs}
    assert {*limited.values()} <= limits.keys()
    offered = {kind["name"]: kind["making"] for kind in client.get(f"{PAGE}/about").json()["kinds"]}
    assert all("new" in tasks for tasks in offered.values())
