"""The nearest places of two shapes, where they have a formula and where Newton's method finds them."""
