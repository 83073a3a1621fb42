"""`SharedPass`: a frontier pass whose memory, and whose work, threads share."""

from linkoracle.core.arena cimport arena_close, arena_error, arena_open
from linkoracle.core.watch cimport Watch, watch_raise, watch_start
from linkoracle.frontier.rounds cimport NO_MEMORY, RATE, Reason, rounds_share, rounds_together
from linkoracle.frontier.shards cimport shards_rows
from linkoracle.frontier.team cimport team_close, team_open


cdef class SharedPass:
    """What the passes of the frontier engine have in common."""

    def __cinit__(self):
        arena_open(&self.arena, 0)
        if not team_open(&self.team):
            raise MemoryError

    def __dealloc__(self):
        arena_close(&self.arena)
        team_close(&self.team)

    @property
    def room(self) -> int:
        """Bytes in use."""
        return self.arena.used

    @property
    def rows(self) -> int:
        """Numbers of the states before the next vertex: 0 to before this. Some may be of none."""
        return 0 if self.rounds == NULL else shards_rows(&self.rounds.shards, False)

    cdef object share_out(self, object share, object deadline):
        """Let threads do the tasks that there are now. ``share`` is as in `Pass.advance`."""
        rounds_share(self.rounds)
        self.sharing = True
        try:
            share(lambda: self.work(deadline), self.stop)
        finally:
            self.sharing = False

    def work(self, object deadline) -> None:
        """Do some of the tasks that are shared out, until none is left.

        Raises what ``advance`` does, and ``RuntimeError`` when nothing is shared out.
        """
        cdef Watch watch
        cdef Reason reason
        if not self.sharing:
            raise RuntimeError("expected a pass that shares its work out")
        watch_start(&watch, deadline.seconds, RATE)
        with nogil:
            reason = rounds_together(self.rounds, &watch)
        watch_raise(&watch, deadline)
        if reason == NO_MEMORY:
            arena_error(&self.arena, "the frontier pass")

    def stop(self, bint stopped) -> None:
        """Let every task that goes on in another thread end soon; or, with False, none."""
        if self.rounds != NULL:
            self.rounds.stopped = stopped
