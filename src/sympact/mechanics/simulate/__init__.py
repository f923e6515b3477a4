"""Runs of a model from what a user gives: numbers, the coordinates that are integrated, islands, one run."""
