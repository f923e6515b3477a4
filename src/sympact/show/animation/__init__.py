"""Runs in motion: scenes, camera, films, pages."""
