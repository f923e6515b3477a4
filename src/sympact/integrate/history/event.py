"""The events of a run: kind, time and stages, with both sides of the jump."""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from functools import partial
from numbers import Integral
from typing import Any

import numpy as np

from sympact.integrate.history.event_numbers import Known, declared, described, number
from sympact.integrate.history.listing import event_sheet, event_table
from sympact.integrate.memory import run_codes as codes
from sympact.integrate.present.table import Listing
from sympact.integrate.problem.program import Program
from sympact.integrate.problem.sampled_laws import names_at
from sympact.integrate.trajectory.evaluator import PLAIN
from sympact.integrate.trajectory.reactions import Change, ImpulseReactions, Reactions
from sympact.integrate.trajectory.record import Record
from sympact.integrate.trajectory.trajectory import Trajectory
from sympact.native.sentences.near_names import suggestion
from sympact.native.sentences.refused_calls import explain_public

__all__ = ["KINDS", "NUMBERS", "Event", "EventKind", "Events"]


class EventKind(StrEnum):
    """The kind of an event; each compares equal to its own string, ``event.kind == "impact"``."""

    TRANSITION = "transition"
    IMPACT = "impact"
    CLOSE = "close"
    OPEN = "open"
    STICK = "stick"
    SLIP = "slip"
    ACCUMULATION = "accumulation"
    TIME = "time"
    STOP = "stop"
    SWITCH = "switch"
    CROSSING = "crossing"
    SLIDE = "slide"


KINDS = tuple(EventKind)
"""The kinds in the order of their numbers in the loop."""

Reaction = Callable[[object, bool, object], np.ndarray]
"""The impulse in a joint or its moment, shape (3,): takes the joint, whether it turns, the frame of the components."""

_CURE = "run a HybridModel, or read its file by load(path, model=model)"

_WITHOUT_IMPULSE = (
    EventKind.TRANSITION,
    EventKind.SWITCH,
    EventKind.CROSSING,
    EventKind.SLIDE,
    EventKind.TIME,
    EventKind.STOP,
)
_PLAIN = tuple(map(KINDS.index, _WITHOUT_IMPULSE))
_TIME = KINDS.index(EventKind.TIME)
_MOST_ROWS = 20
"""Events that a notebook shows."""

_ALWAYS = Known(tuple(range(len(KINDS))))
_MECHANICAL = Known(tuple(k for k in range(len(KINDS)) if k not in _PLAIN), "NaN in a plain process")
_TAKEN = Known(
    _MECHANICAL.kinds,
    "0 at events at which the state does not jump; NaN at a transition, whose jump the process defines",
    none=tuple(k for k in _PLAIN if k != KINDS.index(EventKind.TRANSITION)),
)
_DYING = Known((KINDS.index(EventKind.ACCUMULATION),), "NaN but for an accumulation")


@described
@dataclass(frozen=True, slots=True, eq=False)
class Event:
    """One event of a run.

    Parameters
    ----------
    t : float
        The time (s).
    kind : EventKind
        The kind.
    contacts : tuple of str
        The participants: the contacts, or the transition of a plain process; the conditions of the flow that changed
        their branch, such as "x > 0"; the names of the run's own events and transitions; and at an event of time the
        names of the controllers whose time it is.
    x_minus, x_plus : array, shape (n_states,)
        The state just before and just after; read-only.
    impulse : array, shape (n,)
        The impulse of each of the n contacts, in the same order (N s); NaN for conditions and in a plain process, which
        have none.
    friction_impulse : array, shape (n, 3)
        The friction impulse of each contact (N s), components in the inertial frame; zeros without friction.
    source, target : str
        The stages before and after.
    {numbers}
    """

    t: float
    kind: EventKind
    contacts: tuple[str, ...]
    x_minus: np.ndarray
    x_plus: np.ndarray
    impulse: np.ndarray
    friction_impulse: np.ndarray
    source: str
    target: str
    energy: float = number(
        "The change of kinetic energy, less the work of moving surfaces", unit="J", slot=codes.ENERGY, known=_TAKEN
    )
    window: float = number(
        "The time within which contacts count as simultaneous", unit="s", slot=codes.WINDOW, known=_ALWAYS
    )
    nearest: float = number(
        "The time to contact of the nearest contact that does not take part",
        unit="s",
        slot=codes.NEAREST,
        known=_ALWAYS,
        more="infinite if none approaches, and where rebounds are lower than 1e-6 of the length",
    )
    factor: float = number(
        "The factor by which the law reduced all restitutions of this impact so that it gains no energy, see `Newton`"
        " and `Energetic`",
        slot=codes.FACTOR,
        known=_MECHANICAL,
        more="1 where they were not reduced",
    )
    residual: float = number(
        "The violation of the impact law by the impulses, relative to its velocities: the residual of the last"
        " problem solved, see the guarantees",
        slot=codes.RESIDUAL,
        known=_MECHANICAL,
        more="0 where there are no impulses",
        since=4,
    )
    approach: float = number(
        "The largest speed at which a participating contact approached just before the impact",
        unit="m/s",
        slot=codes.APPROACH,
        known=_MECHANICAL,
        more="0 where no contact approached",
        since=8,
    )
    t_inf: float = number(
        "The time at which the impacts that accumulate here would have ended, extrapolated",
        unit="s",
        slot=codes.REMAINDER,
        known=_DYING,
        after_event=True,
    )
    t_inf_error: float = number("The estimated error of `t_inf`", unit="s", slot=codes.REMAINDER_ERROR, known=_DYING)
    _reaction: Reaction | None = field(default=None, repr=False)
    _impulses: Callable[[], Reactions] | None = field(default=None, repr=False)
    _states: tuple[str, ...] = field(default=(), repr=False)

    @property
    def reaction_impulse(self) -> Reactions:
        """The impulses of the bilateral constraints: ``event.reaction_impulse[constraint]`` has shape (n_rows,).

        A^T K = M (u+ - u-) - W Lambda, of the smallest norm where constraints are redundant; N s for a force in N. The
        constraint is given as for `Result.reaction`, and units, vectors and what is determined are those of
        `Reactions`.

        Raises
        ------
        TypeError
            If the event belongs to plain functions, or to a run loaded from a file.
        """
        if self._impulses is None:
            PLAIN.check("reactions", "reactions of constraints", _CURE)
        assert self._impulses is not None, "plain functions know nothing"
        return self._impulses()

    def joint_impulse(self, joint: object, frame: object = None) -> np.ndarray:
        """The impulse that the parent of a joint exerts on its child through the joint, shape (3,) (N s).

        It follows from the jumps of the velocities of the bodies that the joint holds, and the impulses of contacts on
        them. It is zero at events without impulses.

        Parameters
        ----------
        joint : Joint or str
            A joint of the model's `System`, or its name.
        frame : ReferenceFrame, optional
            The frame of the components; by default the inertial frame.

        Raises
        ------
        KeyError, ValueError, TypeError
            As `Result.joint_force` does.

        Examples
        --------
        A rod of 1 m on a pin that hits a stop at its centre of percussion, 2/3 m from the pin, as pivots of hammers and
        bats are placed:

        >>> from sympact import Contact, HybridModel, Plane
        >>> from sympy import Rational
        >>> from sympy.physics.mechanics import PinJoint, RigidBody, System, inertia
        >>> ground, rod = RigidBody("ground"), RigidBody("rod", mass=1)
        >>> rod.central_inertia = inertia(rod.frame, 0, Rational(1, 12), Rational(1, 12))
        >>> pin = PinJoint("pin", ground, rod, child_point=-rod.x / 2, joint_axis=ground.z)
        >>> system = System.from_newtonian(ground)
        >>> system.add_joints(pin)
        >>> hit = pin.child_point.locatenew("hit", Rational(2, 3) * rod.x)
        >>> stop = Contact(hit, Plane(ground.masscenter, ground.y), restitution=0.5, friction=0)
        >>> result = HybridModel(system, [stop]).simulate((0, 1), [1, -3], {})
        >>> abs(result.events[0].joint_impulse(pin)).max() < 1e-12
        np.True_
        """
        return self._in_joint(joint, False, frame)

    def joint_angular_impulse(self, joint: object, frame: object = None) -> np.ndarray:
        """The moment of this impulse about the joint's child point, shape (3,) (N m s).

        Parameters
        ----------
        joint, frame
            As in `joint_impulse`.

        Raises
        ------
        KeyError, ValueError, TypeError
            As `Result.joint_force` does.
        """
        return self._in_joint(joint, True, frame)

    def _in_joint(self, joint: object, turns: bool, frame: object) -> np.ndarray:
        if self._reaction is None:
            PLAIN.check("joint_wrench", "forces in joints", "run a HybridModel")
        assert self._reaction is not None, "plain functions know nothing"
        return self._reaction(joint, turns, frame)

    def _repr_html_(self) -> str:
        names = self._states or tuple(f"x{i}" for i in range(len(self.x_minus)))
        return event_sheet(self, names, NUMBERS).html


NUMBERS = declared(Event)
"""The numbers that `Event` declares. A new one is declared there and gets a slot in `run_codes`; a kernel writes it."""


class Events(Sequence):
    """The events of a run in the order of time; each `Event` is made on access, and ``print`` shows a table.

    ``events[k]`` is one event, ``events[:3]`` are `Events`, too, and ``events["name"]`` those of a contact, a
    transition or a condition, as `of` has them. Notebooks show them as a table.

    Parameters
    ----------
    run : Trajectory
        The numbers of the run, and the names of its stages and boundaries.
    chosen : array of int, shape (k,), optional
        The places of these events among those of the run; by default all.
    """

    __slots__ = ("_chosen", "_run")

    def __init__(self, run: Trajectory, chosen: np.ndarray | None = None):
        self._run, self._chosen = run, chosen

    def __reduce__(self) -> tuple:
        return Events, (self._run, self._chosen)

    @property
    def _record(self) -> Record:
        return self._run.record

    @property
    def _program(self) -> Program:
        return self._run.program

    @property
    def _rows(self) -> np.ndarray | slice:
        """The rows of these events among those of the run."""
        return slice(None) if self._chosen is None else self._chosen

    def __len__(self) -> int:
        return len(self._run.event_t) if self._chosen is None else len(self._chosen)

    def __getitem__(self, index):
        if isinstance(index, slice):
            return Events(self._run, self._places(index))
        if isinstance(index, str):
            return self.of(index)
        if not isinstance(index, Integral):
            raise TypeError(
                f"events are numbered from 0, or have names, found {index!r}; those with impulses are"
                " result.events.impacts, those of one contact result.events.of('its name'), those of another kind"
                " [event for event in result.events if event.kind == 'open']"
            )
        position = operator.index(index)
        if not -len(self) <= position < len(self):
            raise IndexError(f"there is no event {position}; there are {len(self)} events")
        return self._event(int(self._places(position)))

    def _places(self, index: int | slice) -> np.ndarray:
        """The rows of some of these events among those of the run."""
        return np.arange(len(self._run.event_t))[self._rows][index]

    @property
    def t(self) -> np.ndarray:
        """The times of all events, shape (n_events,) (s)."""
        return _read_only(self._run.event_t[self._rows])

    @property
    def impacts(self) -> Events:
        """The impacts among these events.

        Examples
        --------
        The heights that a ball reaches, from its speeds after impacts, decrease by e^2 = 0.64:

        >>> from sympact.models import bouncing_ball
        >>> impacts = bouncing_ball().simulate().events.impacts
        >>> heights = [impact.x_plus[1] ** 2 / (2 * 9.81) for impact in impacts[:3]]
        >>> np.round(heights, 4).tolist()
        [0.64, 0.4096, 0.2621]
        """
        return self._those(self._record.event_kind == KINDS.index(EventKind.IMPACT))

    def between(self, begin: float, end: float) -> Events:
        """Those of these events at times from `begin` to `end`, both included (s).

        Examples
        --------
        >>> from sympact.models import bouncing_ball
        >>> bouncing_ball().simulate().events.between(1, 2).t.round(3)
        array([1.174, 1.752])
        """
        times = self._run.event_t
        return self._those((times >= begin) & (times <= end))

    def of(self, participant: object) -> Events:
        """Those of these events in which a contact takes part, or a transition or a condition; see `Event.contacts`.

        Parameters
        ----------
        participant : str, Contact, CompliantContact, Limit or String
            The name, or the object that the model was made with.

        Raises
        ------
        KeyError
            If the run has no such participant, whether it had events or not.

        Examples
        --------
        A rod that slides down a wall from the start until its end leaves it:

        >>> from sympact.models import rod_on_wall
        >>> rod = rod_on_wall()
        >>> events = rod.simulate().events
        >>> rod.model.contacts[0].name, [str(kind) for kind in events.of(rod.model.contacts[0]).kinds()]
        ('A on wall', ['close', 'open'])
        >>> events.of("A on wall").t.round(3)
        array([0.   , 0.577])
        """
        name, stages, fired = getattr(participant, "name", participant), self._program.stages, self._record.event_fired
        names = getattr(participant, "event_names", (name,))
        named = np.zeros((len(stages), fired.shape[1]), dtype=bool)
        for row, stage in zip(named, stages, strict=True):
            row[: len(stage.boundary_names)] = [own in names for own in stage.boundary_names]
        if not named.any() and name in self._of_time:
            t = self._record.event_t
            chosen = (self._record.event_kind == _TIME) & [name in names_at(self._of_time, time) for time in t.tolist()]
            return self._those(chosen)
        if not named.any():
            known = list(self._of_time) + list(dict.fromkeys(own for stage in stages for own in stage.boundary_names))
            raise KeyError(
                f"nothing in this run has the name {name!r}; events may have the participants {known}"
                f"{suggestion(name, known)}"
            )
        return self._those((named[self._record.event_source] & fired).any(axis=1))

    def _those(self, chosen: np.ndarray) -> Events:
        """Those of these events that are chosen among all of the run, shape (n_events,)."""
        places = self._places(slice(None))
        return Events(self._run, places[chosen[places]])

    def kinds(self) -> list[EventKind]:
        """The kind of each event, without making the events."""
        return [KINDS[place] for place in self._record.event_kind[self._rows].tolist()]

    def columns(self) -> dict[str, list | np.ndarray]:
        """The events as columns of equal length, by name, without making the events.

        Those of `Event`, with ``contacts`` as one text and ``impulse`` as the sum over the contacts (N s), NaN where
        there is none; in a run with contacts one more column for each, such as ``impulse tip``: its impulse, NaN where
        it did not take part.

        Examples
        --------
        >>> from sympact.models import bouncing_ball
        >>> impacts = bouncing_ball().simulate(max_events=2).events.columns()
        >>> impacts["kind"], impacts["contacts"], impacts["impulse ball"].round(3).tolist()
        (['impact', 'impact'], ['ball', 'ball'], [7.973, 6.378])
        """
        record, stages, rows = self._record, self._program.stages, self._rows
        names = [stage.boundary_names for stage in stages]
        contacts, impulses = self._impulses()
        sources, targets = record.event_source[rows].tolist(), record.event_target[rows].tolist()
        fired = [np.flatnonzero(row).tolist() for row in record.event_fired[rows]]
        total = np.where(_mechanical(record), np.nansum(impulses, axis=1), math.nan)
        kinds = record.event_kind[rows]
        return {
            "t": self.t,
            "kind": [str(kind) for kind in self.kinds()],
            "contacts": [
                ", ".join([names[at][i] for i in took] + (names_at(self._of_time, t) if kind == _TIME else []))
                for at, took, t, kind in zip(sources, fired, self.t.tolist(), kinds.tolist(), strict=True)
            ],
            "source": [stages[at].name for at in sources],
            "target": [stages[at].name for at in targets],
            "impulse": total[rows],
            **{f"impulse {name}": impulses[rows, i] for i, name in enumerate(contacts)},
            **{one.name: one.shown(record.number(one.name)[rows], kinds) for one in NUMBERS},
        }

    def _impulses(self) -> tuple[tuple[str, ...], np.ndarray]:
        """The names of the contacts, and the impulse of each at every event of the run, NaN where it did not take
        part."""
        record, mechanical = self._record, _mechanical(self._record)
        if not mechanical.any():
            return (), np.empty((len(mechanical), 0))
        stage = self._program.stages[record.event_source[np.argmax(mechanical)]]
        contacts = stage.boundary_names[: len(stage.boundary_names) - len(stage.switch_names)]
        n = len(contacts)
        took_part = mechanical[:, None] & record.event_fired[:, :n]
        return contacts, np.where(took_part, record.event_impulse[:, :n], math.nan)

    def table(self, max_rows: int = 40) -> Listing:
        """The events as an aligned table of text, which notebooks show as HTML; beyond `max_rows` rows the middle is
        omitted, with the number of rows."""
        record, stages = self._record, self._program.stages
        met = dict.fromkeys([*record.stage[:1].tolist(), *record.event_target.tolist()])
        return event_table(self, [stages[index].name for index in met], max_rows)

    def __str__(self) -> str:
        return self.table()

    def __repr__(self) -> str:
        return f"<{len(self)} events; print them for a table>"

    def _repr_html_(self) -> str:
        return self.table(_MOST_ROWS)._repr_html_()

    def _event(self, k: int) -> Event:
        record, stages = self._record, self._program.stages
        source, target = int(record.event_source[k]), int(record.event_target[k])
        kind = KINDS[record.event_kind[k]]
        names = stages[source].boundary_names
        nc = len(names) - len(stages[source].switch_names)
        took_part = np.flatnonzero(record.event_fired[k, : len(names)])
        sample = int(record.event_sample[k])
        mechanical = kind not in _WITHOUT_IMPULSE
        code = int(record.event_kind[k])
        clocks = names_at(self._of_time, float(record.event_t[k])) if kind == EventKind.TIME else []
        return Event(
            t=float(record.event_t[k]),
            kind=kind,
            contacts=(*(names[i] for i in took_part), *clocks),
            x_minus=_read_only(record.x[sample]),
            x_plus=_read_only(record.x[sample + 1]),
            impulse=_read_only(np.where(mechanical & (took_part < nc), record.event_impulse[k, took_part], math.nan)),
            friction_impulse=_read_only(self._friction(k, took_part, nc)),
            source=stages[source].name,
            target=stages[target].name,
            **{one.name: one.of(code, record.number(one.name)[k]) for one in NUMBERS},
            _reaction=partial(self._in_joint, k),
            _impulses=partial(self._reactions, k),
            _states=self._program.state_names,
        )

    @property
    def _of_time(self) -> Mapping[str, Mapping[str, Any]]:
        """The times that are events, by name."""
        return self._record.settings.get("time_events", {})  # type: ignore[return-value]  # as `EndedModel.completed` has it

    def _reactions(self, k: int) -> Reactions:
        """The impulses of the constraints at event k."""
        model = self._run.evaluator
        model.check("reactions", "reactions of constraints", _CURE)
        return ImpulseReactions(model, self._change(k))

    def _in_joint(self, k: int, joint: object, turns: bool, frame: object) -> np.ndarray:
        """The impulse in a joint at event k, or its moment, shape (3,)."""
        model = self._run.evaluator
        model.check("joint_wrench", "forces in joints", _CURE)
        return model.at_event("joint_impulse", joint, turns, frame)(*self._change(k))

    def _change(self, k: int) -> Change:
        """Time, both states, stage and the impulses of contacts of event k."""
        record, source = self._record, int(self._record.event_source[k])
        nc, sample = len(self._program.stages[source].boundary_names), int(record.event_sample[k])
        nc -= len(self._program.stages[source].switch_names)
        normal = np.where(record.event_fired[k, :nc], record.event_impulse[k, :nc], 0.0)
        friction = record.event_friction[k].ravel() if record.event_friction.shape[1] else np.zeros(3 * nc)
        x, impulses = record.x[sample : sample + 2], np.concatenate([normal, friction])
        return float(record.event_t[k]), (x[0], x[1]), source, impulses

    def _friction(self, k: int, took_part: np.ndarray, contacts: int) -> np.ndarray:
        """The friction impulses of the participants of event k, shape (len(took_part), 3)."""
        out, rubbing = np.zeros((len(took_part), 3)), self._record.event_friction[k]
        out[took_part >= contacts] = math.nan
        if len(rubbing):
            known = took_part < contacts
            out[known] = rubbing[took_part[known]]
        return out


def _mechanical(record: Record) -> np.ndarray:
    """Which events are those of contacts, shape (k,): they have impulses and an energy."""
    return np.isin(record.event_kind, _MECHANICAL.kinds)


def _read_only(array: np.ndarray) -> np.ndarray:
    view = array.view()
    view.flags.writeable = False
    return view


explain_public(globals())
