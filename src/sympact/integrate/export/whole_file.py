"""Files that are there whole or not at all: written beside the place under another name, then renamed."""

from __future__ import annotations

import os
import secrets
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from os import PathLike, fspath
from pathlib import Path
from typing import IO

__all__ = ["replaced", "whole_file"]


@contextmanager
def whole_file(path: str | PathLike, *, text: bool = False) -> Iterator[IO]:
    """A new file that becomes the file at `path` at the end of the block.

    Where the block, or the disk, fails, or Ctrl-C comes, the file that was there before stays as it was, and nothing
    else stays. A device or a pipe is written as it is.

    Parameters
    ----------
    path : path-like
    text : bool
        Whether it takes text, which is UTF-8 with the ends of lines that are written; else bytes.

    Raises
    ------
    OSError
        With the name of the file, if it cannot be written, as on a full disk.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder, "numbers.csv")
    ...     with whole_file(path, text=True) as file:
    ...         _ = file.write("1,2")
    ...     path.read_text(), len(list(Path(folder).iterdir()))
    ('1,2', 1)
    """
    with replaced(path) as part, _opened(part, text) as file:
        yield file
        file.flush()
        if stat.S_ISREG(os.fstat(file.fileno()).st_mode):
            os.fsync(file.fileno())  # else a crash may leave the new name without the new contents


@contextmanager
def replaced(path: str | PathLike) -> Iterator[Path]:
    """The name of a new file for a program that writes it by its name; it becomes the file at `path` as `whole_file`.

    Raises
    ------
    OSError
        With the name of the file, if it cannot be written.
    """
    whole = Path(path).resolve()  # a link stays a link
    beside = whole.is_file() or not whole.exists()
    part = whole.with_name(f".sympact-{secrets.token_hex(8)}{whole.suffix}") if beside else whole
    try:
        yield part
        if beside:
            with suppress(FileNotFoundError):
                part.chmod(stat.S_IMODE(whole.stat().st_mode))
            part.replace(whole)
    except OSError as error:
        raise _named(error, path) from error
    finally:
        if beside:
            part.unlink(missing_ok=True)


def _opened(part: Path, text: bool) -> IO:
    return open(part, "w", encoding="utf-8", newline="") if text else open(part, "wb")


def _named(error: OSError, path: str | PathLike) -> OSError:
    """The error with the name of the file that the user knows, and its state."""
    reason = error.strerror or str(error)
    return OSError(
        error.errno or 0, f"{reason}; the file was not written, and one of this name is as it was before", fspath(path)
    )
