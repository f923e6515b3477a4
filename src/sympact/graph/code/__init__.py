"""Machine code and NumPy code from graphs."""
