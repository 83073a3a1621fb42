"""Counts over blank boards without a hash table: see `docs/frontier.md`."""
