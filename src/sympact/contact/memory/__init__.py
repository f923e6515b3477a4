"""What the memory of contacts is made of: every array and number of it, by name."""
