"""The model as formulas, tables and pictures."""
