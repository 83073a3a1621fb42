"""Folders of data sets: the same bytes however they are made, no puzzle twice, all proved."""

import base64
import json
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from linkoracle import count_result, read
from linkoracle.batch import Processes
from linkoracle.certificates import record_of, verify_certificate
from linkoracle.core import NothingFound, RunError
from linkoracle.dataset import (
    SCHEMA,
    DataSet,
    hashes_in,
    json_schema,
    key_of,
    write_dataset,
)
from tests.workers import Program

DATA = DataSet(["slitherlink", "masyu"], ["5x5", "6x6"], count=4, seed=3)
ARGUMENTS = ["--kinds", "slitherlink,masyu", "--sizes", "5x5,6x6", "--count", "4", "--seed", "3"]


def contents(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in sorted(folder.iterdir())}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A data set in shards of three triples."""
    made = tmp_path_factory.mktemp("data") / "set"
    write_dataset(DATA, made, shard=3)
    return made


@pytest.fixture(scope="module")
def records(folder: Path) -> list[dict]:
    files = sorted(folder.glob("*.jsonl"))
    return [json.loads(line) for path in files for line in path.read_text().splitlines()]


def run(folder: Path, *more: str, **how: object) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "linkoracle", "dataset", str(folder), *ARGUMENTS, *more]
    return subprocess.run(command, capture_output=True, text=True, **how)  # type: ignore[call-overload]


def test_shards(folder: Path, records: list[dict]) -> None:
    names = [f"{k}-{s}-0000{n}.jsonl" for k in DATA.kinds for s in DATA.sizes for n in (0, 1)]
    others = {"dataset.json", "schema.json", "README.md", "SHA256SUMS"}
    assert contents(folder).keys() == {*names} | others
    assert len(records) == 3 * 4 * 4
    assert len({one["id"] for one in records}) == len(records)


def fits(value: object, of: object) -> bool:
    if isinstance(of, list):
        return isinstance(value, list) and all(fits(one, of[0]) for one in value)
    if isinstance(of, dict):
        same = isinstance(value, dict) and [*value] == [*of]
        return same and all(fits(value[name], one) for name, one in of.items())
    return type(value) is {"int": int, "string": str}[of]


def test_all_records_have_the_same_types(records: list[dict]) -> None:
    assert all(fits(one, SCHEMA) for one in records)
    assert [*json.loads(json_schema())["properties"]] == [*SCHEMA]


SAMPLE = Path(__file__).resolve().parents[2] / "instances/dataset/sample.jsonl"


def test_every_claim_is_true_and_proved(records: list[dict]) -> None:
    """The lone verifier accepts each proof of the record's puzzle; the plain engine counts."""
    shipped = [json.loads(line) for line in SAMPLE.read_text(encoding="utf-8").splitlines()]
    assert len(shipped) > 200
    for one in records + shipped:
        puzzle = read(one["puzzle"])
        assert read(one["json"]) == puzzle
        # At puzz.link, numbers of regions stand in their first cells.
        assert not one["url"] or read(one["url"]).model == puzzle.model
        given = verify_certificate.Puzzle(record_of(puzzle))
        _, number, _ = verify_certificate.verify(base64.b64decode(one["proof"]), given)
        assert number == {"unique": 1, "none": 0, "two": 2}[one["status"]]
        assert number == len(one["solutions"]) == count_result(puzzle, 3, engine="plain").count
        assert (one["score"] >= 0) == (one["status"] == "unique") == bool(one["label"])
        assert one["path"]


def test_no_puzzle_twice(records: list[dict]) -> None:
    keys = [one["hash"] for one in records]
    assert len({*keys}) == len(keys)
    assert keys == [key_of(read(one["puzzle"])) for one in records]


def test_a_triple_is_in_one_split(records: list[dict]) -> None:
    for one, two, three in zip(*(records[part::3] for part in range(3)), strict=True):
        assert one["group"] == two["group"] == three["group"]
        assert one["splits"] == two["splits"] == three["splits"]
        assert {one["id"], two["id"]} == {*three["twins"]}
        assert one["splits"]["size"] == ("test" if one["size"] == "6x6" else "train")
        assert one["splits"]["kind"] == "train"
    assert {one["splits"]["hash"] for one in records} <= {"train", "validation", "test"}


def test_same_bytes_in_processes(folder: Path, tmp_path: Path) -> None:
    with Processes(2) as executor:
        write_dataset(DATA, tmp_path / "other", shard=3, executor=executor)
    assert contents(tmp_path / "other") == contents(folder)


def test_same_bytes_after_damage(folder: Path, tmp_path: Path) -> None:
    """A run that ended anywhere goes on: in the middle of a line, of a triple, of a shard."""
    for cut in (0, 1, 1000, -1, 30_000):
        copy = tmp_path / f"cut{cut}"
        copy.mkdir()
        for name, data in contents(folder).items():
            if name == "masyu-5x5-00000.jsonl":
                (copy / f"{name}.part").write_bytes(data[:cut])
            elif name == "dataset.json" or name < "masyu-5x5":
                (copy / name).write_bytes(data)
        write_dataset(DATA, copy, shard=3, resume=True)
        assert contents(copy) == contents(folder)


@pytest.mark.parametrize("times", [3, pytest.param(50, marks=pytest.mark.heavy)])
def test_same_bytes_after_kills(folder: Path, tmp_path: Path, times: int) -> None:
    target = tmp_path / "killed"
    command = [sys.executable, "-m", "linkoracle", "dataset", str(target), *ARGUMENTS]
    command += ["--shard", "3", "--jobs", "1", "--resume"]
    for number in range(times):
        with Program(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as job:
            before = sum(path.stat().st_size for path in target.iterdir()) if number else 0
            for _ in range(600):
                time.sleep(0.02)
                found = [*target.glob("*.jsonl*")] if target.exists() else []
                if job.poll() is not None or sum(p.stat().st_size for p in found) > before:
                    break
            job.send_signal(signal.SIGKILL)
    assert run(target, "--shard", "3", "--resume").returncode == 0
    assert contents(target) == contents(folder)


def test_other_requests_are_refused(folder: Path, tmp_path: Path) -> None:
    with pytest.raises(RunError, match="holds a data set"):
        write_dataset(DATA, folder, shard=3)
    other = DataSet(DATA.kinds, DATA.sizes, count=4, seed=4)
    with pytest.raises(RunError, match="begun with seed = 3, which is now 4"):
        write_dataset(other, folder, shard=3, resume=True)
    (tmp_path / "mine.txt").write_text("mine")
    with pytest.raises(RunError, match="expected a new or an empty folder"):
        write_dataset(DATA, tmp_path)
    assert [*contents(tmp_path)] == ["mine.txt"]


def test_small_boards_run_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("linkoracle.dataset.making._MOST_IN_VAIN", 20)
    data = DataSet(["slitherlink"], ["2x2"], count=1000, least_steps=0)
    with pytest.raises(NothingFound, match="attempts in turn gave no new triple"):
        for _ in data.triples("slitherlink", "2x2"):
            pass


def test_puzzles_to_avoid(folder: Path, records: list[dict], tmp_path: Path) -> None:
    """Of files and folders, and of data sets; up to symmetry."""
    one = next(one for one in records if one["kind"] == "masyu" and one["size"] == "6x6")
    (tmp_path / "mine.txt").write_text(one["puzzle"])
    avoid = hashes_in([tmp_path / "mine.txt"])
    assert avoid == {one["hash"]} == hashes_in([tmp_path])
    assert hashes_in([folder / "masyu-6x6-00000.jsonl"]) > avoid
    data = DataSet(["masyu"], ["6x6"], count=1, seed=3, avoid=avoid)
    assert next(data.triples("masyu", "6x6"))[0]["number"] > one["number"]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"kinds": []}, "at least one kind"),
        ({"kinds": ["chess"]}, "chess"),
        ({"sizes": ["6by6"]}, "expected a board out of"),
        ({"kinds": ["grandtour"]}, "no loop visits every dot"),
        ({"count": 0}, "a number of triples"),
        ({"differ": "much"}, "how two solutions differ"),
        ({"test_sizes": ["9x9"]}, "expected a test size out of 6x6, got '9x9'"),
        ({"options": {"difficulty": "silly"}}, "silly"),
    ],
)
def test_what_cannot_be_made(options: dict, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        DataSet(**{"kinds": ["masyu"], "sizes": ["6x6"], **options})


def test_command_line_errors(tmp_path: Path) -> None:
    for more, message, status in (
        (("--kinds", "chess"), "chess", 2),
        (("--sizes", "0x6"), "rows", 2),
        (("--avoid", str(tmp_path / "none")), "no such file", 2),
    ):
        found = run(tmp_path / "out", *more)
        assert (found.returncode, found.stdout) == (status, "")
        assert message in found.stderr
        assert "Traceback" not in found.stderr
        assert not (tmp_path / "out").exists()


def test_path_wishes_reach_the_puzzles() -> None:
    data = DataSet(["yajilin"], ["6x6"], seed=1, options={"no_trial": True, "steps": (1, 25)})
    one = next(data.triples("yajilin", "6x6"))[0]
    assert len(one["path"]) <= 25
    assert "trial" not in {step["technique"] for step in one["path"]}
    assert one["splits"]["path"] in ("train", "test")


def test_tables(tmp_path: Path) -> None:
    """Apache Parquet has the same rows, also after an interruption."""
    parquet = pytest.importorskip("pyarrow.parquet")
    data = DataSet(["masyu"], ["5x5"], count=3, seed=3)
    write_dataset(data, tmp_path / "lines", shard=2)
    write_dataset(data, tmp_path / "tables", shard=2, file_format="parquet")
    lines = sorted((tmp_path / "lines").glob("*.jsonl"))
    rows = [json.loads(line) for path in lines for line in path.read_text().splitlines()]
    tables = sorted((tmp_path / "tables").glob("*.parquet"))
    assert [row for path in tables for row in parquet.read_table(path).to_pylist()] == rows
    tables[-1].unlink()
    write_dataset(data, tmp_path / "tables", shard=2, file_format="parquet", resume=True)
    assert [row for path in tables for row in parquet.read_table(path).to_pylist()] == rows


def test_other_libraries_read_it(folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """As docs/how-to/datasets.md shows."""
    pytest.importorskip("datasets", reason="datasets is not installed")
    page = Path(__file__).parents[2] / "docs" / "how-to" / "datasets.md"
    (program,) = re.findall(r"^```python\n(.*?)^```", page.read_text("utf-8"), re.M | re.S)
    (tmp_path / "data").symlink_to(folder)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HF_HOME", str(tmp_path / "cache"))
    names: dict = {}
    exec(compile(program, "datasets.md", "exec"), names)
    assert len(names["puzzles"]) == 3 * 4 * 4
    assert {one["splits"]["hash"] for one in names["training"]} == {"train"}
