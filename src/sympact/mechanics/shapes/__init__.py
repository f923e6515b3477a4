"""Surfaces and contacting bodies, with their gaps."""
