"""What a user's `System` or `KanesMethod` holds."""
