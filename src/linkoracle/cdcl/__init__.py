"""A compiled search for rivals of a known solution: see `linkoracle.cdcl.rivals`."""
