"""Runs in one picture: the bodies at some instants, above the energy."""
