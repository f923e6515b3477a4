"""Paths of files to read and to write."""

from __future__ import annotations

from os import PathLike, fspath
from pathlib import Path

__all__ = ["checked_path"]


def checked_path(path: str | PathLike, kind: str = "", suffixes: tuple[str, ...] = ()) -> str | PathLike:
    """The path of a file, as it was given.

    Parameters
    ----------
    path : path-like
    kind : str, optional
        What is written.
    suffixes : tuple of str, optional
        Those that it may have. Another one, but for a number, names another kind of file; "run_0.5" has none.

    Raises
    ------
    TypeError
        If it is no path.
    ValueError
        If its suffix says that it is a file of another kind.
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
    suffix = place.suffix.lower()
    if suffixes and suffix[1:2].isalpha() and suffix not in suffixes:
        named = " or ".join(place.with_suffix(one).name for one in suffixes)
        raise ValueError(f"{place.name!r} is no name of {kind}, which is what is written; name it {named}")
    return path
