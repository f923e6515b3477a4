"""Arrays within plain data: moved to the members of an archive, and put back."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

import numpy as np

__all__ = ["is_member", "put_back", "taken_out"]

_MEMBER = re.compile(r"stored_\d{1,6}")
_KEY = "array of the file"


def is_member(name: str) -> bool:
    """Whether this is the name of such an array."""
    return _MEMBER.fullmatch(name) is not None


def taken_out(data: Any, arrays: dict[str, np.ndarray]) -> Any:
    """The data with a reference in place of each array, which is added to `arrays` as numbers in one row.

    >>> arrays = {}
    >>> data = taken_out({"times": np.eye(2)}, arrays)
    >>> data, list(arrays), put_back(data, arrays)["times"].tolist()
    ({'times': {'array of the file': 'stored_0', 'shape': [2, 2]}}, ['stored_0'], [[1.0, 0.0], [0.0, 1.0]])
    """
    if isinstance(data, np.ndarray):
        name = f"stored_{len(arrays)}"
        arrays[name] = np.ravel(data).astype(np.float64)
        return {_KEY: name, "shape": list(data.shape)}
    if isinstance(data, Mapping):
        return {key: taken_out(value, arrays) for key, value in data.items()}
    return [taken_out(value, arrays) for value in data] if isinstance(data, list | tuple) else data


def put_back(data: Any, arrays: Mapping[str, np.ndarray]) -> Any:
    """The data with its arrays.

    Raises
    ------
    KeyError, ValueError
        If an array is not there, or has another size.
    """
    if isinstance(data, Mapping):
        if _KEY in data:
            if not is_member(data[_KEY]):
                raise ValueError(f"{data[_KEY]!r} is no array of its inputs")
            return arrays[data[_KEY]].reshape(data["shape"])
        return {key: put_back(value, arrays) for key, value in data.items()}
    return [put_back(value, arrays) for value in data] if isinstance(data, list) else data
