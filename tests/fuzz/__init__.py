"""Random mechanisms with contacts, run by sympact and judged by mechanics of their own in NumPy."""
