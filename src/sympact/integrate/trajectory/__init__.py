"""A run that has ended: its pieces, its coordinates, and what evaluates its model."""
