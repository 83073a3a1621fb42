"""Counts, enumerates and certifies the solutions of link puzzles."""
