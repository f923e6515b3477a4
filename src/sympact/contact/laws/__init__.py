"""Impact laws and the resolution of simultaneous impacts."""
