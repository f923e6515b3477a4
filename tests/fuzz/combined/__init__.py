"""Scenes of combined features on lines of carts, judged by polynomials."""
