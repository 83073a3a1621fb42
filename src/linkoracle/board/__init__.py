"""What is asked about: the lattice, the model of a puzzle, its solutions."""
