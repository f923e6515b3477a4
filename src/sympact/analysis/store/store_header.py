"""What a store says of the ensemble that it holds, with a checksum."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np

__all__ = ["attributes_of", "differences", "digest_of", "header_of"]

_NAME, _CHECK = "sympact", "sympact_sha256"
_SENTENCES = {"model": "it is of another model", "x0": "its x0 is another", "parameters": "its parameters are others"}
"""How ensembles differ in what is compared by a digest."""


def attributes_of(header: Mapping[str, Any]) -> dict[str, Any]:
    """The attributes of the group of a store: those for readers, and the header with its checksum."""
    text = json.dumps(header)
    return {**header["about"], _NAME: text, _CHECK: _checksum(text)}


def header_of(path: Path) -> dict[str, Any]:
    """What a store says of the ensemble that it holds.

    Raises
    ------
    ValueError
        If there is no store, it holds something else, or what it says is damaged.
    """
    if not path.exists():
        raise ValueError(f"there is no store {path}; ensemble(..., store={str(path)!r}) makes one")
    damaged, others = False, False
    for found in _descriptions(path):
        if not isinstance(found, Mapping):
            damaged = True
        elif _NAME not in found:
            others = True
        elif found.get(_CHECK) == _checksum(str(found[_NAME])):
            return json.loads(found[_NAME])
        elif _CHECK not in found:
            raise ValueError(
                f"the store {path} was written by an earlier version of sympact, without checks of its runs; read it "
                "with that version, and make the runs anew in another path"
            )
        else:
            damaged = True
    if damaged:
        raise ValueError(
            f"the store {path} is damaged: its description, .zattrs, is not as it was written, nor is the copy in "
            ".zmetadata, so that nobody knows which runs these are; restore one of both files, or make the runs anew "
            "in another path"
        )
    if others or (path / ".zgroup").exists():
        raise ValueError(f"{path} is a Zarr group, but no store of an ensemble; give another path")
    raise ValueError(f"{path} is no store of an ensemble: it has no .zattrs; give another path")


def _descriptions(path: Path) -> Iterator[object]:
    """The attributes of the group, and their copy; None for one that cannot be read."""
    for file, inside in ((".zattrs", ()), (".zmetadata", ("metadata", ".zattrs"))):
        if (path / file).exists():
            try:
                found = json.loads((path / file).read_bytes())
                for key in inside:
                    found = found[key]
            except (ValueError, KeyError, TypeError, RecursionError):
                found = None
            yield found


def differences(there: Mapping[str, Any], here: Mapping[str, Any]) -> list[str]:
    """In which respects two ensembles differ, each as a part of a sentence."""
    told = []
    for name, value in json.loads(json.dumps(here["identity"])).items():
        other = there["identity"].get(name)
        if other == value:
            continue
        if isinstance(value, dict) and isinstance(other, dict):
            differing = [key for key in value if other.get(key) != value[key]]
            told += [f"{key} is {other.get(key)!r} there and {value[key]!r} here" for key in differing]
        elif name in _SENTENCES:
            told.append(_SENTENCES[name])
        else:
            told.append(f"{name} is {other!r} there and {value!r} here")
    return told


def digest_of(values: np.ndarray) -> str:
    """A checksum of what all runs share."""
    content = np.ascontiguousarray(values).tobytes()
    return hashlib.sha256(f"{values.dtype.str} {values.shape}".encode() + content).hexdigest()


def _checksum(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()
