"""Expression graphs: nodes, operations, functions."""
