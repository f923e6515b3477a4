"""A run as tables, data sets and files."""
