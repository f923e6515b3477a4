"""Coordinates of a run that differ from those of its integration: quaternions for three angles."""
