"""Routh's path: impulses followed in the normal impulse through slip and stick."""
