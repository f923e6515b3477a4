"""A derived model: its equations and laws, and their functions as machine code."""
