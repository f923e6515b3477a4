"""The problem of a run: stages, boundaries, schedule, settings; and the possible ends."""
