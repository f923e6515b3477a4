"""Paths of files to read and to write."""

from __future__ import annotations

from os import PathLike, fspath
from pathlib import Path

__all__ = ["checked_path"]


def checked_path(path: str | PathLike) -> str | PathLike:
    """The path of a file, as it was given.

    Raises
    ------
    TypeError
        If it is no path.
    FileNotFoundError
        If its folder does not exist.
    IsADirectoryError
        If it is a folder.

    Examples
    --------
    >>> checked_path("run.npz")
    'run.npz'
    """
    if not isinstance(path, str | PathLike):
        raise TypeError(f"path is {path!r}, expected the name of a file such as 'run.npz'")
    place, folder = Path(path), Path(path).parent
    if place.is_dir():
        raise IsADirectoryError(f"{fspath(path)!r} is a folder, expected the name of a file in it")
    if not folder.is_dir():
        raise FileNotFoundError(f"there is no folder {str(folder)!r} for {place.name!r}; make it, or name another")
    return path
