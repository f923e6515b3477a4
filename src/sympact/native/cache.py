"""Object code on disk, so that a model is compiled once per machine.

Loading object code means executing it, so that the folder must be the user's own: created with mode 0700, its owner and
mode checked whenever it is opened, its files accessed only through the checked folder, as far as the system has the
calls for it (`platform_calls`). A checksum over key and content detects damage (a full disk, a crash, a file under a
wrong name); a damaged file is removed and compiled anew.
"""

from __future__ import annotations

import hashlib
import os
import secrets
import threading
import time
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext, suppress
from functools import lru_cache
from pathlib import Path

import platformdirs

from sympact.native.system.platform_calls import Folder, open_folder

__all__ = ["ObjectCache", "default_cache"]

_MAGIC = b"sympact object 1\n"
_DIGEST = 32
_SUFFIX = ".object"
_UNFINISHED = ".part"
_UNFINISHED_AGE = 3600.0
_LIMIT = 256 * 1024 * 1024


class ObjectCache:
    """A folder of object files, each under the hash that identifies it.

    An unusable folder raises no exception: the program then runs uncached and warns once.

    Parameters
    ----------
    base : Path or None
        The folder ``objects`` is created inside it on first use. None: nothing is stored.
    limit : int
        Size in bytes above which the least recently used files are removed.

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
            with open_folder(self.folder) as folder:
                return _read(folder, key)
        except FileNotFoundError:
            return None
        except OSError as error:
            self._warn(error)
            return None

    def has(self, key: str) -> bool:
        """Whether there is a file for `key`; its contents are not checked."""
        return self.folder is not None and (self.folder / (key + _SUFFIX)).exists()

    def put(self, key: str, content: bytes) -> None:
        """Store `content` under `key`; other processes see all of it or nothing."""
        if self.folder is None:
            return
        try:
            with self._made(self.folder) as folder:
                _write(folder, key, content)
                _evict(folder, self.limit)
        except OSError as error:
            self._warn(error)

    def writable(self) -> bool:
        """Whether anything can be stored; the folder is created."""
        if self.folder is None:
            return False
        try:
            with self._made(self.folder) as folder:
                return folder.writable()
        except OSError as error:
            self._warn(error)
            return False

    def lock(self, name: str) -> Callable[[], None] | None:
        """Lock a file of the folder for this process; the returned function releases it, as does the process's end.

        None where another process holds it. Where nothing can be locked, nobody is kept waiting.
        """
        try:
            with self._made(self.folder) if self.folder else nullcontext() as folder:
                return folder.lock(name) if folder else _nothing
        except OSError:
            return _nothing

    @contextmanager
    def _made(self, path: Path) -> Iterator[Folder]:
        """The open folder, created where there is none."""
        path.parent.mkdir(parents=True, exist_ok=True)
        with suppress(FileExistsError):
            path.mkdir(mode=0o700)
        with open_folder(path) as folder:
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


def _nothing() -> None:
    """Releases what was not locked."""


def _checksum(key: str, content: bytes) -> bytes:
    return hashlib.sha256(key.encode() + b"\0" + content).digest()


def _read(folder: Folder, key: str) -> bytes | None:
    name = key + _SUFFIX
    try:
        data = folder.read(name)
    except FileNotFoundError:
        return None
    start = len(_MAGIC) + _DIGEST
    content = data[start:]
    if data[:start] != _MAGIC + _checksum(key, content):
        with suppress(FileNotFoundError):
            folder.remove(name)
        return None
    with suppress(FileNotFoundError):
        folder.touch(name)
    return content


def _write(folder: Folder, key: str, content: bytes) -> None:
    unfinished = f"{key}-{secrets.token_hex(8)}{_UNFINISHED}"
    try:
        folder.create(unfinished, _MAGIC + _checksum(key, content) + content)
        folder.rename(unfinished, key + _SUFFIX)
    except BaseException:
        with suppress(FileNotFoundError):
            folder.remove(unfinished)
        raise


def _evict(folder: Folder, limit: int) -> None:
    """Remove unfinished files of a crash, then the least recently used files until the rest fits."""
    files = []
    for name in folder.names():
        with suppress(FileNotFoundError):
            found = folder.about(name)
            if name.endswith(_UNFINISHED) and found.st_mtime < time.time() - _UNFINISHED_AGE:
                folder.remove(name)
            elif name.endswith(_SUFFIX):
                files.append((found.st_mtime_ns, name, found.st_size))
    total = sum(size for _, _, size in files)
    for _, name, size in sorted(files):
        if total <= limit:
            return
        with suppress(FileNotFoundError):
            folder.remove(name)
        total -= size
