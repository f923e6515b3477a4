"""Runs in files: an ``.npz`` of arrays with a JSON header; numbers and text, of which nothing is evaluated as code.

A file contains the samples, the events and the dense-output polynomials of a run, so that a restored run gives the same
values as the original, without the model. A SHA-256 checksum over header and arrays detects damage; the contents are
checked before they are unpacked (`members`) and for consistency (`contents`), since anybody can write a checksum.
"""

from __future__ import annotations

import hashlib
import json
import struct
import zipfile
import zlib
from collections.abc import Mapping
from os import SEEK_END, PathLike, fspath
from pathlib import Path

import numpy as np

from sympact.integrate.export.contents import check_arrays, check_header
from sympact.integrate.export.file_evaluator import FileEvaluator, Formulas, read_formulas
from sympact.integrate.export.members import Member, describe_members, differences, read_array
from sympact.integrate.export.nested_arrays import is_member, put_back, taken_out
from sympact.integrate.export.stored_outputs import StoredOutputs
from sympact.integrate.export.whole_file import whole_file
from sympact.integrate.history.event import NUMBERS
from sympact.integrate.history.event_numbers import FIRST_VERSION, numbers_table
from sympact.integrate.problem.continuation import Continuation
from sympact.integrate.problem.program import Program
from sympact.integrate.problem.stage import Stage
from sympact.integrate.problem.status import Status
from sympact.integrate.problem.warning import restored_warning
from sympact.integrate.steppers.interpolation import Segments, StoredInterpolant
from sympact.integrate.trajectory.chart import Chart
from sympact.integrate.trajectory.evaluator import Evaluator, Facts
from sympact.integrate.trajectory.observation import Observation
from sympact.integrate.trajectory.piece import KnownPiece
from sympact.integrate.trajectory.record import Record
from sympact.integrate.trajectory.trajectory import Coordinates, Trajectory
from sympact.version import __version__

__all__ = ["read", "write"]

_FORMAT = "sympact result"
_VERSION = max(one.since for one in NUMBERS)
_WITH_CHART = 5  # of runs that were integrated in other states than those of the model
_WITH_OUTPUTS = 6  # of runs of models that have outputs
_WITH_ARRAYS = 7  # of runs whose inputs are data
_READABLE = range(FIRST_VERSION, max(_VERSION, _WITH_ARRAYS) + 1)
_REAL, _WHOLE, _TRUTH, _TEXT = np.dtype(np.float64), np.dtype(np.int64), np.dtype(bool), None
_RECORD = {
    "t": (_REAL, 1),
    "x": (_REAL, 2),
    "h": (_REAL, 1),
    "stage": (_WHOLE, 1),
    "event_t": (_REAL, 1),
    "event_sample": (_WHOLE, 1),
    "event_source": (_WHOLE, 1),
    "event_target": (_WHOLE, 1),
    "event_fired": (_TRUTH, 2),
    "event_impulse": (_REAL, 2),
    "event_friction": (_REAL, 3),
    "event_kind": (_WHOLE, 1),
}
"""The arrays of a record but for the numbers of its events: dtype and number of dimensions."""
_SEGMENTS = {"t0": (_REAL, 1), "h": (_REAL, 1), "x0": (_REAL, 2), "coefficients": (_REAL, 3)}
_OTHERS = {"t_inf": (_REAL, 1), "header": (_TEXT, 0), "checksum": (_TEXT, 0)}
_OPTIONAL = {"t_eval": (_REAL, 1), "outputs": (_REAL, 2)}
_DAMAGE = (
    zipfile.BadZipFile,
    zlib.error,
    struct.error,
    ValueError,
    EOFError,
    KeyError,
    TypeError,
    AttributeError,
    OSError,
    RuntimeError,
    MemoryError,
    OverflowError,
    IndexError,
)
"""The possible exceptions of reading a damaged archive."""


def write(
    path: str | PathLike,
    record: Record,
    segments: Segments,
    program: Program,
    run: Trajectory,
    t_eval: np.ndarray | None,
    outputs: np.ndarray,
) -> None:
    """Write a run to the file `path`, which gets exactly this name; `outputs` are those of its model at its times."""
    arrays = {name: getattr(record.integrated, name) for name in _RECORD}
    arrays |= {one.member: record.number(one.name) for one in NUMBERS}
    arrays |= {f"segment_{name}": getattr(segments, name) for name in _SEGMENTS}
    arrays["t_inf"] = np.array([record.t_inf, record.t_inf_error])
    if t_eval is not None:
        arrays["t_eval"] = t_eval
    if len(outputs):
        arrays["outputs"] = outputs
    header, own = _header(record, program, run.evaluator, run.facts), dict[str, np.ndarray]()
    header["model"] = taken_out(header["model"], own)
    header["version"] = _version({_WITH_CHART: record.chart, _WITH_OUTPUTS: run.facts.outputs, _WITH_ARRAYS: own})
    arrays |= own
    arrays["header"] = np.array(json.dumps(header))
    with whole_file(path) as file:
        np.savez(file, checksum=np.array(_checksum(arrays)), **arrays)


def read(path: str | PathLike) -> tuple[Trajectory, np.ndarray | None]:
    """Read what `write` wrote: the run without its model, and its `t_eval`.

    Raises
    ------
    ValueError
        If the file is no run, of another version, incomplete, does not match its checksum, or is inconsistent.
    """
    header, arrays = _contents(path)
    try:
        return _restored(header, arrays)
    except _DAMAGE as error:
        raise _unreadable(path, error) from error


def _restored(header: dict, arrays: dict[str, np.ndarray]) -> tuple[Trajectory, np.ndarray | None]:
    """What `read` returns, from consistent contents."""
    stages = tuple(map(_stage, header["stages"]))
    program = Program(stages=stages, state_names=tuple(header["states"]))
    record = Record(
        **{name: arrays[name] for name in _RECORD},
        event_numbers=numbers_table(NUMBERS, len(arrays["event_t"]), lambda one: arrays.get(one.member, one.absent)),
        status=Status[header["status"]],
        t_inf=float(arrays["t_inf"][0]),
        t_inf_error=float(arrays["t_inf"][1]),
        counts=header["counts"],
        settings=header.get("settings", {}),
        detail=header.get("detail", ""),
        warnings=tuple(restored_warning(*warning) for warning in header.get("warnings", ())),
        continuation=Continuation.restored(header.get("continuation")),
    )
    segments, t_eval = Segments(*(arrays[f"segment_{name}"] for name in _SEGMENTS)), arrays.get("t_eval")
    model = _model(header, arrays, program, record.t if t_eval is None else t_eval)
    piece, table = (
        KnownPiece(record, StoredInterpolant(record.t, record.x, lambda: segments), program),
        header.get("chart"),
    )
    coordinates = None if table is None else Coordinates(*Chart.from_table(table), program.state_names)
    return Trajectory(piece, model, coordinates, complete=True), t_eval


def _model(header: dict, arrays: Mapping[str, np.ndarray], program: Program, times: np.ndarray) -> FileEvaluator:
    """What the file has of the model."""
    graph, formulas, names = header["graph"], Formulas(), header.get("outputs")
    if graph is not None and "p" in graph:
        boundaries = program.stages[0].boundary_names
        contacts = boundaries[: len(boundaries) - len(program.stages[0].switch_names)]
        formulas = read_formulas(graph, contacts, len(program.state_names))
    outputs = None
    if names:
        outputs = StoredOutputs(names, times, arrays["outputs"], formulas.get("outputs", ()), program.state_names)
    facts = Facts(
        contact_names=tuple(formulas.get("gaps", ())),
        outputs=names or {},
        between=outputs is None or outputs.between,
        pairs=tuple(tuple(pair) for pair in header.get("pairs", ())),
        without_potential=formulas.get("without_potential", ()),
        without_kinetic=formulas.get("without_kinetic", ""),
        observed={name: Observation(*one) for name, one in header.get("observed", {}).items()},
    )
    identity = header.get("identity")
    known = None if identity is None else (identity[0], identity[1])
    return FileEvaluator(facts, formulas, outputs, graph, put_back(header.get("model"), arrays), known)


def _version(needed: Mapping[int, object]) -> int:
    """The first version with all numbers of events, and with what else a file contains."""
    return max([_VERSION, *(version for version, there in needed.items() if there)])


def _header(record: Record, program: Program, model: Evaluator, facts: Facts) -> dict:
    identity = model.identity()
    return {
        "format": _FORMAT,
        "version": _VERSION,
        "sympact": __version__,
        "states": list(program.state_names),
        "stages": [
            {"name": stage.name, "boundaries": list(stage.boundary_names), "switches": list(stage.switch_names)}
            for stage in program.stages
        ],
        "status": record.status.name,
        "counts": {name: int(count) for name, count in record.counts.items()},
        "settings": record.settings,
        "detail": record.detail,
        "warnings": [[type(warning).__name__, warning.kind, str(warning)] for warning in record.warnings],
        "pairs": list(facts.pairs),
        "graph": model.graph(),
        "chart": record.chart,
        "continuation": None if record.continuation is None else record.continuation.stored(),
        "outputs": dict(facts.outputs),
        "observed": {name: [one.value, one.t, str(one.merge)] for name, one in facts.observed.items()},
        "model": model.stored(),
        "identity": None if identity is None else list(identity),
    }


def _stage(entry: dict) -> Stage:
    """A stage by its names in a file."""
    switches = tuple(tuple(pair) for pair in entry["switches"])
    return Stage(entry["name"], flow=0, boundary_names=tuple(entry["boundaries"]), switch_names=switches)


def _contents(path: str | PathLike) -> tuple[dict, dict[str, np.ndarray]]:
    """The header and the arrays of a file of valid format, completeness and checksum."""
    if not Path(path).exists():
        raise FileNotFoundError(f"there is no file {fspath(path)!r}; expected one that Result.save wrote")
    try:
        with open(path, "rb") as file, zipfile.ZipFile(file) as archive:
            found = describe_members(archive, file.seek(0, SEEK_END))
            header = json.loads(str(read_array(archive, "header")))
            form = header["format"], header["version"]
            known = form[0] == _FORMAT and form[1] in _READABLE
            if known:
                arrays = _arrays(archive, found, form[1])
                check_header(header)
    except _DAMAGE as error:
        raise _unreadable(path, error) from error
    if not known:
        raise ValueError(
            f"{path} has the format {form[0]!r} version {form[1]!r}; this sympact reads {_FORMAT!r} version"
            f" {' or '.join(map(str, _READABLE))};"
            f" the file was written by sympact {header.get('sympact', 'unknown')}: read it with that version"
        )
    if str(arrays.pop("checksum")) != _checksum(arrays):
        raise ValueError(
            f"{path} does not match its checksum: it was changed or damaged after it was written; take another copy"
        )
    try:
        check_arrays(arrays, header)
    except _DAMAGE as error:
        raise _unreadable(path, error) from error
    return header, arrays


def _arrays(archive: zipfile.ZipFile, found: dict[str, Member], version: int) -> dict[str, np.ndarray]:
    """All arrays of a file of a version, after a check of their dtypes and dimensions."""
    kinds = _RECORD | {f"segment_{name}": kind for name, kind in _SEGMENTS.items()} | _OTHERS
    kinds |= {one.member: (_REAL, 1) for one in NUMBERS if one.since <= version}
    kinds |= {name: kind for name, kind in _OPTIONAL.items() if name in found}
    kinds |= {name: (_REAL, 1) for name in found if is_member(name)}
    faults = differences(found, kinds)
    if faults:
        raise ValueError("; ".join(faults))
    return {name: read_array(archive, name) for name in found}


def _unreadable(path: str | PathLike, error: Exception) -> ValueError:
    return ValueError(
        f"{path} is not a readable run of sympact ({error}); it may be cut short or another kind of file;"
        " copy it again or save the run again"
    )


def _checksum(arrays: Mapping[str, np.ndarray]) -> str:
    digest = hashlib.sha256()
    for name in sorted(arrays):
        array = np.ascontiguousarray(arrays[name])
        digest.update(f"{name} {array.dtype.str} {array.shape}".encode())
        digest.update(array.tobytes())
    return digest.hexdigest()
