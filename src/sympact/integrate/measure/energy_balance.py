"""The work of loads, of friction and of prescribed motions along a run."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Literal

import numpy as np

from sympact.integrate.history.run_view import RunView
from sympact.integrate.measure.quadrature import Accumulated
from sympact.integrate.present.table import Table, number
from sympact.integrate.problem.times import read_times
from sympact.integrate.trajectory.evaluator import Powers
from sympact.native.cached import cached_property

__all__ = ["Work", "known_work", "work"]

_STEPPED = "moreau"


class Work(Mapping):
    """The work that was done on a system since the start of a run, by what did it: a read-only mapping (J).

    A key is a load, an actuator or a contact that the model was made with, or its name; iteration gives names. The work
    is negative where energy was taken.
    """

    def __init__(self, result: RunView, powers: Powers) -> None:
        self._result, self._powers = result, powers
        self._integrals = Accumulated(result._record, result._dense, result._model.quantity("powers"))

    def __getitem__(self, wanted: object) -> np.ndarray:
        """The work of one at the times of the samples, shape (n_samples,) (J).

        Raises
        ------
        KeyError
            If nothing of that name does work; the message lists what does.
        """
        return self._samples[self._row(wanted)]

    def __iter__(self) -> Iterator[str]:
        return iter(self._powers.names)

    def __len__(self) -> int:
        return len(self._powers.names)

    @property
    def total(self) -> np.ndarray:
        """The sum of all at the times of the samples, shape (n_samples,) (J); zeros where nothing does work."""
        return self._samples.sum(axis=0)

    def at(self, t: float | Sequence[float], side: Literal["left", "right"] = "right") -> dict[str, np.ndarray]:
        """The work of each, by name, at any times of the run, shape (k,) (J).

        Parameters
        ----------
        t : float or array_like, shape (k,)
            Times within the run (s).
        side : "right" or "left"
            The side of an event at its time: in an impact a moving surface does work.

        Raises
        ------
        ValueError
            If a time is outside the run, or `side` is neither of the two.
        """
        times = np.atleast_1d(read_times(t))
        return dict(zip(self, self._along(times, self._result(times, side), side), strict=True))

    @cached_property
    def _samples(self) -> np.ndarray:
        """At the times of the result, shape (n, n_samples)."""
        result = self._result
        return self._at_record if result._t_eval is None else self._along(result.t, result.x)

    @cached_property
    def _at_record(self) -> np.ndarray:
        """At the samples of the record."""
        found = self._integrals.samples.copy()
        if self._powers.jumps:
            found[0] += self._of_jumps
        if self._moves:
            found[-1] += (
                self._changes(self._stored(self._record.t, self._record.x.T, self._record.stage)) + self._of_impacts
            )
        return found

    def _along(self, times: np.ndarray, x: np.ndarray, side: str = "right") -> np.ndarray:
        """At times and the states there."""
        found = self._integrals.at(times)
        if self._powers.jumps:
            found[0] += self._of_jumps[self._record.sample_at(times, side)]
        if self._moves:
            of_impacts = self._of_impacts[self._record.sample_at(times, side)]
            found[-1] += self._changes(self._stored(times, x, self._record.stage_at(times, side))) + of_impacts
        return found

    def _changes(self, stored: np.ndarray) -> np.ndarray:
        """The change of the potential energy since the start."""
        record = self._record
        return stored - self._stored(record.t[:1], record.x[:1].T, record.stage[:1])[0]

    def _stored(self, t: np.ndarray, x: np.ndarray, stage: np.ndarray) -> np.ndarray:
        """The potential energy, where its change is work."""
        model = self._result._model
        if not (self._powers.changes_potential and model.knows("potential_energy")):
            return np.zeros(len(t))
        return model.quantity("potential_energy")(t, x, stage)

    @cached_property
    def _of_impacts(self) -> np.ndarray:
        """The work of moving surfaces in the impacts so far, at the samples of the record (J).

        It is the change of the kinetic energy that the energy of an event does not contain.
        """
        return self._changed(np.isfinite(self._columns["impulse"]) & ~self._jumped)

    @cached_property
    def _of_jumps(self) -> np.ndarray:
        """The work of the jumps so far, at the samples of the record (J): the change of the energy in their events but
        for that of impacts."""
        return self._changed(self._jumped)

    @cached_property
    def _columns(self) -> Mapping[str, Any]:
        """The events as columns."""
        return self._result.events.columns()

    @property
    def _energies(self) -> np.ndarray:
        """The energy of each event (J), NaN where it is not known."""
        return np.asarray(self._columns["energy"], dtype=float)

    @cached_property
    def _jumped(self) -> np.ndarray:
        """Which events have a jump of the user's own."""
        names, found = set(self._powers.jumps), np.zeros(len(self._energies), dtype=bool)
        for k, event in enumerate(self._result.events if names else ()):
            found[k] = not names.isdisjoint(event.contacts)
        return found

    def _changed(self, chosen: np.ndarray) -> np.ndarray:
        """The changes of the energy in some events, less their own energies, summed up at the samples (J)."""
        record, model = self._record, self._result._model
        found, before = np.zeros(len(record.t)), record.event_sample[chosen]
        for name in ("kinetic_energy", "potential_energy"):
            if before.size and model.knows(name):
                energy, both = model.quantity(name), (before, before + 1)
                left, right = (energy(record.t[at], record.x[at].T, record.stage[at]) for at in both)
                found[before + 1] += right - left
        found[before + 1] -= np.nan_to_num(self._energies[chosen])
        return np.cumsum(found)

    @property
    def _moves(self) -> bool:
        """Whether something is moved as a function of time."""
        return None in self._powers.sources

    @property
    def _record(self):
        return self._result._record

    def _row(self, wanted: object) -> int:
        names, sources = self._powers.names, self._powers.sources
        for k, (name, source) in enumerate(zip(names, sources, strict=True)):
            if (isinstance(wanted, str) and wanted == name) or (source is not None and wanted is source):
                return k
        same = [k for k, source in enumerate(sources) if type(source) is type(wanted) and source == wanted]
        if len(same) == 1:
            return same[0]
        known = ", ".join(map(repr, names)) or "nothing: all loads have a potential"
        raise KeyError(f"there is no work of {wanted!r}; what does work in this run is {known}")

    def __repr__(self) -> str:
        return f"<work of {', '.join(self) or 'nothing'}>"

    def _repr_html_(self) -> str:
        rows = [(name, number(values[-1])) for name, values in self.items() if len(values)]
        return Table(("work of", "at the end (J)"), rows).html


def work(result: RunView) -> Work:
    """The work that was done on the system since the start: ``result.work[load]`` has shape (n_samples,) (J).

    Work is done by loads without a potential, such as dampers, inputs and other given forces; by the friction of
    contacts; by the jumps of your own, ``"transitions"``; and by the ``"prescribed motion"``: of bodies, surfaces and
    constraints that move as functions of time, and of inputs that change a potential. It is the quadrature of force
    times velocity along the dense output, from one sample to the next, so that
    ``kinetic_energy + potential_energy - work.total`` is constant but for the energies of impacts, to the tolerance of
    the run. It is computed on request.

    Raises
    ------
    ValueError
        If the model contains no energies, or the run was made by time stepping, whose forces are means over steps.
    TypeError
        If the run was made from plain functions or loaded from a file without its model.

    Examples
    --------
    A block of 1 kg that slides at 2 m/s against a damper until it has lost its energy:

    >>> import numpy as np
    >>> from sympact import HybridModel
    >>> from sympy.physics.mechanics import LinearDamper, LinearPathway, Particle, PrismaticJoint, RigidBody, System
    >>> ground, block = RigidBody("ground"), Particle("block", mass=1)
    >>> system = System.from_newtonian(ground)
    >>> system.add_joints(PrismaticJoint("slide", ground, block, joint_axis=ground.x))
    >>> damper = LinearDamper(3, LinearPathway(ground.masscenter, block.masscenter))
    >>> system.add_actuators(damper)
    >>> result = HybridModel(system, []).simulate((0, 10), [1, 2], {})
    >>> result.work[damper][-1].round(9)
    np.float64(-2.0)
    >>> abs(result.energy - result.work.total - 2.0).max() < 1e-9
    np.True_
    """
    result._model.check("kinetic_energy", "work", "run a HybridModel")
    why, powers = _unknown(result), result._facts.powers
    if powers is None:
        raise TypeError(why)
    if why:
        raise ValueError(why)
    return Work(result, powers)


def known_work(result: RunView) -> Work | None:
    """`work` where it is known; None where it is not."""
    powers = result._facts.powers
    return None if powers is None or _unknown(result) else Work(result, powers)


def _unknown(result: RunView) -> str:
    """Why a result of a mechanical model has no work, with the cure; empty where it has."""
    powers = result._facts.powers
    if powers is None:
        return (
            "this result has no work: it was loaded from a file without its model; take result.work before it is saved,"
            " or load(path, model=model)"
        )
    if result._record.settings["method"] == _STEPPED:
        return (
            f"this result has no work: the method {_STEPPED!r} knows the forces of contacts as means over its steps;"
            " simulate it event by event, with 'DOP853' for instance"
        )
    return f"this result has no work: {powers.unknown}" if powers.unknown else ""
