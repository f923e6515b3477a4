"""Balls and points."""
