"""What a run is asked: stages, boundaries, schedule, settings; and how it may end."""
