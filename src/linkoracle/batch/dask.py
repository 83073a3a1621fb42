"""`Cluster`: the workers of a Dask scheduler."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Executor, Future
from importlib.metadata import version
from typing import Any

from linkoracle.errors import WorkersLost

#: Seconds to wait for the scheduler, and then for a worker.
PATIENCE = 5.0


class Cluster(Executor):
    """The workers of the Dask scheduler at ``address``, which must have this version of linkoracle.

    A worker that dies costs time and nothing else: Dask hands its jobs to others, and computes
    again the results that it had. Leaving the context cancels what is not done.

    Raises ``ModuleNotFoundError`` without the extra ``dask``, and `WorkersLost` when there is no
    scheduler, no worker, or another version at a worker.
    """

    def __init__(self, address: str, *, patience: float = PATIENCE) -> None:
        import distributed

        self._address = address
        try:
            # A client that is given no address leaves threads behind.
            distributed.comm.get_address_host_port(address, strict=True)
            self._client: Any = distributed.Client(address, timeout=patience, set_as_default=False)
        except (OSError, ValueError) as error:
            raise WorkersLost(f"no Dask scheduler at {address}: {_first_line(error)}") from None
        try:
            self._check_workers(address, patience)
        except BaseException:
            self._client.close()
            raise
        # Jobs are never taken for one another, even if they look alike.
        self._executor: Executor = self._client.get_executor(pure=False)

    def _check_workers(self, address: str, patience: float) -> None:
        try:
            self._client.wait_for_workers(1, timeout=patience)
            theirs = self._client.run(_own_version)
        except TimeoutError:
            raise WorkersLost(f"the Dask scheduler at {address} has no workers") from None
        except ModuleNotFoundError as error:
            raise WorkersLost(f"a Dask worker of {address} has no linkoracle: {error}") from None
        for worker, found in theirs.items():
            if found != _own_version():
                raise WorkersLost(
                    f"the Dask worker {worker} has linkoracle {found}, this is {_own_version()}"
                )

    @property
    def workers(self) -> int:
        """The number of jobs that can run at a time, now."""
        known = self._client.scheduler_info(n_workers=-1)["workers"].values()
        return sum(worker["nthreads"] for worker in known)

    def check(self) -> None:
        """Raise `WorkersLost` if the scheduler is gone: its futures would never be done."""
        if self._client.status in ("closing", "closed"):
            raise WorkersLost(f"the Dask scheduler at {self._address} is gone")

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        """Hand a job to the scheduler."""
        return self._executor.submit(fn, *args, **kwargs)

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """Leave the cluster, which goes on for others."""
        if self._client.status not in ("closing", "closed"):
            self._executor.shutdown(wait=wait and not cancel_futures)
        self._client.close()

    def __exit__(self, *_: object) -> None:
        self.shutdown(cancel_futures=True)


def _own_version() -> str:
    return version("linkoracle")


def _first_line(error: Exception) -> str:
    return (str(error).splitlines() or [type(error).__name__])[0]
