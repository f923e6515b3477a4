"""The declarations of the memory of contacts: every array and number, by name."""
