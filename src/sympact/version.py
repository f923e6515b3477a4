"""The version of sympact, beside the rooms, so that each of them can name it."""

__all__ = ["__version__"]

__version__ = "0.2.0"
