"""Steppers, dense output, boundary search, the loop and the result: numbers only."""
