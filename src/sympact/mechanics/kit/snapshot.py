"""Restore the user's frames and points after calls of SymPy methods that cache in them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager

from sympy.physics.vector import Point, ReferenceFrame

__all__ = ["left_unchanged"]

_FRAME_TABLES = ("_dcm_dict", "_dcm_cache", "_ang_vel_dict", "_ang_acc_dict", "_var_dict")
_POINT_TABLES = ("_pos_dict", "_vel_dict", "_acc_dict")


@contextmanager
def left_unchanged(frames: Iterable[ReferenceFrame], points: Iterable[Point]) -> Iterator[None]:
    """Restore the contents of frames and points on exit."""
    tables = [getattr(frame, name) for frame in frames for name in _FRAME_TABLES]
    tables += [getattr(point, name) for point in points for name in _POINT_TABLES]
    kept = [dict(table) for table in tables]
    try:
        yield
    finally:
        for table, before in zip(tables, kept, strict=True):
            table.clear()
            table.update(before)
