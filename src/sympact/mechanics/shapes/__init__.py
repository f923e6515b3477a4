"""Surfaces and bodies that touch them, with their gaps."""
