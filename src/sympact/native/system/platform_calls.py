"""The calls of the operating system behind one interface: the folder of the cache, processes, the C library.

`platform_posix` has the calls of POSIX, `platform_other` replaces them; the choice is made here, by the names that `os`
has. No other file of the package makes calls that only POSIX has.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import ModuleType
from typing import Any, Protocol

from sympact.native.system import platform_other, platform_posix

__all__ = [
    "Folder",
    "around_fork",
    "function_of_c",
    "lock_folder",
    "mathematics",
    "of_its_own",
    "open_folder",
    "symbols_of_code",
    "yield_to_others",
]

_SYSTEM: ModuleType = platform_posix if all(hasattr(os, name) for name in platform_posix.NEEDED) else platform_other


class Folder(Protocol):
    """An open folder; its files are reached by their names. Every call may raise an `OSError`."""

    def close(self) -> None:
        """Close the folder."""

    def writable(self) -> bool:
        """Whether files can be created in it."""

    def read(self, name: str) -> bytes:
        """The content of a file; a symbolic link is not followed."""

    def create(self, name: str, content: bytes) -> None:
        """Write a file that does not exist yet."""

    def rename(self, old: str, new: str) -> None:
        """Replace a file by another, atomically."""

    def remove(self, name: str) -> None:
        """Remove a file."""

    def touch(self, name: str) -> None:
        """Set the time of a file to now."""

    def names(self) -> list[str]:
        """The names of all files."""

    def about(self, name: str) -> os.stat_result:
        """Time and size of a file, of a link those of the link itself."""

    def lock(self, name: str) -> Callable[[], None] | None:
        """Lock a file for this process, until the returned function is called or the process ends.

        None where another process has locked it. The system unlocks the files of a process that was killed.
        """


@contextmanager
def open_folder(path: Path) -> Iterator[Folder]:
    """A folder, checked to be the user's own as far as the system permits.

    Raises
    ------
    OSError
        If there is none, if it is a symbolic link, or if others can access it.
    """
    folder: Folder = _SYSTEM.OpenFolder(path)
    try:
        yield folder
    finally:
        folder.close()


def lock_folder(path: Path) -> Callable[[], None] | None:
    """Lock a folder for this process, until the returned function is called or the process ends.

    None where another process has locked it. It keeps others from nothing else than this lock.
    """
    return _SYSTEM.lock_folder(path)


def around_fork(before: Callable[[], object], after: Callable[[], object]) -> None:
    """Register the first to be called before every fork, the second after it in parent and child."""
    _SYSTEM.around_fork(before, after)


def function_of_c(name: str) -> Any:
    """A function of the C library, for its address."""
    return _SYSTEM.function_of_c(name)


def mathematics() -> str:
    """The file of the C library's mathematics."""
    return _SYSTEM.mathematics()


def symbols_of_code() -> dict[str, int]:
    """Addresses by the names of what code refers to beside functions of the C library."""
    return _SYSTEM.symbols_of_code()


def of_its_own() -> dict[str, Any]:
    """Options of `subprocess.Popen` for a process that outlives this one and that its Ctrl-C does not reach."""
    return _SYSTEM.of_its_own()


def yield_to_others() -> None:
    """Let the processes of the machine that have a user waiting go first."""
    _SYSTEM.yield_to_others()
