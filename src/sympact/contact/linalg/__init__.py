"""Small dense linear algebra: factors, ranks, least squares, minimum norm, active sets."""
