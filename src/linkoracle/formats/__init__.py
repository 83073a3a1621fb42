"""Puzzle files and strings: `read` and `read_all` detect the format, `write` takes its name.

``docs/reference/file-formats.md`` describes every format; `FORMATS` lists them.
"""

from linkoracle.core import exports

__all__, __getattr__, __dir__ = exports(
    __name__,
    {
        "reading": "FORMATS About Entry Format read read_all read_file",
        "writing": "write",
    },
    inner={
        "board_texts": "board_at board_of_words json_of_board words_of_board",
        "drawings": "check_rows read_loop",
        "json_values": "DECODER Members NoInteger Pairs not_json place_named shown",
        "reading": (
            "MAX_CELLS MAX_LINE MAX_TEXT Document clean_name decoded error_at file_text "
            "is_one_line_puzzle misplaced plain_text whole"
        ),
    },
)
