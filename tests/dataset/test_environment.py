"""The environment: Gymnasium's own checker, rewards, and masks."""

import numpy as np
import pytest

from linkoracle import Slitherlink, solve
from linkoracle.dataset import DataSet
from linkoracle.kinds import KINDS

gymnasium = pytest.importorskip("gymnasium")
from gymnasium.utils.env_checker import check_env  # noqa: E402

from linkoracle.dataset.environment import PuzzleEnv  # noqa: E402

BOARD = Slitherlink([[3, 3], [None, None]])


# Other render modes are tried through a registry, where the puzzles would have to be named.
@pytest.mark.filterwarnings("error", "ignore:.*alternative render modes")
def test_checker_of_gymnasium() -> None:
    data = DataSet(["masyu"], ["5x5"], seed=1)
    check_env(
        PuzzleEnv(next(data.triples("masyu", "5x5")), render_mode="ansi"), skip_render_check=False
    )


def test_a_game_that_is_won() -> None:
    env = PuzzleEnv([BOARD], render_mode="ansi")
    env.reset(seed=1)
    edges, total = [*solve(BOARD).edges], 0.0
    for edge in edges:
        observation, reward, over, cut, info = env.step(2 * edge + 1)
        total += reward
        assert info["verdict"] == "forced"
        assert not cut
        assert over == (edge == edges[-1])
        assert observation["edges"][edge] == 1
    assert total == pytest.approx(1 + len(edges) / BOARD.board.num_edges)
    assert env.render().count("─") > 6


def test_a_wrong_move() -> None:
    wrong = next(edge for edge in range(BOARD.board.num_edges) if edge not in solve(BOARD).edges)
    env = PuzzleEnv([BOARD])
    env.reset(seed=1)
    observation, reward, over, _, info = env.step(2 * wrong + 1)
    assert (reward, over, info["verdict"]) == (-1.0, True, "wrong")
    assert not observation["edges"].any()
    forgiving = PuzzleEnv([BOARD], forgiving=True)
    forgiving.reset(seed=1)
    assert forgiving.step(2 * wrong + 1)[1:3] == (-1.0, False)
    assert forgiving.step(2 * wrong)[1] > 0


def test_masks_are_open_edges() -> None:
    env = PuzzleEnv([BOARD])
    _, info = env.reset(seed=1)
    assert info["action_mask"].all()
    edge = solve(BOARD).edges[0]
    _, _, _, _, info = env.step(2 * edge + 1)
    assert np.flatnonzero(info["action_mask"] == 0).tolist() == [2 * edge, 2 * edge + 1]
    assert (env.action_masks() == info["action_mask"]).all()
    assert env.step(2 * edge)[1:3] == (0.0, False)


def test_clues_differ_in_observations() -> None:
    masyu = KINDS["masyu"]
    env = PuzzleEnv([masyu(["w..", "...", "..."]), masyu(["b..", "...", "..w"])])
    seen = [env.reset(options={"index": index})[0]["clues"].tolist() for index in (0, 1)]
    assert seen[0] != seen[1]
    assert sorted({*seen[0], *seen[1]}) == [0, 1, 2]


def test_puzzles_on_two_boards() -> None:
    with pytest.raises(ValueError, match="on one board, got 2"):
        PuzzleEnv([BOARD, Slitherlink([[3]])])
    with pytest.raises(ValueError, match="at least one puzzle"):
        PuzzleEnv([])
