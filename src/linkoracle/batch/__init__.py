"""Many independent jobs on any executor: in order, nothing lost, nothing twice.

`ordered` and `finished` hand jobs to a `concurrent.futures.Executor`, a few at a time. `Serial`
works in this process, `Processes` in others, `Cluster` on the workers of a Dask scheduler.

>>> list(ordered(Serial(), abs, [-1, 2, -3]))
[1, 2, 3]
"""

from linkoracle.batch.executors import MAX_WORKERS, Cluster, Processes, Serial
from linkoracle.batch.running import finished, ordered

__all__ = ["MAX_WORKERS", "Cluster", "Processes", "Serial", "finished", "ordered"]
