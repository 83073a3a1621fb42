"""Files of runs that another program changed: refused in one line, or they change no number."""

from __future__ import annotations

import json

import numpy as np
import pytest
from click.testing import CliRunner

from linkoracle.batch.runs import _HEADER
from linkoracle.census import instances
from linkoracle.cli.main import main
from linkoracle.core import RunError
from tests.census.tampering import (
    ARRAYS,
    changed_shapes,
    changed_types,
    changed_values,
    is_same,
    written,
)

BOARD = 3, 3
#: A prime, so that the values that are changed stand in every column.
FEW = 17


class StopHere(Exception):
    pass


def stop(line, share):
    if line.startswith("cell 5 "):
        raise StopHere


@pytest.fixture(scope="module", params=["half", "whole"])
def sound(request, tmp_path_factory):
    """A file of a pass, stopped half-way or finished, as NumPy reads it."""
    path = tmp_path_factory.mktemp("sound") / "pass.npz"
    if request.param == "whole":
        instances(*BOARD, checkpoint=path)
    else:
        with pytest.raises(StopHere):
            instances(*BOARD, checkpoint=path, progress=stop)
    with np.load(path) as file:
        return dict(file)


@pytest.fixture(scope="module")
def totals():
    return instances(*BOARD).by_pairs()


def is_refused(path, totals):
    """Whether the file is refused; if not, it has to give the totals."""
    before = path.read_bytes()
    try:
        found = instances(*BOARD, checkpoint=path, resume=True).by_pairs()
    except RunError as error:
        refused = str(error)
    else:
        assert found == totals
        return False
    assert str(path) in refused
    assert "\n" not in refused
    assert path.read_bytes() == before
    return True


@pytest.mark.parametrize("every", [FEW, pytest.param(1, marks=pytest.mark.heavy)])
@pytest.mark.parametrize("name", ARRAYS)
def test_a_changed_value_is_refused(sound, totals, tmp_path, name, every):
    for other in changed_values(sound[name], every):
        assert is_refused(written(tmp_path / "pass.npz", {**sound, name: other}), totals)


@pytest.mark.parametrize("name", ARRAYS)
def test_another_shape_or_type_is_refused(sound, totals, tmp_path, name):
    before = sound[name]
    for other in (*changed_shapes(before), *changed_types(before)):
        path = written(tmp_path / "pass.npz", {**sound, name: other})
        assert is_refused(path, totals) != is_same(other, before), (other.dtype, other.shape)


@pytest.mark.parametrize("name", [*ARRAYS, _HEADER])
def test_arrays_that_change_places_or_are_missing(sound, totals, tmp_path, name):
    path = tmp_path / "pass.npz"
    for other in sound:
        if other != name:
            swapped = {**sound, name: sound[other], other: sound[name]}
            assert is_refused(written(path, swapped), totals), other
    assert is_refused(written(path, {one: sound[one] for one in sound if one != name}), totals)
    assert is_refused(written(path, {**sound, "more": sound[name]}), totals)


def test_bytes_that_are_changed_or_cut(sound, totals, tmp_path):
    path = tmp_path / "pass.npz"
    content = written(path, sound).read_bytes()
    assert not is_refused(path, totals)
    for place in range(0, len(content), max(FEW, len(content) // 150)):
        path.write_bytes(content[:place] + bytes([content[place] ^ 255]) + content[place + 1 :])
        is_refused(path, totals)
        path.write_bytes(content[:place])
        assert is_refused(path, totals)


@pytest.mark.parametrize(
    ("stamp", "said"),
    [
        ({"format": None}, "begun with format = nothing, which is now 2"),
        ({"format": "3"}, "begun with format = 3, which is now 2"),
        ({"checksum": None}, "its checksum does not match"),
        ({"checksum": "0" * 64}, "its checksum does not match"),
        ({"checksum": []}, "its checksum does not match"),
        ({"rows": "4"}, "begun with rows = 4, which is now 3"),
        ({"more": "4"}, "begun with more = 4, which is now nothing"),
    ],
)
def test_a_changed_stamp_is_refused_with_status_2(sound, tmp_path, stamp, said):
    whole = {**json.loads(str(sound[_HEADER])), **stamp}
    text = json.dumps({name: value for name, value in whole.items() if value is not None})
    path = written(tmp_path / "pass.npz", {**sound, _HEADER: np.array(text)})
    arguments = ["census", "numberlink", "3", "3", "--resume", "--checkpoint", str(path)]
    done = CliRunner().invoke(main, arguments)
    assert (done.exit_code, done.stdout) == (2, "")
    (line,) = done.stderr.splitlines()
    assert str(path) in line
    assert said in line


@pytest.mark.parametrize("text", ["[]", "7", "null", "", "[" * 100_000, '"a"', "[[1, 2, 3]]"])
def test_a_stamp_that_is_none(sound, totals, tmp_path, text):
    assert is_refused(written(tmp_path / "pass.npz", {**sound, _HEADER: np.array(text)}), totals)
