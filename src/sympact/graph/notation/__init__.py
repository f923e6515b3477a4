"""Graphs from SymPy, and formulas from graphs."""
