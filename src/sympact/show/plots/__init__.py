"""Plots over time and in the plane of states."""
