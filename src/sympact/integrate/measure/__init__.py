"""Integrals along a run: the work of forces."""
