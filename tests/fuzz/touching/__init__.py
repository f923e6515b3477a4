"""Chains and heaps of touching bodies, run by sympact and judged by mechanics of their own."""
