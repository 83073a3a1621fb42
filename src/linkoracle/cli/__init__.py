"""The command line: `count-solutions`, and `linkoracle` with its commands."""
