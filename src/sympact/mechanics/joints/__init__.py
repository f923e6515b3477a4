"""Reactions of joints and of bilateral constraints."""
