"""From a derived model and numbers to the program of a run."""
