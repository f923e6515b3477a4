"""The consistency of the contents of an archive: lengths, ranges and strings, checked before a result is made of it."""

from __future__ import annotations

from collections.abc import Mapping
from numbers import Real

import numpy as np

from sympact.integrate.history.event import KINDS
from sympact.integrate.problem.status import Status
from sympact.integrate.trajectory.chart import Chart

__all__ = ["check_arrays", "check_header"]

_LENGTHS = ("length", "dead_band", "rebound_height")


def check_header(header: Mapping) -> None:
    """Raise ValueError where a string of the header is not one that `archive.write` writes."""
    states, stages = header["states"], header["stages"]
    pairs, graph, settings = header.get("pairs", []), header["graph"], header.get("settings", {})
    faults = {
        "states": _are_texts(states) and len(set(states)) == len(states) > 0,
        "stages": isinstance(stages, list) and len(stages) > 0 and all(map(_is_stage, stages)),
        "status": isinstance(header["status"], str) and header["status"] in Status.__members__,
        "counts": isinstance(header["counts"], dict) and all(map(_is_count, header["counts"].values())),
        "settings": isinstance(settings, dict) and _are_settings(settings) and _has_lengths(settings),
        "detail": isinstance(header.get("detail", ""), str),
        "warnings": _are_lists_of_texts(header.get("warnings", []), 3),
        "pairs": _are_lists_of_texts(pairs, 2) and {name for pair in pairs for name in pair} <= set(states),
        "graph": graph is None or isinstance(graph, dict),
        "outputs": _are_outputs(header.get("outputs", {})),
        "observed": _are_observed(header.get("observed", {})),
        "model": header.get("model") is None or isinstance(header["model"], dict),
        "identity": header.get("identity") is None or _is_identity(header["identity"]),
        "chart": _is_chart(header.get("chart"), states),
    }
    if not all(faults.values()):
        raise ValueError(f"its header has unreadable {', '.join(name for name, right in faults.items() if not right)}")


def check_arrays(arrays: Mapping[str, np.ndarray], header: Mapping) -> None:
    """Raise ValueError where lengths are inconsistent, or a number is outside of its range."""
    chart = header.get("chart")
    n = len(header["states"]) if chart is None else Chart.from_table(chart)[0].size
    faults = _lengths(arrays, n) or _ranges(arrays, header["stages"]) or _outputs(arrays, header.get("outputs", {}))
    if faults:
        raise ValueError("; ".join(faults))


def _lengths(arrays: Mapping[str, np.ndarray], n: int) -> list[str]:
    """A sentence for each array of another shape than the samples t, the events and the steps require."""
    m, k, nb = len(arrays["t"]), len(arrays["event_t"]), arrays["event_fired"].shape[1]
    steps, degree = int(np.count_nonzero(arrays["h"])), arrays["segment_coefficients"].shape[1]
    shapes = {"x": (m, n), "h": (m,), "stage": (m,), "event_impulse": (k, nb), "event_fired": (k, nb), "t_inf": (2,)}
    shapes["event_friction"] = (k, arrays["event_friction"].shape[1], 3)
    shapes |= {name: (k,) for name in arrays if name.startswith("event_") and name not in shapes}
    shapes |= {"segment_t0": (steps,), "segment_h": (steps,), "segment_x0": (steps, n)}
    shapes["segment_coefficients"] = (steps, degree, n)
    faults = [
        f"{name} has the shape {arrays[name].shape}, expected {shape} for {m} samples, {k} events and {steps} steps"
        for name, shape in shapes.items()
        if arrays[name].shape != shape
    ]
    if m == 0 or arrays["event_friction"].shape[1] > nb or (steps > 0 and degree == 0):
        faults.append("there are no samples, no polynomials, or more contacts than boundaries")
    return faults


def _outputs(arrays: Mapping[str, np.ndarray], outputs: Mapping[str, str]) -> list[str]:
    """A sentence where there are not as many values of outputs as the result has times."""
    times = arrays.get("t_eval", arrays["t"])
    shape = arrays["outputs"].shape if "outputs" in arrays else (0, len(times))
    if shape == (len(outputs), len(times)):
        return []
    return [f"outputs has the shape {shape}, expected ({len(outputs)}, {len(times)})"]


def _ranges(arrays: Mapping[str, np.ndarray], stages: list[dict]) -> list[str]:
    """A sentence for each array with a number outside of its range."""
    m, nb, times = len(arrays["t"]), arrays["event_fired"].shape[1], arrays["t"]
    widest = max(len(stage["boundaries"]) for stage in stages)
    t_eval = arrays.get("t_eval", times[:1])
    rules = {
        "t": _increase(times),
        "h": bool((arrays["h"] >= 0.0).all() and np.isfinite(arrays["h"]).all()),
        "event_t": _increase(arrays["event_t"]) and _within(arrays["event_t"], times[0], times[-1]),
        "event_sample": _within(arrays["event_sample"], 0, m - 2) and _increase(arrays["event_sample"]),
        "event_kind": _within(arrays["event_kind"], 0, len(KINDS) - 1),
        "event_fired": nb >= widest or not len(arrays["event_t"]),
        "segment_t0": _increase(arrays["segment_t0"]),
        "segment_h": bool((arrays["segment_h"] > 0.0).all() and np.isfinite(arrays["segment_h"]).all()),
        "t_eval": _increase(t_eval) and _within(t_eval, times[0], times[-1]),
    }
    rules |= {name: _within(arrays[name], 0, len(stages) - 1) for name in ("stage", "event_source", "event_target")}
    return [f"{name} has numbers outside of their range" for name, right in rules.items() if not right]


def _increase(values: np.ndarray) -> bool:
    return bool(np.isfinite(values).all() and (np.diff(values) >= 0.0).all())


def _within(values: np.ndarray, first: float, last: float) -> bool:
    return bool(((values >= first) & (values <= last)).all())


def _is_chart(chart: dict | None, states: list[str]) -> bool:
    """Nothing, or a chart of all states with a finite start."""
    if chart is None:
        return True
    found, start = Chart.from_table(chart)
    found.check(len(states))
    return start.shape == (len(states),) and bool(np.isfinite(start).all())


def _are_outputs(outputs: object) -> bool:
    """Texts by names."""
    return isinstance(outputs, dict) and all(isinstance(text, str) for text in outputs.values())


def _are_observed(observed: object) -> bool:
    """Two numbers and a string by names."""
    return isinstance(observed, dict) and all(
        isinstance(one, list)
        and len(one) == 3
        and isinstance(one[2], str)
        and all(isinstance(x, Real) for x in one[:2])
        for one in observed.values()
    )


def _is_identity(identity: object) -> bool:
    """A text, and numbers by names."""
    if not (isinstance(identity, list) and len(identity) == 2 and isinstance(identity[1], dict)):
        return False
    return isinstance(identity[0], str) and all(isinstance(number, Real) for number in identity[1].values())


def _is_stage(entry: object) -> bool:
    return (
        isinstance(entry, dict)
        and isinstance(entry.get("name"), str)
        and _are_texts(entry.get("boundaries"))
        and _are_lists_of_texts(entry.get("switches"), 2)
        and len(entry["switches"]) <= len(entry["boundaries"])
    )


def _are_texts(value: object) -> bool:
    return isinstance(value, list) and all(isinstance(entry, str) for entry in value)


def _are_lists_of_texts(value: object, length: int) -> bool:
    return isinstance(value, list) and all(_are_texts(entry) and len(entry) == length for entry in value)


def _is_count(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value >= 0


def _is_setting(value: object) -> bool:
    """A number, a text, nothing, or a list of numbers."""
    if isinstance(value, list):
        return all(isinstance(entry, Real) for entry in value)
    return value is None or isinstance(value, Real | str)


def _are_settings(settings: dict) -> bool:
    """Plain numbers and strings, the number of calls of each solver, and the times that are events by their names."""
    solvers, times = settings.get("solvers", {}), settings.get("time_events", {})
    plain = [value for name, value in settings.items() if name not in ("solvers", "time_events")]
    if not all(map(_is_setting, plain)) or not isinstance(solvers, dict) or not isinstance(times, dict):
        return False
    return all(map(_is_count, solvers.values())) and all(map(_are_times, times.values()))


def _are_times(when: object) -> bool:
    """The times of one name, as `names_at` takes them."""
    if not isinstance(when, dict) or not all(map(_is_setting, when.values())):
        return False
    if when.keys() == {"at"}:
        return isinstance(when["at"], list)
    return when.keys() == {"every", "phase"} and isinstance(when["phase"], Real) and _is_positive(when["every"])


def _is_positive(value: object) -> bool:
    return isinstance(value, Real) and float(value) > 0.0


def _has_lengths(settings: dict) -> bool:
    """Whether the settings of a run with contacts contain all of its lengths."""
    return "length" not in settings or all(isinstance(settings.get(name), Real) for name in _LENGTHS)
