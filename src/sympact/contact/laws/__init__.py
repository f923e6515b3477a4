"""Impact laws and the ways several impacts are resolved."""
