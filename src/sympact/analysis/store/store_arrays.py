"""The Zarr group of a store and its arrays."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from sympact.analysis.store.store_layout import Layout, Variable

__all__ = ["create", "open_store", "read_mended", "zarr_package"]

_CURE = "python -m pip install 'sympact[store]'"


def zarr_package() -> Any:
    """The package zarr.

    Raises
    ------
    ImportError
        Without it.
    """
    try:
        import zarr
    except ImportError as error:
        raise ImportError(f"a store needs zarr, which is not installed; install it with: {_CURE}") from error
    return zarr


def open_store(path: Path, mode: str) -> Any:
    """The group of a store."""
    return zarr_package().open_group(str(path), mode=mode, zarr_format=2, use_consolidated=False)


def create(group: Any, variable: Variable, layout: Layout) -> Any:
    """An array in a group; chunks that are there already are its own."""
    shape = tuple(layout.sizes[axis] for axis in variable.axes)
    return group.create_array(
        variable.name,
        shape=shape,
        chunks=variable.chunks(shape),
        dtype=variable.kind,
        fill_value=variable.fill,
        attributes=variable.attributes,
    )


def read_mended(array: Any, place: slice) -> np.ndarray:
    """Some rows of an array; chunks that cannot be read are emptied, so that they can be written again."""
    try:
        return array[place]
    except Exception:  # whatever a codec says of damaged bytes
        _empty_unreadable(array)
        return array[place]


def _empty_unreadable(array: Any) -> None:
    size = array.chunks[0]
    for first in range(0, array.shape[0], size):
        place = slice(first, min(first + size, array.shape[0]))
        try:
            array[place]
        except Exception:  # as above
            array[place] = np.nan if array.dtype.kind == "f" else np.zeros((), array.dtype)
