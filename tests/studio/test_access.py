"""Tokens outlive a server, unless other users could have read them."""

from __future__ import annotations

import os
import stat
import time
from pathlib import Path

import pytest

from linkoracle.studio import access


@pytest.fixture
def state(tmp_path, monkeypatch) -> Path:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    return tmp_path / "linkoracle" / "studio-9000.token"


def test_a_port_keeps_its_token_for_its_user_alone(state):
    token = access.kept(9000)
    assert access.kept(9000) == token
    assert access.kept(9001) != token
    assert state.read_text() == token
    assert stat.S_IMODE(state.stat().st_mode) == 0o600
    assert stat.S_IMODE(state.parent.stat().st_mode) == 0o700


@pytest.mark.parametrize("text", ["", "short", "a" * 21 + "/", "a" * 23, "é" * 22])
def test_an_invalid_token_is_not_used(state, text):
    state.parent.mkdir()
    state.write_text(text)
    state.chmod(0o600)
    assert access.kept(9000) != text
    assert state.read_text() == access.kept(9000)


@pytest.mark.skipif(os.name != "posix", reason="needs permissions as Unix has them")
def test_a_token_that_others_may_read_is_replaced(state):
    token = access.kept(9000)
    state.chmod(0o640)
    other = access.kept(9000)
    assert other != token
    assert stat.S_IMODE(state.stat().st_mode) == 0o600


def test_an_old_token_is_replaced(state):
    token = access.kept(9000)
    week = time.time() - 8 * 24 * 3600
    os.utime(state, (week, week))
    assert access.kept(9000) != token


def test_there_is_a_token_even_if_it_cannot_be_stored(tmp_path, monkeypatch):
    file = tmp_path / "file"
    file.write_text("")
    monkeypatch.setenv("XDG_STATE_HOME", str(file))
    assert len(access.kept(9000)) == 22


def test_a_code_is_valid_once_and_for_its_time():
    now = 0.0
    codes = access.Codes(lambda: now)
    first, brief, late = codes.new(), codes.new(10), codes.new(10)
    assert len({first, brief, late}) == 3
    now = 10
    assert codes.redeem(brief)
    now = 10.5
    assert not codes.redeem(late)
    assert codes.redeem(first)
    for code in (first, brief, late, "", "other"):
        assert not codes.redeem(code)


def test_path_and_proof_do_not_tell_the_token():
    token = access.fresh()
    path = access.path_of(token)
    assert token not in path
    assert access.path_of(token) == path != access.path_of(access.fresh())
    # The proof for a nonce that a stranger chooses is not the path.
    assert not access.proof(path, "path").startswith(path)
