"""What a run's memory is made of: every array and number of it, by name."""
