"""The closest points of two shapes, by formulas or by Newton's method."""
