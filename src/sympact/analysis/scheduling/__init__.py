"""Runs of an ensemble in chunks, which executors make: threads, processes, other machines."""
