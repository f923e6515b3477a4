"""Readers of the user's `System` or `KanesMethod`."""
