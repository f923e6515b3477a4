"""Drawings of directed graphs: stages and modes."""
