"""Machine code that an installation brings along: the units of the loop, compiled for several targets.

The folder ``objects`` of the package, which `make wheel` writes, has a folder for each target of `processor.TARGETS`,
with a file for each unit. The name of a file is the hash of the unit's sources and of the target, so that a checkout
whose kernels were edited finds none, and compiles its own. A checksum finds damage; a damaged file counts as missing.
"""

from __future__ import annotations

import hashlib
import zlib
from pathlib import Path

from sympact.native.processor import Target, host_target

__all__ = ["FOLDER", "any_for_this_machine", "find", "has", "write"]

FOLDER = Path(__file__).parents[1] / "objects"
"""Where the machine code of an installation is."""

_MAGIC = b"sympact shipped object 1\n"
_DIGEST = 32
HEAD = len(_MAGIC) + _DIGEST
"""The bytes of a file before its packed content."""


def find(key: str, folder: Path | None = None) -> bytes | None:
    """The content of the file for a key on this machine; None where there is none, or a damaged one.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     write("unit", b"machine code", host_target(), Path(folder))
    ...     find("unit", Path(folder)), find("other", Path(folder))
    (b'machine code', None)
    """
    try:
        data = _file(key, host_target(), folder).read_bytes()
    except OSError:
        return None
    if data[:HEAD] != _MAGIC + hashlib.sha256(data[HEAD:]).digest():
        return None
    return zlib.decompress(data[HEAD:])


def has(key: str, folder: Path | None = None) -> bool:
    """Whether there is a file for a key on this machine; its content is not checked."""
    return _file(key, host_target(), folder).exists()


def any_for_this_machine(folder: Path | None = None) -> bool:
    """Whether the installation has machine code for this machine at all."""
    return ((FOLDER if folder is None else folder) / host_target().name).is_dir()


def write(key: str, content: bytes, target: Target, folder: Path) -> None:
    """Write the file for a key and a target."""
    file, packed = _file(key, target, folder), zlib.compress(content, 9)
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(_MAGIC + hashlib.sha256(packed).digest() + packed)


def _file(key: str, target: Target, folder: Path | None) -> Path:
    name = hashlib.sha256(f"{key} {target.name}".encode()).hexdigest()[:32]
    return (FOLDER if folder is None else folder) / target.name / f"{name}.object"
