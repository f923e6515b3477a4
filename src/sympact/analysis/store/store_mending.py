"""What of a store is lost or changed: a warning states it, and the runs concerned are made again."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from sympact.analysis.store.run_checks import event_checks, event_sums, kinds_check, row_checks
from sympact.analysis.store.store_arrays import create, open_store, read_mended, zarr_package
from sympact.analysis.store.store_header import attributes_of
from sympact.analysis.store.store_layout import EVENT_COLUMNS, Layout
from sympact.integrate.problem.status import Status
from sympact.integrate.problem.warning import SympactWarning, tell

__all__ = ["mend_store"]

_ROWS = 65536  # of events, read at once
_LISTED = 4
"""Arrays that a warning names."""


@dataclass
class _Damage:
    """What was found.

    Attributes
    ----------
    runs : array of bool, shape (runs,)
        The runs concerned.
    arrays : dict of str to int
        How many runs each array concerns, by its name; 0 for what all runs share.
    """

    runs: np.ndarray
    arrays: dict[str, int] = field(default_factory=dict)

    def add(self, name: str, runs: np.ndarray) -> None:
        """These runs have something else in this array than was written."""
        if runs.any():
            self.arrays[name] = self.arrays.get(name, 0) + int(runs.sum())
            self.runs |= runs

    def tell(self, path: Path) -> None:
        """Give a warning, if something was found."""
        if not self.arrays:
            return
        named = ", ".join(f"{name!r}" for name in list(self.arrays)[:_LISTED])
        more = f" and {len(self.arrays) - _LISTED} more" if len(self.arrays) > _LISTED else ""
        count, first = int(self.runs.sum()), int(np.argmax(self.runs))
        again = f"{count:,} runs, the first one run {first}, are made again" if count else "it is written again"
        text = f"the store {path} was damaged: something in {named}{more} is lost or changed; {again}"
        tell(SympactWarning(text, "damaged store"))


def mend_store(
    path: Path, layout: Layout, header: Mapping[str, Any], constants: Mapping[str, np.ndarray]
) -> tuple[dict[str, Any], np.ndarray, bool]:
    """Check a store against what was written, by its one writer.

    Arrays that cannot be opened are made again, chunks that cannot be read are emptied, and runs with something else
    than was written are no longer there; a warning counts them.

    Returns
    -------
    arrays : dict of str to Array
        The arrays of the store.
    ended : array of bool, shape (runs,)
        Which runs are there.
    whole : bool
        Whether nothing was lost or changed.
    """
    for part in path.glob("*/*.partial"):
        part.unlink(missing_ok=True)  # of a process that was killed
    damage = _Damage(np.zeros(layout.runs, dtype=bool))
    group = _described(path, header)
    _mend_metadata(path, group, layout, damage)
    arrays = dict(open_store(path, "r+").arrays())
    for name, values in ((name, constants[name]) for name in constants if name in arrays):
        if not np.array_equal(read_mended(arrays[name], slice(None)), values, equal_nan=values.dtype.kind == "f"):
            arrays[name][...] = values
            damage.arrays.setdefault(name, 0)
    ended = _ended(arrays, layout, damage)
    _leave_out(arrays, layout, ended, ended & ~damage.runs)
    damage.tell(path)
    return arrays, ended & ~damage.runs, not damage.arrays


def _described(path: Path, header: Mapping[str, Any]) -> Any:
    """The group, with its description."""
    wanted = attributes_of(header)
    try:
        group = open_store(path, "r+")
        if dict(group.attrs) == wanted:
            return group
    except Exception:  # whatever Zarr says of a damaged file
        for file in (".zgroup", ".zattrs"):
            (path / file).unlink(missing_ok=True)
        group = zarr_package().open_group(str(path), mode="a", zarr_format=2, use_consolidated=False)
    group.attrs.put(wanted)
    return group


def _mend_metadata(path: Path, group: Any, layout: Layout, damage: _Damage) -> None:
    """Make again what describes an array where that is lost or changed; its chunks stay."""
    zarr = zarr_package()
    pattern = zarr.open_group(zarr.storage.MemoryStore(), mode="w", zarr_format=2)
    for one in layout.variables():
        like, place = create(pattern, one, layout), path / one.name
        try:
            found = group[one.name]
            about, same = dict(found.attrs), _metadata(found, one.axes) == _metadata(like, one.axes)
        except Exception:  # whatever Zarr says of a damaged file
            about, same = {}, False
        if not same:
            for file in (place / ".zarray", place / ".zattrs", *([place] if place.is_file() else [])):
                file.unlink(missing_ok=True)
            found = create(group, one, layout)
            damage.arrays.setdefault(one.name, 0)
        known = one.name == "warnings" and about.get("check") == kinds_check(about.get("kinds", ()))
        wanted = {**one.attributes, "kinds": about["kinds"], "check": about["check"]} if known else one.attributes
        if not same or about != wanted:
            found.attrs.put(wanted)


def _metadata(array: Any, axes: tuple[str, ...]) -> tuple:
    """What determines how chunks are read, without the number of events."""
    found = array.metadata.to_dict()
    shape = tuple(found.pop("shape"))
    found.pop("attributes", None)
    return shape[1:] if axes[0] == "event" else shape, {name: repr(value) for name, value in found.items()}


def _pieces(array: Any) -> Iterator[tuple[slice, np.ndarray]]:
    """The chunks of an array along its first axis."""
    size = array.chunks[0]
    for first in range(0, array.shape[0], size):
        place = slice(first, min(first + size, array.shape[0]))
        yield place, read_mended(array, place)


def _ended(arrays: Mapping[str, Any], layout: Layout, damage: _Damage) -> np.ndarray:
    """Which runs have a status, of whatever value; those with something else than was written are damaged."""
    numbers, checks = np.arange(layout.runs), read_mended(arrays["check"], slice(None))
    ended = read_mended(arrays["status"], slice(None)) != Status.INTERRUPTED.code
    for column, name in enumerate(layout.checked):
        if name == "events":
            wrong = event_checks(_sums(arrays, layout), numbers) != checks[:, column]
        else:
            wrong = np.zeros(layout.runs, dtype=bool)
            for place, values in _pieces(arrays[name]):
                wrong[place] = row_checks(values, numbers[place]) != checks[place, column]
        damage.add(name, wrong & ended)
    flags = read_mended(arrays["warnings"], slice(None))
    damage.add("warnings", ended & (flags >> np.uint32(len(arrays["warnings"].attrs["kinds"])) != 0))
    return ended


def _sums(arrays: Mapping[str, Any], layout: Layout) -> np.ndarray:
    """The sums over the events of each run."""
    found = np.zeros(layout.runs, dtype=np.uint64)
    for _, columns in _event_pieces(arrays):
        found += event_sums(columns, layout.runs)
    return found


def _rows(arrays: Mapping[str, Any]) -> int:
    """The number of events that all arrays have."""
    return min(arrays[name].shape[0] for name in EVENT_COLUMNS if name in arrays)


def _event_pieces(arrays: Mapping[str, Any]) -> Iterator[tuple[int, dict[str, np.ndarray]]]:
    """The events, some rows at a time, with the number of the first one."""
    names, rows = [name for name in EVENT_COLUMNS if name in arrays], _rows(arrays)
    for first in range(0, rows, _ROWS):
        place = slice(first, min(first + _ROWS, rows))
        yield first, {name: read_mended(arrays[name], place) for name in names}


def _leave_out(arrays: Mapping[str, Any], layout: Layout, ended: np.ndarray, there: np.ndarray) -> None:
    """Leave out all runs but those that are there, with their events.

    The statuses are written first, so that a kill meanwhile leaves fewer runs, and none that is wrong.
    """
    if (ended & ~there).any():
        status = arrays["status"][:]
        status[~there] = Status.INTERRUPTED.code
        arrays["status"][:] = status
    if not layout.events or _rows(arrays) == int(arrays["n_events"][:][there].sum()):
        return
    last = 0
    for first, columns in _event_pieces(arrays):
        run = columns["event_run"]
        kept = (run >= 0) & (run < layout.runs)
        kept[kept] = there[run[kept]]
        count = int(kept.sum())
        if count and (last != first or count < len(run)):
            for name, values in columns.items():
                arrays[name][last : last + count] = values[kept]
        last += count
