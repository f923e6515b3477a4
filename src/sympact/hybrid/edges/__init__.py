"""The stages of a process in memory: their transitions, clocks and sliding, as the loop calls them."""
