"""Boards, models of puzzles, and solutions."""

from linkoracle.core import exports

__all__, __getattr__, __dir__ = exports(
    __name__,
    {
        "board": "Board",
        "constraints": "Count Shape",
        "lattice": "Lattice",
        "model": "LinkModel",
        "solution": "Solution",
    },
    inner={
        "board": "NO_FACE Edge Point flat",
        "colouring_kernel": "Colouring LoopRepair",
        "constraints": "Apart",
        "corners": "crossing touching",
        "homotopy": "Triangle Triangulation rerouted",
        "model": (
            "ANY_COUNT END HOLE PASS PASS_OR_END PASS_OR_SKIP Modelled Source count_mask model_of "
            "without_auxiliary"
        ),
        "statements": "Statement Statements has_auxiliary violations",
        "symmetry": "SYMMETRIES Symmetry images orbits symmetries",
        "topology": "area board_lists inner_faces middle neighbours stated_edges",
    },
)
