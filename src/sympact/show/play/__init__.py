"""A page to play with."""
