"""The calls of `platform_calls` on a POSIX system. Nothing here is called where a name that it needs is not in `os`."""

from __future__ import annotations

import ctypes
import ctypes.util
import os
import stat
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

__all__ = [
    "NEEDED",
    "OpenFolder",
    "around_fork",
    "function_of_c",
    "lock_folder",
    "mathematics",
    "of_its_own",
    "symbols_of_code",
    "yield_to_others",
]

NEEDED = ("O_DIRECTORY", "O_NOFOLLOW", "getuid", "register_at_fork")
"""Names of `os` that other systems do not have; with them a folder can be reached by its descriptor (``dir_fd``)."""


class OpenFolder:
    """A folder that belongs to the user alone, opened by its descriptor: the checked folder is the one in use.

    Raises
    ------
    PermissionError
        If the folder belongs to another user, or others may enter it.
    """

    def __init__(self, path: Path) -> None:
        self._folder = os.open(path, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
        try:
            self._check()
        except BaseException:
            self.close()
            raise

    def _check(self) -> None:
        found = os.fstat(self._folder)
        if found.st_uid != os.getuid():
            raise PermissionError(f"it belongs to user {found.st_uid}, expected the present user {os.getuid()}")
        if found.st_mode & 0o077:
            raise PermissionError(f"others may enter it (mode {stat.S_IMODE(found.st_mode):04o}, expected 0700)")

    def close(self) -> None:
        """Close the descriptor."""
        os.close(self._folder)

    def writable(self) -> bool:
        """Whether files can be created in it."""
        return os.access(".", os.W_OK, dir_fd=self._folder)

    def read(self, name: str) -> bytes:
        """The content of a file; a symbolic link is not followed."""
        with open(os.open(name, os.O_RDONLY | os.O_NOFOLLOW, dir_fd=self._folder), "rb") as file:
            return file.read()

    def create(self, name: str, content: bytes) -> None:
        """Write a file that does not exist yet, for the user alone (mode 0600)."""
        flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL
        with open(os.open(name, flags, 0o600, dir_fd=self._folder), "wb") as file:
            file.write(content)

    def rename(self, old: str, new: str) -> None:
        """Replace a file by another, atomically."""
        os.rename(old, new, src_dir_fd=self._folder, dst_dir_fd=self._folder)

    def remove(self, name: str) -> None:
        """Remove a file."""
        os.unlink(name, dir_fd=self._folder)

    def touch(self, name: str) -> None:
        """Set the time of a file to now."""
        os.utime(name, dir_fd=self._folder)

    def names(self) -> list[str]:
        """The names of all files."""
        return os.listdir(self._folder)

    def about(self, name: str) -> os.stat_result:
        """Time and size of a file, of a link those of the link itself."""
        return os.stat(name, dir_fd=self._folder, follow_symlinks=False)

    def lock(self, name: str) -> Callable[[], None] | None:
        """Lock a file; the returned function releases it."""
        import fcntl

        descriptor = os.open(name, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW, 0o600, dir_fd=self._folder)
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BaseException as error:
            os.close(descriptor)
            if isinstance(error, BlockingIOError):
                return None
            raise
        return partial(os.close, descriptor)


def lock_folder(path: Path) -> Callable[[], None] | None:
    """Lock a folder; the returned function releases it."""
    import fcntl

    descriptor = os.open(path, os.O_RDONLY | os.O_DIRECTORY)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BaseException as error:
        os.close(descriptor)
        if isinstance(error, BlockingIOError):
            return None
        raise

    def release() -> None:
        fcntl.flock(descriptor, fcntl.LOCK_UN)  # also where a child of a fork has the folder open
        os.close(descriptor)

    return release


def around_fork(before: Callable[[], object], after: Callable[[], object]) -> None:
    """Register the first to be called before every fork, the second after it in parent and child."""
    os.register_at_fork(before=before, after_in_parent=after, after_in_child=after)


def function_of_c(name: str) -> Any:
    """A function of the C library that this process runs with."""
    return getattr(ctypes.CDLL(None), name)


def mathematics() -> str:
    """The file of the C library's mathematics."""
    return ctypes.util.find_library("m") or "libm.so.6"


def symbols_of_code() -> dict[str, int]:
    """None: what LLVM's code refers to is in the C library."""
    return {}


def of_its_own() -> dict[str, Any]:
    """A session of its own, without a terminal."""
    return {"start_new_session": True}


def yield_to_others() -> None:
    """Lower the priority of this process and of those that it starts."""
    os.nice(10)
