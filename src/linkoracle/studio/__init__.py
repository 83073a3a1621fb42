"""The studio: a page in the browser where a puzzle is made while the engines look on.

`linkoracle.studio.server` is the server, on this machine only; ``docs/studio.md`` shows the page.
"""
