"""Data sets for training and measuring reasoning: certified puzzles with twins, and graders.

>>> from linkoracle.dataset import DataSet, score
>>> data = DataSet(["slitherlink"], ["5x5"], seed=1)
>>> puzzle, none, two = next(data.triples("slitherlink", "5x5"))
>>> puzzle["status"], none["status"], len(two["solutions"])
('unique', 'none', 2)
>>> score(none, "There is no solution.").right, score(puzzle, "No solution.").right
(True, False)
>>> score(puzzle, puzzle["solutions"][0]["drawing"]).right
True
"""

from linkoracle.core import exports

__all__, __getattr__, __dir__ = exports(
    __name__,
    {
        "answers": "Answer answer_of",
        "environment": "PuzzleEnv",
        "making": "DataSet data_card hashes_in write_dataset",
        "records": "MEANINGS SCHEMA json_schema key_of",
        "scoring": "Score StepGrader StepVerdict score",
        "twins": "Change Twin Twins Wrong changes find_twins",
    },
)
