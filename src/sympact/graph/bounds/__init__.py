"""Enclosures of graphs by intervals, and the functions that evaluate them."""
