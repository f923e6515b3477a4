"""Coulomb's law as a cone complementarity problem, and its solvers."""
