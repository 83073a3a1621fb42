"""The studio's page without a server: its answers, what it makes, certificates, cancelling."""

from __future__ import annotations

import gzip
import json
import re
import subprocess
import sys
import time
from collections import Counter
from itertools import islice
from pathlib import Path

import pytest
from scripts.bench_site import ASK

import linkoracle
from linkoracle import Slitherlink, boards
from linkoracle.certificates import verify_certificate
from linkoracle.kinds import KINDS
from linkoracle.studio.analysis import BoardAnalysis
from linkoracle.studio.boards import board_of, puzzle_of
from linkoracle.studio.tasks import Limits
from tests.site.conftest import SITE

pytestmark = pytest.mark.browser

#: A board of 10x10 cells, whose verdict is unique.
KNOWN = linkoracle.generate.slitherlink(10, 10, seed=4).puzzle
SLOW = 90_000


def until(holds, tries: int = 900) -> None:
    """Wait; the policy of the page allows no functions as text, by which Playwright waits."""
    for _ in range(tries):
        if holds():
            return
        time.sleep(0.1)
    pytest.fail("nothing happened")


def said(page, pattern: str) -> None:
    """Wait until the page says something."""
    until(lambda: re.search(pattern, page.inner_text("#message")))


def opened(page, puzzle) -> None:
    page.fill("#text", linkoracle.write(puzzle, "json"))
    page.evaluate("document.getElementById('message').textContent = ''")
    page.click("#open")
    said(page, "^Opened")


def answered(page) -> str:
    """Return the class of the status once the newest board is answered completely."""
    until(
        lambda: page.evaluate(
            "(({done, query}) => Boolean(done) && done === query)(document.body.dataset)"
        )
    )
    return page.locator("#status").get_attribute("class")


def of_kind(stages, name):
    return next(stage for stage in stages if stage["stage"] == name)


def test_a_board_is_answered_and_each_change_of_it(page):
    opened(page, KNOWN)
    assert answered(page) == "unique"
    clues = [*KNOWN.clue_cells()]
    cell = clues[0][0]
    opened(page, KNOWN.with_clues({cell: None}))
    status = linkoracle.decide(KNOWN.with_clues({cell: None})).status
    assert answered(page) == status
    others = (KNOWN.with_clues({cell: (clue + 1) % 4}) for cell, clue in clues)
    opened(page, next(one for one in others if linkoracle.decide(one).status == "none"))
    assert answered(page) == "none"
    assert "conflicting clues" in page.inner_text("#detail")
    page.click("#undo")
    assert answered(page) == status


def test_what_needs_an_installation_is_not_shown(page):
    assert "installed studio" in page.inner_text("#alone")
    for hidden in ("#make-mask", "#grade", "#save-pdf", "#catalogue-tools"):
        assert page.locator(hidden).is_hidden(), hidden
    for shown in ("#make-new", "#make-thin", "#make-add", "#copy-pzpr", "#save-svg"):
        assert page.locator(shown).is_visible(), shown
    page.click("#play")
    assert page.locator("#play-hint").is_hidden()
    assert page.locator("#play-check").is_visible()


def test_puzzles_are_made_and_thinned_in_the_tab(put):
    task = {"what": "new", "kind": "slitherlink", "rows": 7, "cols": 7, "seed": 3}
    made = of_kind(put("making", task), "made")
    puzzle = puzzle_of(made["board"])
    assert linkoracle.decide(puzzle).unique
    assert not linkoracle.Session(puzzle).redundant()
    task = {"what": "new", "kind": "masyu", "rows": 6, "cols": 6, "seed": 3}
    made = of_kind(put("making", task), "made")
    assert linkoracle.decide(puzzle_of(made["board"])).unique
    task = {"what": "add", "board": board_of(Slitherlink.blank(5, 5).with_clues({(0, 0): 3}))}
    made = of_kind(put("making", task), "made")
    found = puzzle_of(made["board"])
    assert found.grid[0][0] == 3
    assert linkoracle.decide(found).unique


def test_the_button_makes_a_new_puzzle(page):
    page.click("#make-new")
    page.wait_for_selector("#stop", state="hidden", timeout=SLOW)
    until(lambda: page.inner_text("#going"))
    assert answered(page) == "unique"


def test_certificates_are_verified_where_they_are_dropped(page):
    data = linkoracle.certificate(KNOWN).data
    drop = """(bytes) => {
      const files = new DataTransfer();
      files.items.add(new File([new Uint8Array(bytes)], "a.certificate"));
      document.dispatchEvent(new DragEvent("drop", {dataTransfer: files, cancelable: true}));
    }"""
    page.evaluate(drop, list(data))
    said(page, "verified: slitherlink .* exactly 1 solution")
    page.evaluate(drop, list(data[:-30] + bytes(30)))
    said(page, "refused")


def test_certificates_are_made_and_the_verifier_comes_along(page, tmp_path):
    opened(page, KNOWN)
    with page.expect_download() as waiting:
        page.click("#save-certificate")
    waiting.value.save_as(tmp_path / "made.certificate")
    with page.expect_download() as waiting:
        page.click("#save-verifier")
    waiting.value.save_as(tmp_path / "verifier.py")
    own = Path(verify_certificate.__file__)
    assert (tmp_path / "verifier.py").read_bytes() == own.read_bytes()
    done = subprocess.run(
        [sys.executable, "-I", "-S", tmp_path / "verifier.py", tmp_path / "made.certificate"],
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    assert "exactly 1 solution" in done.stdout


def test_what_is_not_wanted_any_more_ends_and_others_are_answered(bare, helpers):
    """A board of 12x12 cells without clues is counted for seconds; its count is left at once.

    So it calls for no second worker, which would take as much memory as the first.
    """
    stages = bare.evaluate(
        """async ([module, slow, quick]) => {
          const {Helpers} = await import(module);
          const helpers = new Helpers(), found = [];
          const ask = (board, hear) => helpers.ask("live", JSON.stringify(board), hear, true);
          await new Promise((resolve) => {
            ask(quick, ({stage}) => { if (stage === "done") resolve(); });
          });
          await new Promise((resolve) => {
            const job = ask(slow, async ({stage}) => {
              found.push(["slow", stage]);
              if (stage !== "forced") return;
              await new Promise((resolve) => setTimeout(resolve, 3500));
              helpers.drop(job);
              ask(quick, ({stage}) => {
                found.push(["quick", stage]);
                if (stage === "done") resolve();
              });
            });
          });
          return found;
        }""",
        [helpers, board_of(Slitherlink.blank(12, 12)), board_of(KNOWN)],
    )
    of_which = [which for which, _ in stages]
    assert of_which == sorted(of_which, reverse=True)
    assert ["slow", "done"] not in stages
    assert ["quick", "status"] in stages
    assert len(bare.workers) == 1


def test_a_second_worker_ends_while_the_first_goes_on(bare, helpers):
    """Of the half minute that it waits, the test waits half a second."""
    bare.evaluate(
        """() => {
          const {setTimeout} = window;
          window.setTimeout = (work, after) => setTimeout(work, after === 30000 ? 500 : after);
        }"""
    )
    known = [helpers, "live", [board_of(KNOWN)]]
    made = {"what": "new", "kind": "slitherlink", "rows": 5, "cols": 5}
    assert bare.evaluate(ASK, known)
    assert len(bare.workers) == 1
    assert bare.evaluate(ASK, [helpers, "making", [made]])[0][-1]["stage"] == "made"
    assert len(bare.workers) == 2
    until(lambda: bare.evaluate(ASK, known) and len(bare.workers) == 1)


def test_a_worker_that_does_not_end_is_replaced(bare, helpers):
    """In a browser that cannot suspend WebAssembly, a cancelled query ends the worker."""
    found = bare.evaluate(
        """async ([module, slow, quick]) => {
          const {Helpers} = await import(module);
          const helpers = new Helpers();
          const ask = (board) => new Promise((resolve) => {
            const job = helpers.ask("live", JSON.stringify(board), (stage) => {
              if (["status", "lost"].includes(stage.stage)) resolve([stage.status, job]);
            }, true);
          });
          const [, job] = await ask(slow);
          // It hears of nothing and does not end: as if it could not be interrupted.
          const {worker} = job.helper, hear = worker.onmessage;
          worker.postMessage = () => {};
          worker.onmessage = (event) => { if (!event.data.ended) hear(event); };
          helpers.drop(job);
          const [status] = await ask(quick);
          return [status, job.ended ?? false];
        }""",
        [helpers, board_of(Slitherlink.blank(12, 12)), board_of(KNOWN)],
    )
    assert found == ["unique", False]


def test_other_pages_ask_by_a_module(context, address):
    page = context.new_page()
    page.goto(f"{address}example.html")
    page.click("#ask")
    page.wait_for_selector("#picture svg", timeout=SLOW)
    assert page.inner_text("#answer") == "many: exactly 14"
    puzzle = linkoracle.write(Slitherlink([[3, 3], [1, 1]]), "text")
    found = page.evaluate(
        """async (puzzle) => {
          const {open} = await import("./linkoracle.js");
          const session = await open(puzzle);
          const fewer = {clues: [[0, 0, null], [0, 1, null], [1, 0, null]]};
          const found = [
            await session.ask(), await session.ask(fewer),
            await session.count({limit: 5, ...fewer}), await session.implies([0, 0]),
            await session.core({clues: [[0, 0, 4], [1, 0, 4]]}),
            await session.forced(), await session.reduce({seed: 1}), await session.undo(),
            await session.set({edges: [[[0, 0], [0, 1], true]]}), await session.write("pzpr"),
          ];
          const stopped = new AbortController();
          stopped.abort(new Error("stopped"));
          for (const wrong of [() => session.ask({clues: [[9, 9, 1]]}), () => open("nothing"),
            () => session.ask({signal: stopped.signal})]) {
            found.push(await wrong().catch((error) => error.message));
          }
          await session.close();
          found.push(await session.ask().catch((error) => error.message));
          return found;
        }""",
        puzzle,
    )
    first, fewer, count, implied, core, forced, reduced, undone, state, url, *errors = found
    assert (first["status"], len(first["solutions"])) == ("unique", 1)
    assert (fewer["status"], implied) == ("many", {"implied": True})
    session = linkoracle.Session(Slitherlink([[None, None], [None, 1]]))
    exact = session.count(limit=5)
    assert count == {"count": exact.count, "exact": exact.exact}
    assert core["minimal"]
    held = {(row, col): clue for row, col, clue in core["core"]["clues"]}
    assert len(held) > 1
    assert linkoracle.decide(Slitherlink.blank(2, 2).with_clues(held)).status == "none"
    only = linkoracle.solve(Slitherlink([[3, 3], [1, 1]]))
    assert len(forced["lines"]) == len(only)
    assert reduced["minimal"]
    assert len(reduced["clues"]) < 4 == len(undone["clues"])
    assert state["edges"] == [[[0, 0], [0, 1], True]]
    assert url == linkoracle.write(Slitherlink([[3, 3], [1, 1]]), "pzpr")
    assert "9" in errors[0]
    assert all(errors)
    assert errors[2:] == ["stopped", "this session is not open"]
    page.close()


#: Kinds whose published boards are compared, and tilings.
COMPARED = ("slitherlink", "masyu", "yajilin", "numberlink", "countryroad", "castlewall")
TILINGS = ("honeycomb 5 5", "cairo 5 5", "kagome 4 4")


def published(kind: str, number: int):
    """Boards of a kind up to 10x10 as published, every other one without one of its clues."""
    from tests.kinds.corpora import CORPUS, records

    if not CORPUS.exists():
        pytest.skip("no published puzzles beside the repository")
    small = (one.puzzle for one in records(kind) if max(one.puzzle.rows, one.puzzle.cols) <= 10)
    for at, puzzle in enumerate(islice(small, number)):
        cells = [cell for cell, _ in puzzle.clue_cells()]
        fewer = at % 2 and cells and not KINDS[kind].letters
        yield puzzle.with_clues({cells[at % len(cells)]: None}) if fewer else puzzle


def on_tilings(number: int):
    """Made Slitherlinks on each tiling; of three, one is unique, one has more, one no solution."""
    for words in TILINGS:
        for seed in range(number):
            puzzle = linkoracle.generate.slitherlink(boards.named(words), seed=seed).puzzle
            face, clue = [*puzzle.clue_cells()][seed]
            yield puzzle.with_clues({face: [clue, None, (clue + 1) % 3][seed % 3]})


def compare(put, puzzle) -> str:
    """Check that the tab and the installed studio give the same answers; return the status.

    If there is no solution, the conflicting clues of the tab must contradict each other.
    """
    expected = []
    BoardAnalysis(Limits(grade=0)).answer(board_of(puzzle), expected.append)
    stages = put("live", board_of(puzzle))
    found, known = ({one["stage"]: one for one in some} for some in (stages, expected))
    status = known["status"]["status"]
    for stage in ("status", "redundant", "why"):
        assert found.get(stage) == known.get(stage)
    if status != "none":
        for edges in ("lines", "crosses"):
            assert found["forced"][edges] == known["forced"][edges]
    elif "conflict" in known:
        kept = {
            (cell if puzzle.tiling else divmod(cell, puzzle.cols))
            for cell in found["conflict"]["cells"]
        }
        gone = {cell: None for cell, _ in puzzle.clue_cells() if cell not in kept}
        assert linkoracle.decide(puzzle.with_clues(gone)).status == "none"
    if "count" in known and known["count"]["exact"] and int(known["count"]["count"]) <= 200:
        assert found["count"]["count"] == known["count"]["count"]
    return status


@pytest.mark.parametrize("kind", COMPARED)
@pytest.mark.parametrize(
    "number", [2, pytest.param(36, marks=pytest.mark.heavy)], ids=["some", "two-hundred"]
)
def test_published_boards_have_the_answers_of_the_installed_studio(put, number, kind):
    found = Counter(compare(put, puzzle) for puzzle in published(kind, number))
    print(kind, dict(found))
    assert found.total() > 1


@pytest.mark.parametrize(
    "number", [2, pytest.param(7, marks=pytest.mark.heavy)], ids=["some", "twenty"]
)
def test_tilings_have_the_answers_of_the_installed_studio(put, number):
    seen = {compare(put, puzzle) for puzzle in on_tilings(number)}
    assert seen == {"none", "unique", "many"} if number > 2 else {"unique", "many"}


def test_tilings_are_edited_and_made_in_the_tab(page):
    def shown() -> str:
        kept = page.evaluate("JSON.parse(localStorage.getItem('linkoracle-studio'))?.board.tiling")
        return kept or ""

    page.select_option("#tiling", "honeycomb")
    until(lambda: shown().startswith("honeycomb"))
    page.fill("#rows", "4")
    page.keyboard.press("Tab")
    until(lambda: shown().startswith("honeycomb 4"))
    page.click("#make-new")
    until(lambda: page.inner_text("#going").startswith(("Made", "Not made")))
    assert page.inner_text("#going").startswith("Made"), page.inner_text("#going")
    assert answered(page) == "unique"
    kept = page.evaluate("JSON.parse(localStorage.getItem('linkoracle-studio')).board")
    assert kept["tiling"].startswith("honeycomb 4")
    assert linkoracle.decide(puzzle_of(kept)).unique


@pytest.mark.parametrize("look", ["390-light", "768-dark", "1280-dark"])
def test_nothing_is_wider_than_the_page(browser, address, look):
    width, scheme = look.split("-")
    context = browser.new_context(
        viewport={"width": int(width), "height": 844}, color_scheme=scheme
    )
    page = context.new_page()
    page.goto(address)
    page.wait_for_selector("body[data-ready]")
    assert page.evaluate("document.documentElement.scrollWidth") <= int(width)
    assert page.locator("#alone").is_visible()
    context.close()


def test_the_files_are_small_and_named_by_version():
    files = [path.read_bytes() for path in SITE.rglob("*") if path.is_file()]
    assert sum(len(gzip.compress(data)) for data in files) < 10_000_000
    text = (SITE / "index.html").read_text("utf-8")
    (folder,) = SITE.glob("linkoracle-*")
    # Few requests, so that the page is there soon: one style sheet and one module, which has all.
    assert re.findall(r'(?:src|href)="([^"]*\.(?:js|css))"', text) == [
        f"{folder.name}/studio.css",
        f"{folder.name}/studio.js",
    ]
    assert 'static/"' not in text
    module = (folder / "studio.js").read_text("utf-8")
    assert not re.search(r"^import |\bfetch\(", module, re.MULTILINE)
    (about,) = re.findall(r"^const ABOUT = (\{.*\});$", module, re.MULTILINE)
    assert {kind["name"] for kind in json.loads(about)["kinds"]} == {*KINDS}
