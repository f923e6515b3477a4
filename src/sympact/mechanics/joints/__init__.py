"""Reactions of the joints of a tree."""
