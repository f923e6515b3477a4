"""The event loop: start, step, search, event; and the workspace that it shares with Python."""
