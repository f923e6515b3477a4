"""What a run leaves: samples, events, the modes in which they were met."""
