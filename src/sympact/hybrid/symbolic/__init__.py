"""Processes of SymPy expressions, mixed with plain functions: from their definition to functions of one graph."""
