"""The parts of error messages that every room shares: near names, units that are to be stripped, faults of a call."""
