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
        "checking": "violations",
        "constraints": "at_least_one",
        "drawing": "area inner_faces",
        "dual": "middle",
        "lattice": "square_board",
        "lists": "board_lists neighbours stated_edges",
        "model": (
            "ANY_COUNT END HOLE PASS PASS_OR_END PASS_OR_SKIP Modelled count_mask model_of "
            "square_model without_auxiliary"
        ),
        "motions": "face_orbits symmetries",
        "rerouting": "rerouted",
        "statements": "Statement Statements has_auxiliary",
        "symmetry": "SYMMETRIES Symmetry group isometries orbits",
        "triangulation": "Triangle Triangulation",
    },
)
