"""Ensembles on disk: Zarr arrays that are written as runs end, resumed after a kill, and read on request."""
