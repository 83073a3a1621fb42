"""The studio and Chromium, for the programs and tests that look at its page."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.client import HTTPConnection
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple
from urllib.parse import urlsplit

FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking"]


def chromium() -> str | None:
    """Return the path of Chromium: from ``CHROMIUM``, else from the search path."""
    return os.environ.get("CHROMIUM") or shutil.which("chromium")


class Opened(NamedTuple):
    """A page of the studio: its address, and the cookie with which every browser may open it."""

    address: str
    cookie: str

    def at(self, fragment: str) -> Opened:
        """Return the page with another fragment."""
        return self._replace(address=f"{self.address.partition('#')[0]}#{fragment}")

    def open_in(self, page: Any) -> None:
        """Open the page in a tab of Playwright."""
        name, _, value = self.cookie.partition("=")
        url = self.address.partition("#")[0]
        page.context.add_cookies([{"name": name, "value": value, "url": url}])
        page.goto(self.address)


def exchanged(address: str) -> Opened:
    """Exchange an address that linkoracle printed for that of the page, and its cookie."""
    parts = urlsplit(address)
    connection = HTTPConnection(parts.netloc)
    connection.request("GET", parts.path)
    answer = connection.getresponse()
    cookie = (answer.headers["set-cookie"] or "").partition(";")[0]
    return Opened(f"http://{parts.netloc}{answer.headers['location']}", cookie)


@contextmanager
def served(*arguments: str) -> Iterator[tuple[subprocess.Popen[str], Opened]]:
    """Start a process that serves the page; yield the process and its page."""
    program = [sys.executable, "-m", "linkoracle", "studio", "--no-browser", *arguments]
    with subprocess.Popen(program, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        try:
            yield process, exchanged(process.stdout.readline().strip())
        finally:
            process.kill()


@contextmanager
def launched(*flags: str) -> Iterator[Any]:
    """Launch Chromium by Playwright with these additional flags; ``RuntimeError`` without it."""
    from playwright.sync_api import sync_playwright

    path = chromium()
    if path is None:
        raise RuntimeError("no chromium on the path (set CHROMIUM)")
    with sync_playwright() as running:
        browser = running.chromium.launch(executable_path=path, args=[*FLAGS, *flags])
        try:
            yield browser
        finally:
            browser.close()


@contextmanager
def joined(kind: Any, *flags: str) -> Iterator[Callable[[], Any]]:
    """Start Chromium by itself, and yield a function that joins it and returns its page.

    Playwright (``kind`` is its ``BrowserType``) disconnects before it connects again. Then
    Chromium drops the copies of loaded files that it keeps while a program inspects it.
    """
    with TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        options = ["--headless", "--remote-debugging-port=0", f"--user-data-dir={folder}"]
        program = [chromium(), *options, *FLAGS, *flags, "about:blank"]
        browser: Any = None

        def join() -> Any:
            nonlocal browser
            if browser:
                browser.close()
            browser = kind.connect_over_cdp(f"http://127.0.0.1:{port}")
            return browser.contexts[0].pages[0]

        with subprocess.Popen(program, stderr=subprocess.DEVNULL) as process:
            try:
                port_file = Path(folder, "DevToolsActivePort")
                while not port_file.exists() or "\n" not in port_file.read_text():
                    if process.poll() is not None:
                        raise RuntimeError("chromium has ended")
                    time.sleep(0.1)
                port = port_file.read_text().split()[0]
                yield join
            finally:
                process.terminate()


def family(pid: int) -> dict[int, int]:
    """Return a process and those that it started, each with its bytes."""
    listed = subprocess.run(["ps", "-eo", "pid,ppid,rss"], capture_output=True, text=True)
    rows = [tuple(map(int, line.split())) for line in listed.stdout.splitlines()[1:]]
    found = {pid}
    while more := {one for one, parent, _ in rows if parent in found} - found:
        found |= more
    return {one: 1024 * size for one, _, size in rows if one in found}


def renderer_memory() -> int:
    """Return the largest proportional set size of a renderer that this process started, in MB."""
    found = [0]
    for process in family(os.getpid()):
        try:
            if b"--type=renderer" in Path(f"/proc/{process}/cmdline").read_bytes():
                text = Path(f"/proc/{process}/smaps_rollup").read_text()
                found.append(int(text.split("Pss:")[1].split()[0]) // 1024)
        except OSError:
            continue
    return max(found)
