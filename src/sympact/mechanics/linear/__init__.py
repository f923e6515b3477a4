"""Linearisation of a model about one of its states, and its equilibria."""
