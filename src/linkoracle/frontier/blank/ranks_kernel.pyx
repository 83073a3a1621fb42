"""`Ranks`: the steps of a pass over a blank board, for arrays that Python holds."""

from libc.stddef cimport size_t
from libc.stdint cimport int64_t, uint64_t

from math import comb

from linkoracle.core.arena cimport Arena, arena_close, arena_error, arena_open
from linkoracle.core.limbs cimport bits_set
from linkoracle.core.watch cimport StopToken, watch_raise, watch_start
from linkoracle.frontier.blank.moves cimport Moves, moves_open
from linkoracle.frontier.blank.ranking cimport Ranking, ranking_open
from linkoracle.frontier.blank.steps cimport RowPass, step_ends, step_starts
from linkoracle.frontier.blank.terminals cimport accept_label, meet_all, rank_of_word
from linkoracle.frontier.blank.words cimport (
    MOST_LABELS, MOST_PLACES, SYMBOLS, follow, support_of, tails_of
)

#: Most places of a word; more do not fit into its code.
PLACES: int = MOST_PLACES


cdef class Ranks:
    """All words with ``width`` places and ``labels`` labels, and the steps on their numbers.

    ``cut`` places are a left half. With ``outside`` no label stands between two ends of a path.
    ``memory`` bounds the bytes of the tables; the numbers themselves are the caller's. Raises
    ``ValueError`` for an invalid frontier, `MemoryLimit`, and `SearchTimeout` at the ``deadline``.
    """

    cdef Arena arena
    cdef Ranking ranking
    cdef Moves moves
    cdef bint stopped

    def __cinit__(self):
        arena_open(&self.arena, 0)

    def __init__(
        self,
        int width,
        int cut,
        int labels,
        bint outside,
        size_t memory,
        object deadline: Deadline,
    ):
        cdef bint fits
        cdef StopToken watch
        if self.arena.last != NULL:
            raise ValueError("expected new ranks")
        if not 3 <= width <= MOST_PLACES or not 1 <= cut <= width - 2:
            raise ValueError("expected two halves and a middle of a frontier that fits")
        if not 0 <= labels <= MOST_LABELS:
            raise ValueError("expected at most two labels")
        self.arena.limit = memory
        watch_start(&watch, deadline.seconds, 64)
        with nogil:
            fits = ranking_open(
                &self.ranking, &self.arena, width, cut, labels, outside
            ) and moves_open(&self.moves, &self.arena, &self.ranking, &watch)
        watch_raise(&watch, deadline)
        if not fits:
            arena_error(&self.arena, "the tables of a pass")

    def __dealloc__(self):
        arena_close(&self.arena)

    @property
    def words(self) -> int:
        """The number of words."""
        return self.ranking.num_words

    @property
    def corners(self) -> int:
        """The number of words of one place less."""
        return self.ranking.num_corners

    def sizes(self, bint ends) -> list[int]:
        """Return the number of words by the support of the right half, or of the left (``ends``)."""
        cdef Ranking *r = &self.ranking
        cdef int length = r.cut if ends else r.right.length, weight, symbol, state
        cdef int64_t left
        by_weight = [0] * (length + 1)
        for left in range(r.num_lefts):
            if ends:
                by_weight[bits_set(support_of(r.lefts[left].code, length))] += r.rows[
                    r.lefts[left].state
                ]
                continue
            for symbol in range(SYMBOLS):
                state = follow(&r.right, r.lefts[left].state, symbol)
                for weight in range(length + 1 if state >= 0 else 0):
                    by_weight[weight] += tails_of(&r.right, weight, state)
        if ends:
            # These are of all left halves of that weight; each support has as many.
            by_weight = [total // comb(length, weight) for weight, total in enumerate(by_weight)]
        return [by_weight[bits_set(support)] for support in range(1 << length)]

    def stop(self, bint stopped) -> None:
        """Ask every call in another thread to end; with False, withdraw that request."""
        self.stopped = stopped

    def rank(self, codes: Sequence[int]) -> int:
        """Return the index of a word, given by ``codes`` 0 to 3 for each place; -1 if it is invalid."""
        cdef uint64_t code = 0
        cdef int place
        if len(codes) != self.ranking.width or not all(0 <= symbol < SYMBOLS for symbol in codes):
            raise ValueError("expected 0 to 3 for each place")
        for place in range(self.ranking.width):
            code |= <uint64_t>codes[place] << (2 * place)
        return rank_of_word(&self.ranking, code)

    def step(
        self,
        uint64_t[::1] words: Numbers,
        uint64_t[::1] corners: Numbers,
        uint64_t[::1] answer: Numbers,
        *,
        bint ends,
        uint64_t first,
        uint64_t last,
        int column,
        int until,
        bint loop,
        int depth,
        uint64_t prime,
        uint64_t weight,
        object deadline: Deadline,
    ) -> None:
        """Take the steps in columns from ``column`` to before ``until`` that belong here.

        Without ``ends``, take those up to the middle, for right halves with a support in
        ``range(first, last)``; with ``ends`` those beyond, for left halves. With ``loop`` a cycle
        is a solution. ``depth`` bounds the open ends in words whose number is not 0. Raises
        `SearchTimeout` or the error of a signal handler; then the numbers are invalid. Ends early
        after `stop`.
        """
        cdef RowPass w
        cdef StopToken watch
        cdef int length = self.ranking.cut if ends else self.ranking.right.length
        if not first < last <= <uint64_t>1 << length:
            raise ValueError("expected a range of supports")
        if not 0 <= column <= until <= self.ranking.width:
            raise ValueError("expected columns of the frontier")
        self.begin(&w, words, corners, answer, prime, weight)
        w.loop, w.depth, w.first, w.last = loop, depth, column, until
        watch_start(&watch, deadline.seconds, 16)
        with nogil:
            if ends:
                step_ends(&self.ranking, &self.moves, &w, first, last, &watch)
            else:
                step_starts(&self.ranking, &self.moves, &w, first, last, &watch)
        watch_raise(&watch, deadline)

    def meet(
        self,
        uint64_t[::1] words: Numbers,
        uint64_t[::1] corners: Numbers,
        uint64_t[::1] answer: Numbers,
        Ranks after: Ranks | None,
        uint64_t[::1] targets: Numbers | None,
        *,
        int column,
        uint64_t prime,
        object deadline: Deadline,
    ) -> None:
        """Decide a terminal in a column: fill ``targets``, zeros at first, the words of ``after``.

        The words of ``after`` have one label more; their corners have no numbers yet. Solutions
        that end here are added to ``answer``. Without ``after``, only these count. Raises like `step`.
        """
        cdef RowPass w
        cdef StopToken watch
        cdef Ranking *r = &self.ranking
        if not 0 <= column < r.width:
            raise ValueError("expected a column of the frontier")
        if after is not None and (
            after.ranking.width != r.width or after.ranking.labels != r.labels + 1
        ):
            raise ValueError("expected words of the same frontier with one more label")
        if after is not None and targets.shape[0] != after.ranking.num_words:
            raise ValueError("expected a number for each word")
        self.begin(&w, words, corners, answer, prime, 1)
        w.first = column
        if r.labels == 1:
            accept_label(r, &w)
        if after is None:
            return
        watch_start(&watch, deadline.seconds, 16)
        with nogil:
            meet_all(r, &after.ranking, &w, &targets[0], &watch)
        watch_raise(&watch, deadline)

    cdef int begin(
        self,
        RowPass *w,
        uint64_t[::1] words,
        uint64_t[::1] corners,
        uint64_t[::1] answer,
        uint64_t prime,
        uint64_t weight,
    ) except -1:
        """Check the arrays, and write them to a `RowPass`."""
        cdef Ranking *r = &self.ranking
        if words.shape[0] != r.num_words or corners.shape[0] != r.num_corners:
            raise ValueError("expected a number for each word, and for each corner")
        if answer.shape[0] != 1:
            raise ValueError("expected one number for the answer")
        if not 2 <= prime < <uint64_t>1 << 62 or weight >= prime:
            raise ValueError("expected a prime below 2**62, and a weight below that")
        w.field.prime, w.field.weight = prime, weight
        w.field.ratio = (int(weight) << 64) // int(prime)
        w.words, w.corners, w.answer = &words[0], &corners[0], &answer[0]
        w.stopped = &self.stopped
        return 0
