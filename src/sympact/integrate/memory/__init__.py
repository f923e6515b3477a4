"""The declarations of a run's memory: every array and number, by name."""
