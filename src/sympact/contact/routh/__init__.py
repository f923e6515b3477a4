"""Routh's path: the motion of one contact over its normal impulse, through slip and stick."""
