"""The page keeps its boards over reloads and restarts, separately in each tab."""

from __future__ import annotations

from urllib.parse import quote, urlsplit

import pytest
from scripts.studio_browser import served

from linkoracle import Slitherlink, read_file, write
from tests.studio.page import Page, Player, free_port

pytestmark = pytest.mark.browser
UNIQUE = Slitherlink([[3, 3], [1, 1]])


def test_a_link_opens_a_puzzle_and_a_reload_keeps_what_became_of_it(browser):
    with served("instances/slitherlink-7x7.txt") as (_, address):
        context = browser.new_context()
        page = Page(context.new_page(), address)
        expected = read_file("instances/slitherlink-7x7.txt")
        assert page.puzzle == expected
        assert page.status == "One solution"
        page.keys("3", "ArrowRight", "2")
        changed = page.puzzle
        assert changed != expected
        page.page.reload()
        page.until(lambda: "ready" in page.data())
        assert page.puzzle == changed
        page.page.goto(address.at(quote(write(UNIQUE, "pzpr"))).address)
        page.until(lambda: page.puzzle == UNIQUE)
        assert page.errors == []
        context.close()


def test_undo_and_redo_survive_a_reload(page):
    page.size(2, 2)
    page.keys("3", "ArrowRight", "3", "ArrowDown", "1", "Control+z")
    page.reload()
    page.keys("Control+z")
    assert page.shown == [3, None, None, None]
    page.keys("Control+y", "Control+y")
    assert page.shown == [3, 3, None, 1]
    page.reload()
    page.keys(*["Control+z"] * 5)
    assert page.shown == [None] * 49


def test_the_page_finds_its_server_again_and_nothing_is_lost(browser):
    context = browser.new_context()
    port = free_port()
    with served("--port", port) as (process, address):
        page = Page(context.new_page(), address)
        page.open(write(UNIQUE, "text"))
        page.wait_for_answer()
        process.kill()
        process.wait()
        page.until(lambda: "No connection" in page.text("#message"))
        page.click(1)
        page.keys("2")
        page.page.click("#copy-json")
        page.until(lambda: "no connection" in page.text("#message"))
    with served("--port", port) as (_, again):
        assert again == address
        page.wait_for_answer()
        assert page.shown == [3, 2, 1, 1]
        assert page.text("#message") == ""
        page.keys("Control+z")
        assert page.status == "One solution"
        page.page.click("#play")
        Player(page).wait_for_answer()
    context.close()


def test_a_player_goes_on_after_the_server_was_killed(browser):
    context = browser.new_context()
    port = free_port()
    with served("--port", port) as (process, address):
        page = Page(context.new_page(), address)
        player = Player(page)
        player.play(UNIQUE)
        process.kill()
        process.wait()
        player.click_edge(0)
        page.page.click("#play-check")
    with served("--port", port) as (_, _):
        player.wait_for_answer()
        assert player.text("#play-message") == "No mistakes so far."
        page.page.wait_for_selector("#play-next.ready")
    context.close()


def test_playing_begins_while_the_server_is_away(browser):
    context = browser.new_context()
    port = free_port()
    with served("--port", port) as (process, address):
        page = Page(context.new_page(), address)
        player = Player(page)
        page.open(write(UNIQUE, "text"))
        process.kill()
        process.wait()
        page.until(lambda: "No connection" in page.text("#message"))
        page.page.click("#play")
        player.click_edge(0)
        assert player.lines() == {0}
    with served("--port", port) as (_, _):
        player.wait_for_answer()
        page.page.click("#play-check")
        player.wait_for_answer()
        assert player.text("#play-message") == "No mistakes so far."
    context.close()


def test_a_server_with_another_token_gets_nothing(browser, monkeypatch, tmp_path):
    context = browser.new_context()
    port = free_port()
    with served("--port", port) as (process, address):
        page = Page(context.new_page(), address)
        page.open(write(UNIQUE, "text"))
        requests = []
        page.page.on("request", lambda request: requests.append(request))
        process.kill()
        process.wait()
        page.until(lambda: "No connection" in page.text("#message"))
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    with served("--port", port) as (_, other):
        assert other != address
        page.until(lambda: "open the address that it prints" in page.text("#message"))
        path = urlsplit(address.address).path
        token = address.cookie.partition("=")[2]
        assert requests
        sent = [
            request
            for request in requests
            if path in request.url or token in repr(request.all_headers())
        ]
        assert sent == []
        again = Page(context.new_page(), other)
        assert again.shown == [3, 3, 1, 1]
    context.close()


def test_two_tabs_have_a_board_each(browser, address):
    context = browser.new_context()
    one = Page(context.new_page(), address)
    one.size(2, 2)
    one.keys("3")
    other = Page(context.new_page(), address)
    assert other.shown == one.shown == [3, None, None, None]
    other.keys("ArrowRight", "2")
    one.keys("ArrowDown", "1")
    for page in (one, other):
        page.reload()
    assert one.shown == [3, None, 1, None]
    assert other.shown == [3, 2, None, None]
    one.keys("Control+z", "Control+z")
    assert one.shown == [None] * 4
    assert other.shown == [3, 2, None, None]
    # A new tab begins with the board that was changed last.
    assert Page(context.new_page(), address).shown == [None] * 4
    for page in (one, other):
        assert page.errors == []
    context.close()


def test_two_players_of_a_puzzle_do_not_disturb_each_other(browser, address):
    context = browser.new_context()
    players = [Player(Page(context.new_page(), address)) for _ in range(2)]
    for edge, player in enumerate(players):
        player.play(UNIQUE)
        if edge:
            # The new tab begins where the other one was.
            assert player.lines() == {0}
        player.click_edge(4 * edge)
    for player, lines in zip(players, ({0}, {0, 4}), strict=True):
        player.page.reload()
        assert player.lines() == lines
        assert player.page.errors == []
    context.close()
