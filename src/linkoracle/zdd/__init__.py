"""Families of sets as zero-suppressed decision diagrams: all solutions, all puzzles, at once.

One implementation serves the frontier engine, the censuses and `linkoracle.frontier.Family`.
"""
