"""The formats of animations: a table by suffix, to which further formats can be added."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from os import PathLike, fspath
from pathlib import Path

from sympact.integrate.export.whole_file import whole_file
from sympact.show.animation.film import find_ffmpeg, write_gif, write_mp4
from sympact.show.animation.scene import Scene
from sympact.show.animation.web_page import page_of

__all__ = ["FORMATS", "Format", "format_of", "suffixes"]


def _nothing() -> None:
    """The check of a format without requirements."""


@dataclass(frozen=True, slots=True)
class Format:
    """A format of animations.

    Attributes
    ----------
    write : callable
        ``write(scene, path)`` writes the frames of a `Scene` to a file.
    check : callable
        Raises a ValueError where a program that `write` needs is missing; called before any frame is computed.
    """

    write: Callable[[Scene, str | PathLike], None]
    check: Callable[[], object] = _nothing


def _write_page(scene: Scene, path: str | PathLike) -> None:
    with whole_file(path, text=True) as file:
        file.write(page_of(scene))


FORMATS = {".gif": Format(write_gif), ".mp4": Format(write_mp4, find_ffmpeg), ".html": Format(_write_page)}
"""The formats by suffix, in lower case; a further one is a further entry."""

_PICTURES = (".png", ".pdf", ".svg")


def suffixes() -> str:
    """The suffixes of all formats, for a message.

    >>> suffixes()
    '.gif, .mp4 or .html'
    """
    *others, last = FORMATS
    return f"{', '.join(others)} or {last}"


def format_of(path: str | PathLike) -> Format:
    """The format of a file's suffix, after checks of its folder and its programs.

    Raises
    ------
    TypeError
        If `path` is no path.
    ValueError
        For another suffix, a folder or a program that does not exist.
    """
    if not isinstance(path, str | PathLike):
        raise TypeError(f"path is {path!r}, expected the name of a file such as 'run.gif'")
    suffix = Path(path).suffix.lower()
    if suffix not in FORMATS:
        raise ValueError(
            f"an animation is written as {suffixes()}; found {fspath(path)!r}"
            + ("; for one frame use animation.figure(t).savefig(path)" if suffix in _PICTURES else "")
        )
    FORMATS[suffix].check()
    folder = Path(path).parent
    if not folder.is_dir():
        raise ValueError(f"there is no folder {str(folder)!r} to put the animation in; make it, or name another")
    return FORMATS[suffix]
