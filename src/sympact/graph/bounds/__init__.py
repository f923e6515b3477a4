"""Enclosures of graphs by intervals, and plain code that evaluates them."""
