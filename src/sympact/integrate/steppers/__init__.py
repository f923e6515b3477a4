"""Steppers: tableaux, the compiled Runge-Kutta methods, those of SciPy, and their dense output."""
