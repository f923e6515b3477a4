"""Symbols, vectors and kinematics, which all of the derivation uses."""
