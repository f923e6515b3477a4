"""The members of an archive of a run, checked before anything of them is unpacked.

`Result.save` writes them uncompressed, so that a file can never contain more numbers than it has bytes.
"""

from __future__ import annotations

import zipfile
from collections.abc import Mapping
from typing import IO

import numpy as np

__all__ = ["Member", "describe_members", "differences", "read_array"]

Member = tuple[np.dtype, tuple[int, ...]]
"""The dtype and the shape of an array."""

_HEADERS = {(1, 0): np.lib.format.read_array_header_1_0, (2, 0): np.lib.format.read_array_header_2_0}


def describe_members(archive: zipfile.ZipFile, size: int) -> dict[str, Member]:
    """The arrays of an archive, from their headers alone.

    Parameters
    ----------
    archive : ZipFile
    size : int
        Of the file (bytes).

    Raises
    ------
    ValueError
        If a member is compressed, occurs twice, is no array of plain numbers or text, or has another length than its
        header states.
    """
    if sum(entry.file_size for entry in archive.infolist()) > size:
        raise ValueError("its members claim to be larger than the file")
    found: dict[str, Member] = {}
    for entry in archive.infolist():
        name = entry.filename.removesuffix(".npy")
        if entry.compress_type != zipfile.ZIP_STORED or entry.file_size != entry.compress_size:
            raise ValueError(f"{entry.filename} is compressed, as Result.save writes nothing")
        if name in found or name == entry.filename:
            raise ValueError(f"{entry.filename} is there twice, or is no array")
        with archive.open(entry) as member:
            dtype, shape, start = _head(member, entry.filename)
        if start + dtype.itemsize * _product(shape) != entry.file_size:
            raise ValueError(f"{entry.filename} has {entry.file_size} bytes, which its header does not describe")
        found[name] = dtype, shape
    return found


def read_array(archive: zipfile.ZipFile, name: str) -> np.ndarray:
    """An array with a valid header."""
    with archive.open(f"{name}.npy") as member:
        return np.lib.format.read_array(member, allow_pickle=False)


def differences(found: Mapping[str, Member], kinds: Mapping[str, tuple[np.dtype | None, int]]) -> list[str]:
    """What is missing, unknown, or of another dtype or number of dimensions than expected; None means text."""
    faults = [f"{name} is missing" for name in kinds if name not in found]
    faults += [f"{name} is unknown" for name in found if name not in kinds]
    for name, (dtype, shape) in found.items():
        if name in kinds:
            expected, ndim = kinds[name]
            right = dtype.kind == "U" if expected is None else dtype == expected
            if not right or len(shape) != ndim:
                what = "text" if expected is None else expected
                faults.append(f"{name} has {len(shape)} dimensions of {dtype}, expected {ndim} of {what}")
    return faults


def _head(member: IO[bytes], name: str) -> tuple[np.dtype, tuple[int, ...], int]:
    """dtype, shape, and the position of the numbers."""
    version = np.lib.format.read_magic(member)
    if version not in _HEADERS:
        raise ValueError(f"{name} has the version {version} of NumPy's format, expected one of {[*_HEADERS]}")
    shape, _, dtype = _HEADERS[version](member)
    if dtype.hasobject or dtype.kind not in "fibU" or not all(extent >= 0 for extent in shape):
        raise ValueError(f"{name} is an array of {dtype}, shape {shape}; expected plain numbers or text")
    return dtype, shape, member.tell()


def _product(shape: tuple[int, ...]) -> int:
    """Integers without a largest one."""
    size = 1
    for extent in shape:
        size *= extent
    return size
