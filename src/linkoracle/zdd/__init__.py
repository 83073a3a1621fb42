"""Families of sets as zero-suppressed decision diagrams: all solutions, all puzzles, at once.

One implementation serves the frontier engine and the censuses. `linkoracle.frontier.Family` keeps
families on the `dd` package instead, for algebra between boards.
"""
