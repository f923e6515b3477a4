"""The record of a run: samples, events, and the modes of both."""
