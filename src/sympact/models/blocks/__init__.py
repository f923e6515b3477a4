"""Rods, blocks, cubes and discs."""
