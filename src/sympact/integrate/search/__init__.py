"""The search of a step for places where boundaries are met."""
