"""Object code on disk, so that a model is compiled once per machine.

Loading object code is running it, so the folder must be the user's own: made with mode 0700, its owner and mode checked
whenever it is opened, its files reached only through the folder that was checked. A checksum over key and content
finds damage (a full disk, a crash, a file under a wrong name); a damaged file is removed and compiled anew.
"""

from __future__ import annotations

import hashlib
import os
import secrets
import stat
import threading
import time
import warnings
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import lru_cache
from pathlib import Path

import platformdirs

__all__ = ["ObjectCache", "default_cache"]

_MAGIC = b"sympact object 1\n"
_DIGEST = 32
_SUFFIX = ".object"
_UNFINISHED = ".part"
_UNFINISHED_AGE = 3600.0
_LIMIT = 256 * 1024 * 1024


class ObjectCache:
    """A folder of object files, each under the hash that identifies it.

    Nothing here raises for a folder that cannot be used: the program then runs uncached and says so once.

    Parameters
    ----------
    base : Path or None
        The folder ``objects`` is made inside it on first use. None: nothing is kept.
    limit : int
        Size in bytes above which the files used longest ago are removed.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as base:
    ...     cache = ObjectCache(Path(base))
    ...     cache.put("1f", b"machine code")
    ...     cache.get("1f"), cache.get("2e")
    (b'machine code', None)
    """

    def __init__(self, base: Path | None, limit: int = _LIMIT) -> None:
        self.folder = None if base is None else Path(base) / "objects"
        self.limit = limit
        self._lock = threading.Lock()
        self._warned = False

    def get(self, key: str) -> bytes | None:
        """The content stored under `key` (hexadecimal digits), or None; a damaged file is removed."""
        if self.folder is None:
            return None
        try:
            with self._opened() as folder:
                return _read(folder, key)
        except FileNotFoundError:
            return None
        except OSError as error:
            self._warn(error)
            return None

    def has(self, key: str) -> bool:
        """Whether there is a file for `key`; what is in it is not looked at."""
        return self.folder is not None and (self.folder / (key + _SUFFIX)).exists()

    def put(self, key: str, content: bytes) -> None:
        """Store `content` under `key`; other processes see all of it or nothing."""
        if self.folder is None:
            return
        try:
            with self._made() as folder:
                _write(folder, key, content)
                _evict(folder, self.limit)
        except OSError as error:
            self._warn(error)

    def writable(self) -> bool:
        """Whether anything can be stored; the folder is made."""
        if self.folder is None:
            return False
        try:
            with self._made() as folder:
                return os.access(".", os.W_OK, dir_fd=folder)
        except OSError as error:
            self._warn(error)
            return False

    @contextmanager
    def _opened(self) -> Iterator[int]:
        """A descriptor of the folder, after the check that it is the user's own."""
        folder = os.open(self.folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
        try:
            found = os.fstat(folder)
            if found.st_uid != os.getuid():
                raise PermissionError(f"it belongs to user {found.st_uid}, expected the present user {os.getuid()}")
            if found.st_mode & 0o077:
                raise PermissionError(f"others may enter it (mode {stat.S_IMODE(found.st_mode):04o}, expected 0700)")
            yield folder
        finally:
            os.close(folder)

    @contextmanager
    def _made(self) -> Iterator[int]:
        """The same after the folder was made, where there was none."""
        self.folder.parent.mkdir(parents=True, exist_ok=True)
        with suppress(FileExistsError):
            self.folder.mkdir(mode=0o700)
        with self._opened() as folder:
            yield folder

    def _warn(self, error: OSError) -> None:
        with self._lock:
            if self._warned:
                return
            self._warned = True
        warnings.warn(
            f"compiled code is not kept: the folder {str(self.folder)!r} cannot be used ({error}); models are compiled "
            "anew in every process. Set SYMPACT_CACHE_DIR to a folder of your own, or to 'off' to silence this",
            RuntimeWarning,
            stacklevel=2,
        )


def default_cache() -> ObjectCache:
    """The cache of this user: ``SYMPACT_CACHE_DIR`` if it is set (``off``: none), else the platform's cache folder."""
    return _cache_at(os.environ.get("SYMPACT_CACHE_DIR", ""))


@lru_cache(maxsize=8)
def _cache_at(setting: str) -> ObjectCache:
    if setting.lower() == "off":
        return ObjectCache(None)
    return ObjectCache(Path(setting).expanduser() if setting else platformdirs.user_cache_path("sympact"))


def _checksum(key: str, content: bytes) -> bytes:
    return hashlib.sha256(key.encode() + b"\0" + content).digest()


def _read(folder: int, key: str) -> bytes | None:
    name = key + _SUFFIX
    try:
        descriptor = os.open(name, os.O_RDONLY | os.O_NOFOLLOW, dir_fd=folder)
    except FileNotFoundError:
        return None
    with open(descriptor, "rb") as file:
        data = file.read()
    start = len(_MAGIC) + _DIGEST
    content = data[start:]
    if data[:start] != _MAGIC + _checksum(key, content):
        with suppress(FileNotFoundError):
            os.unlink(name, dir_fd=folder)
        return None
    with suppress(FileNotFoundError):
        os.utime(name, dir_fd=folder)
    return content


def _write(folder: int, key: str, content: bytes) -> None:
    unfinished = f"{key}-{secrets.token_hex(8)}{_UNFINISHED}"
    descriptor = os.open(unfinished, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600, dir_fd=folder)
    try:
        with open(descriptor, "wb") as file:
            file.write(_MAGIC + _checksum(key, content) + content)
        os.rename(unfinished, key + _SUFFIX, src_dir_fd=folder, dst_dir_fd=folder)
    except BaseException:
        with suppress(FileNotFoundError):
            os.unlink(unfinished, dir_fd=folder)
        raise


def _evict(folder: int, limit: int) -> None:
    """Remove what a crash left unfinished, then the files used longest ago until the rest fits."""
    files = []
    for name in os.listdir(folder):
        with suppress(FileNotFoundError):
            found = os.stat(name, dir_fd=folder, follow_symlinks=False)
            if name.endswith(_UNFINISHED) and found.st_mtime < time.time() - _UNFINISHED_AGE:
                os.unlink(name, dir_fd=folder)
            elif name.endswith(_SUFFIX):
                files.append((found.st_mtime_ns, name, found.st_size))
    total = sum(size for _, _, size in files)
    for _, name, size in sorted(files):
        if total <= limit:
            return
        with suppress(FileNotFoundError):
            os.unlink(name, dir_fd=folder)
        total -= size
