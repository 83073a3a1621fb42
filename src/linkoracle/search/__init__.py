"""A compiled search for alternatives of a known solution: see `linkoracle.search.alternatives`."""
