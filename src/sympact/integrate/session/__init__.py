"""A run in memory, from its begin to its end."""
