"""``python -m linkoracle``."""

from linkoracle.cli.main import main

main(prog_name="linkoracle")
