"""The impact or force problem of the contacts at a state: assembly, solution and result."""
