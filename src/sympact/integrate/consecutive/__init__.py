"""Consecutive runs of one model as one run."""
