"""`--jobs` and `--dask`: where independent puzzles are worked on."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

import click

from linkoracle.cli.progress import shown_progress
from linkoracle.cli.shared import BAD_INPUT, Named

if TYPE_CHECKING:
    from concurrent.futures import Executor

    from linkoracle.puzzles import Puzzle
    from linkoracle.solving import Progress

Command = TypeVar("Command", bound=Callable[..., Any])
Answer = TypeVar("Answer", covariant=True)

#: Without --jobs, seconds of work in this process before others are started: they take some tenths
#: of a second each to start.
_PATIENCE = 1.0


def jobs_options(default: str) -> Callable[[Command], Command]:
    """`--jobs` and `--dask`; ``default`` is what the help says of the first."""

    def both(command: Command) -> Command:
        for option in (
            click.option(
                "--dask",
                metavar="ADDRESS",
                help="Work on the workers of this Dask scheduler, such as tcp://10.0.0.1:8786 "
                "(needs the extra linkoracle[dask]).",
            ),
            click.option(
                "--jobs",
                type=click.IntRange(min=1),
                metavar="N",
                help=f"Work in N processes; the output is the same.  [default: {default}]",
            ),
        ):
            command = option(command)
        return command

    return both


@contextmanager
def executor_for(jobs: int | None, dask: str | None, *, alone: bool) -> Iterator[Executor | None]:
    """The executor that the values of `jobs_options` ask for; ``None`` is this process.

    With ``alone``, all is done here unless the user says otherwise; else, without --jobs, all
    processors are used if the work takes longer than a moment. Ends the program with one line and
    status 2 when Dask is not installed; raises `WorkersLost` when it cannot be reached.
    """
    if dask is not None:
        if jobs is not None:
            raise click.UsageError("--jobs is for this machine; it does not go with --dask")
        with _cluster(dask) as cluster:
            yield cluster
        return
    workers = jobs or (1 if alone else _processors())
    if workers == 1:
        yield None
        return
    from linkoracle.batch import Processes

    with Processes(workers, patience=0.0 if jobs else _PATIENCE) as processes:
        yield processes


def _cluster(address: str) -> Executor:
    import logging

    from linkoracle.batch import Cluster

    try:
        import distributed  # noqa: F401 - whether it is there
    except ModuleNotFoundError:
        click.echo("error: --dask needs the extra: pip install 'linkoracle[dask]'", err=True)
        sys.exit(BAD_INPUT)
    # What goes wrong there is told in one line, if it matters, and not in several logs.
    logging.disable(logging.CRITICAL)
    return Cluster(address)


def _processors() -> int:
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


class Question(Protocol[Answer]):
    """What is asked of each puzzle: a function that can be pickled.

    ``progress`` is set where it is called in this process, and must not be pickled.
    """

    progress: Progress | None

    def __call__(self, puzzle: Puzzle) -> Answer: ...


def answered(
    question: Question[Answer], named: Sequence[Named], executor: Executor | None
) -> Iterator[tuple[Named, Answer]]:
    """Yield each puzzle with its answer, in order, with a bar while there is none."""
    if executor is None:
        for one in named:
            with shown_progress(one.name) as question.progress:
                answer = question(one.puzzle)
            yield one, answer
        return
    from linkoracle.batch import ordered

    done = 0
    # On a terminal, answers that scroll by are the progress; a bar would be drawn across them.
    with shown_progress(f"{len(named)} puzzles", hidden=sys.stdout.isatty()) as bar:

        def show(line: str = "", _share: float | None = None) -> None:
            if bar is not None:
                bar(f"{done} answered{line and ', '}{line}", done / len(named))

        question.progress = show
        puzzles = (one.puzzle for one in named)
        with closing(ordered(executor, question, puzzles, waiting=show)) as answers:
            for one, answer in zip(named, answers, strict=True):
                done += 1
                yield one, answer
                show()
