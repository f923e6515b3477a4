"""Pendulums, linkages and walkers."""
