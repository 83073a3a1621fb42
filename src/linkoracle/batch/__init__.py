"""Many independent jobs on any executor: in order, nothing lost, nothing twice.

`ordered` and `finished` hand jobs to a `concurrent.futures.Executor`, a few at a time. `Serial`
works in this process, `Processes` in others, `Cluster` on the workers of a Dask scheduler.

>>> list(ordered(Serial(), abs, [-1, 2, -3]))
[1, 2, 3]
"""

from linkoracle.batch.dask import Cluster
from linkoracle.batch.processes import Processes
from linkoracle.batch.running import finished, ordered
from linkoracle.batch.serial import Serial

__all__ = ["Cluster", "Processes", "Serial", "finished", "ordered"]
