"""The search of a step for zeros of boundaries."""
