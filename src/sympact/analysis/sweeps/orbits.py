"""Periodic orbits: fixed points of return maps, and their multipliers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from sympact.analysis.draws import read_given
from sympact.analysis.run_subject import subject_of
from sympact.analysis.subjects import Subject
from sympact.analysis.sweeps.section_states import Section, read_section
from sympact.integrate.export.tables import Column, dataset
from sympact.integrate.present.table import Sheet, Table, number
from sympact.integrate.result import Result
from sympact.on_request import on_request

if TYPE_CHECKING:
    import xarray
    from matplotlib.figure import Figure

__all__ = ["PeriodicOrbit", "find_orbit"]

_ITERATIONS = 30
"""Newton steps before a search is given up; near a solution it needs four or five."""
_SAMPLES = 200
"""Samples of the run over an orbit, at least."""


@dataclass(frozen=True, eq=False)
class PeriodicOrbit:
    """A periodic orbit, as `find_orbit` gives it.

    Attributes
    ----------
    x : array, shape (n_states,)
        The state just after a return to the section.
    t : float
        The time of that return (s), with a forcing in its first period.
    duration : float
        The time until the orbit repeats (s).
    multipliers : array of complex, shape (n_multipliers,)
        The eigenvalues of the derivative of the return map, the largest absolute value first: those of the directions
        within the section.
    residual : float
        The largest difference of a state after the orbit from itself, in parts of the largest absolute state or of 1.
    iterations : int
        Newton steps.
    result : Result
        A run over the orbit, from a state between the section and the next event.
    """

    x: np.ndarray
    t: float
    duration: float
    multipliers: np.ndarray
    residual: float
    iterations: int
    result: Result

    @property
    def stable(self) -> bool:
        """Whether all multipliers are within the unit circle."""
        return bool((np.abs(self.multipliers) < 1.0).all())

    def to_xarray(self) -> xarray.Dataset:
        """The orbit at the samples of its run, and its multipliers, with the dimensions time, state and multiplier.

        Raises
        ------
        ImportError
            Without xarray: ``python -m pip install 'sympact[tables]'``.
        """
        columns = {
            "x": Column(("state", "time"), self.result.x),
            "multipliers_real": Column(("multiplier",), self.multipliers.real),
            "multipliers_imaginary": Column(("multiplier",), self.multipliers.imag),
        }
        coordinates = {
            "state": Column(("state",), np.array(self.result.state_names)),
            "time": Column(("time",), self.result.t, "s"),
        }
        return dataset(columns, coordinates, {"duration": self.duration})

    def plot(self, horizontal: Any, vertical: Any, **options) -> Figure:
        """Draw the orbit in the plane of two quantities, and its multipliers; see `plot_orbit`."""
        return on_request("plot_orbit")(self, horizontal, vertical, **options)

    def __repr__(self) -> str:
        stable, told = "stable" if self.stable else "unstable", ", ".join(map(_written, self.multipliers))
        return f"<PeriodicOrbit of {self.duration:.9g} s, {stable}, multipliers {told}>"

    def _repr_html_(self) -> str:
        facts = {"duration": f"{self.duration:.9g} s", "stable": "yes" if self.stable else "no"}
        states = zip(self.result.state_names, map(number, self.x.tolist()), strict=True)
        multipliers = [(_written(one), number(abs(one))) for one in self.multipliers]
        tables = (Table(("state", "value"), list(states)), Table(("multiplier", "absolute value"), multipliers))
        return Sheet("PeriodicOrbit", facts, tables).html


def _written(value: complex) -> str:
    return f"{value.real:.6g}{value.imag:+.6g}j" if value.imag else f"{value.real:.6g}"


def find_orbit(
    model: Any,
    section: Any,
    guess: Any = None,
    parameters: Any = None,
    *,
    t_max: float,
    t_start: float = 0.0,
    returns: int = 1,
    period: float | None = None,
    rtol: float = 1e-12,
    atol: float = 1e-14,
    **options,
) -> PeriodicOrbit:
    """Find a periodic orbit by Newton's method on the return map of a section.

    The unknown is a state between the section and the next event, and with a forcing its time: it is compared with the
    state so long after the last return of a run from it. The derivative is made of differences of runs at the
    tolerances given here; jumps are part of the map, so that no saltation matrices are needed [1]_.

    Parameters
    ----------
    model : HybridModel, HybridSystem, or a ready model of `sympact.models`
    section
        As for `return_map`; of a `Strobe` the state at its period.
    guess : mapping or array, shape (n_states,)
        A state from which a run reaches the section near the orbit; of a ready model its start by default.
    parameters : mapping
    t_max : float
        Within this time a run has made its returns (s).
    t_start : float
        The time of the guess (s).
    returns : int
        The returns of one orbit: 2 for an orbit of period two.
    period : float, optional
        Of a forcing that depends on time (s). Without it the motion must not depend on time.
    rtol, atol
        Of the runs.
    **options
        Those of the runs: ``inputs``, ``method``, ``max_step``, ``engine``; of a process ``start``, its stage.

    Returns
    -------
    PeriodicOrbit

    Raises
    ------
    ValueError
        If a run does not return so often within `t_max`, the search does not converge, and as `return_map` does.

    References
    ----------
    .. [1] R. I. Leine, H. Nijmeijer, *Dynamics and Bifurcations of Non-Smooth Mechanical Systems*, Springer 2004,
       chapter 7: the derivative of a return map contains the jumps of the fundamental solution.

    Examples
    --------
    The ball on a vibrating table that meets it once a period leaves it with g T / 2, up and down in one period T:

    >>> from sympact.models import shaking_table
    >>> table = shaking_table(0.9, 0.8)
    >>> orbit = find_orbit(table, "ball", {"z": 0.01, "v": 1.0}, t_max=0.5, t_start=0.036, period=0.2)
    >>> orbit.stable, round(orbit.duration, 9), round(float(orbit.x[1]), 9)
    (True, 0.2, 0.981)
    """
    found = read_section(model, section)
    search = _Search(found, t_max, returns, period, {**options, "rtol": rtol, "atol": atol})
    place = search.begin(guess, parameters, t_start)
    place, iterations = _newton(search, place)
    return search.orbit(place, iterations)


class _Search:
    """The return map between places: a time and a state between the section and the next event.

    Parameters
    ----------
    section : Section
    t_max, returns, period
        As for `find_orbit`.
    options : dict
    """

    def __init__(self, section: Section, t_max: float, returns: int, period: float | None, options: dict[str, Any]):
        if returns < 1:
            raise ValueError(f"returns is {returns!r}, expected a positive whole number")
        self.section, self.t_max, self.returns, self.period = section, t_max, returns, period
        self.rtol, self._options = options["rtol"], options
        self.after, self._start = 0.0, 0.0
        self._numbers = np.zeros(0)

    @property
    def timed(self) -> bool:
        """Whether the time is unknown as well."""
        return self.period is not None and self.section.strobe is None

    def begin(self, guess: Any, parameters: Any, t_start: float) -> np.ndarray:
        """The first place: half way from the first return to the event after it."""
        self._given, self._start = (guess, parameters), t_start
        subject, start, numbers = self._subject(t_start, t_start + self.t_max)
        self._numbers = read_given("parameters", numbers, subject.parameters, subject.numbers).rows(1, None)[0]
        x = read_given("x0", start, subject.states, subject.state).rows(1, None)[0]
        if self.section.strobe is not None:
            return x
        result = subject.alone(x, self._numbers)
        first = self._returns(result, 1)[0]
        later = result.t[result.t > first]
        events = result._record.event_t
        ends = events[events > first]
        until = ends[0] if ends.size else later[-1]
        self.after = (until - first) / 2.0
        return self._place(first + self.after, result(first + self.after))

    def mapped(self, place: np.ndarray) -> np.ndarray:
        """The place after the last return of a run from a place, in its own period of the forcing."""
        t, x = self._where(place)
        if self.section.strobe is not None:
            return self._run(t, x, t + self.returns * self.section.strobe.period).x[:, -1]
        last, result = self._last(t, x)
        time = last + self.after
        if self.period is not None:
            time -= self.period * round((time - t) / self.period)
        return self._place(time, result(last + self.after))

    def derivative(self, place: np.ndarray) -> np.ndarray:
        """The derivative of the map at a place, by differences of fourth order, shape (n, n).

        The steps are the cube root of the tolerance of the runs, times the largest value of each state along a run, or
        `t_max`: the errors of the runs, divided by them, are larger than those of the differences.
        """
        t, x = self._where(place)
        result = self._run(t, x, t + self.t_max)
        largest = np.abs(result.x).max(axis=1)
        own = np.where(largest > 0.0, largest, 1.0)
        sizes = self.rtol ** (1.0 / 3.0) * (np.concatenate([[self.t_max], own]) if self.timed else own)
        columns = []
        for i, size in enumerate(sizes):
            moved = np.zeros(len(place))
            moved[i] = size
            near = self.mapped(place + moved) - self.mapped(place - moved)
            far = self.mapped(place + 2.0 * moved) - self.mapped(place - 2.0 * moved)
            columns.append((8.0 * near - far) / (12.0 * size))
        return np.array(columns).T

    def orbit(self, place: np.ndarray, iterations: int) -> PeriodicOrbit:
        """The orbit through a place."""
        t, x = self._where(place)
        matrix = self.derivative(place)
        values = np.linalg.eigvals(matrix).astype(complex)
        values = values[np.argsort(-np.abs(values), kind="stable")]
        residual = _size(self.mapped(place) - place, place)
        if self.section.strobe is not None:
            duration = self.returns * self.section.strobe.period
            return PeriodicOrbit(x, t, duration, values, residual, iterations, self._drawn(t, x, duration))
        last, _ = self._last(t, x)
        duration = float(last + self.after - t)
        result = self._drawn(t, x, duration)
        event = [one for one in result.events if self.section.name in one.contacts][-1]
        phase = event.t if self.period is None else event.t % self.period
        return PeriodicOrbit(event.x_plus, phase, duration, values[:-1], residual, iterations, result)

    def _last(self, t: float, x: np.ndarray) -> tuple[float, Result]:
        """The time of the last return of a run from a place, and the run."""
        result = self._run(t, x, t + self.t_max)
        return self._returns(result, self.returns)[-1], result

    def _drawn(self, t: float, x: np.ndarray, duration: float) -> Result:
        """A run over the orbit with enough samples for a picture."""
        return self._run(t, x, t + duration, max_step=min(self._options.get("max_step", np.inf), duration / _SAMPLES))

    def _run(self, t: float, x: np.ndarray, t_end: float, **further) -> Result:
        subject, _, _ = self._subject(t, t_end, **further)
        return subject.alone(x, self._numbers)

    def _subject(self, t: float, t_end: float, **further) -> tuple[Subject, Any, Any]:
        options = {**self._options, **further}
        start, inputs = options.pop("start", None), options.pop("inputs", None) or {}
        controllers = tuple(options.pop("controllers", None) or ())
        settings = {"method": "DOP853", "max_step": np.inf, "max_events": 1_000_000, "max_steps": None}
        settings |= {"engine": None, "consistent": "project", **options}
        return subject_of(self.section.model, (t, t_end), *self._given, start, inputs, controllers, settings)

    def _returns(self, result: Result, wanted: int) -> list[float]:
        times = [event.t for event in result.events if self._counts(event)]
        if len(times) < wanted:
            raise ValueError(
                f"a run from t = {result.t[0]:.6g} returns {len(times)} times to the section {self.section.name!r} "
                f"within t_max = {self.t_max:.6g} s, expected {wanted}: {result.message}"
            )
        return times[:wanted]

    def _counts(self, event: Any) -> bool:
        return self.section.name in event.contacts and event.kind in ("impact", "crossing", "transition")

    def left(self, place: np.ndarray, steps: int, error: ValueError) -> str:
        """A sentence about a search that has come to a place from which runs do not return."""
        t, x = self._where(place)
        states, _, _ = self._subject(t, t + self.t_max)
        there = ", ".join(f"{name} = {value:.6g}" for name, value in zip(states.state_names, x, strict=True))
        where = f"after {steps} Newton step{'s' * (steps > 1)}" if steps else "beside the guess itself"
        reason = str(error).split(";")[0]
        return (
            f"no periodic orbit with {self.returns} return{'s' * (self.returns > 1)} to the section "
            f"{self.section.name!r} is found near this guess: {where}, at t = {t:.6g}, {there}, the search left the "
            f"states from which the motion returns ({reason}); begin nearer to an orbit, for example where a long run "
            "of a stable one has ended, or ask for other returns="
        )

    def _place(self, t: float, x: np.ndarray) -> np.ndarray:
        return np.concatenate([[t], x]) if self.timed else np.array(x)

    def _where(self, place: np.ndarray) -> tuple[float, np.ndarray]:
        return (float(place[0]), place[1:]) if self.timed else (self._start, place)


def _newton(search: _Search, place: np.ndarray) -> tuple[np.ndarray, int]:
    """The fixed point of the map near a place: Newton steps until they do not become smaller.

    Raises
    ------
    ValueError
        If it is not reached.
    """
    largest = np.inf
    for k in range(_ITERATIONS):
        change = _step(search, place, k)
        size = _size(change, place)
        if size >= largest / 2.0 and largest < np.sqrt(search.rtol):
            return place, k
        place, largest = place + change, size
        if size == 0.0:
            return place, k + 1
    raise ValueError(
        f"no periodic orbit is found: after {_ITERATIONS} Newton steps the last one was {largest:.3g} of the state; "
        "begin nearer, for example where a long run of a stable orbit has ended"
    )


def _step(search: _Search, place: np.ndarray, k: int) -> np.ndarray:
    """Newton's step k at a place.

    Raises
    ------
    ValueError
        If no run from the place, or from one of those beside it, makes its returns.
    """
    try:
        matrix = search.derivative(place)
        return np.linalg.lstsq(np.eye(len(place)) - matrix, search.mapped(place) - place, rcond=None)[0]
    except ValueError as error:
        if getattr(error, "__notes__", ()):  # a function of the user's has raised it
            raise
        raise ValueError(search.left(place, k, error)) from error


def _size(change: np.ndarray, place: np.ndarray) -> float:
    """The largest change in parts of the largest absolute number, or of 1."""
    return float(np.abs(change).max() / max(1.0, np.abs(place).max()))
