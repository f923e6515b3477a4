"""The twin of `platform_posix` for systems without its calls, such as Windows: plain paths, no owner and no mode.

Such a system protects a folder below the user's profile by access lists, which Python does not read: owner and mode are
not checked, and only symbolic links are refused. No process is forked.
"""

from __future__ import annotations

import ctypes
import ctypes.util
import os
import stat
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

__all__ = [
    "OpenFolder",
    "around_fork",
    "function_of_c",
    "lock_folder",
    "mathematics",
    "of_its_own",
    "symbols_of_code",
    "yield_to_others",
]

_FLOATING = ctypes.c_int(0x9875)


class OpenFolder:
    """A folder by its path.

    Raises
    ------
    NotADirectoryError
        If the path is a symbolic link, or no folder.
    """

    def __init__(self, path: Path) -> None:
        if not stat.S_ISDIR(path.lstat().st_mode):
            raise NotADirectoryError(f"it is no folder: {path}")
        self._path = path

    def close(self) -> None:
        """Nothing to close."""

    def writable(self) -> bool:
        """Whether files can be created in it."""
        return os.access(self._path, os.W_OK)

    def read(self, name: str) -> bytes:
        """The content of a file; a symbolic link is not followed."""
        path = self._path / name
        if path.is_symlink():
            raise OSError(f"{path} is a symbolic link")
        return path.read_bytes()

    def create(self, name: str, content: bytes) -> None:
        """Write a file that does not exist yet."""
        with open(self._path / name, "xb") as file:
            file.write(content)

    def rename(self, old: str, new: str) -> None:
        """Replace a file by another, atomically."""
        os.replace(self._path / old, self._path / new)

    def remove(self, name: str) -> None:
        """Remove a file."""
        os.unlink(self._path / name)

    def touch(self, name: str) -> None:
        """Set the time of a file to now."""
        os.utime(self._path / name)

    def names(self) -> list[str]:
        """The names of all files."""
        return os.listdir(self._path)

    def about(self, name: str) -> os.stat_result:
        """Time and size of a file, of a link those of the link itself."""
        return os.lstat(self._path / name)

    def lock(self, name: str) -> Callable[[], None] | None:
        """Lock a file by holding it open: Windows does not remove a file that a process has open."""
        path = self._path / name
        try:
            path.unlink(missing_ok=True)
            return open(path, "xb").close
        except (PermissionError, FileExistsError):
            return None


def lock_folder(path: Path) -> Callable[[], None] | None:
    """Lock a folder by a file beside it, as `OpenFolder.lock` does."""
    return OpenFolder(path.parent).lock(f".{path.name}.lock")


def around_fork(before: Callable[[], object], after: Callable[[], object]) -> None:
    """Nothing: no process is forked."""


def function_of_c(name: str) -> Any:
    """A function of the C library that Python runs with."""
    return getattr(ctypes.CDLL(ctypes.util.find_library("c") or "msvcrt"), name)


def mathematics() -> str:
    """The file of the C library's mathematics."""
    return ctypes.util.find_library("m") or ctypes.util.find_library("c") or "msvcrt"


def symbols_of_code() -> dict[str, int]:
    """Addresses by the names that LLVM's code for Windows refers to and that linkers add: MCJIT looks for them.

    `_fltused` says that code has floating-point numbers, `__chkstk` touches the pages of a large stack one by one.
    """
    found = {"_fltused": ctypes.addressof(_FLOATING)}
    if hasattr(ctypes, "WinDLL"):
        probe = getattr(ctypes.WinDLL("ntdll"), "__chkstk")
        found["__chkstk"] = ctypes.cast(probe, ctypes.c_void_p).value or 0
    return found


def of_its_own() -> dict[str, Any]:
    """No console, a group and a low priority of its own."""
    flags = ("DETACHED_PROCESS", "CREATE_NEW_PROCESS_GROUP", "BELOW_NORMAL_PRIORITY_CLASS")
    return {"creationflags": sum(getattr(subprocess, flag, 0) for flag in flags)}


def yield_to_others() -> None:
    """Nothing: such a process is started with a low priority."""
