"""Numbers for a run, and whether a motion can begin from them."""
