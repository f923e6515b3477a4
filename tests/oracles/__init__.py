"""Independent truths for tests and benchmarks: closed formulas and exact flights, with no line of sympact in them."""
