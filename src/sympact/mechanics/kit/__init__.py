"""Symbols, vectors, bodies' kinematics: what all of the derivation uses."""
