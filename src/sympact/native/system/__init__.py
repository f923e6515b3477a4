"""The calls of the operating system."""
