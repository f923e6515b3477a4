"""Linear complementarity problems: Lemke's algorithm and projected Gauss-Seidel."""
