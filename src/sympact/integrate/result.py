"""What a run returns: samples, events, the path of stages, and the state at any time of the run."""

from __future__ import annotations

import operator
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from os import PathLike
from typing import TYPE_CHECKING, Literal, Protocol

import numpy as np
from numpy.typing import ArrayLike

from sympact.integrate.export.archive import read, write
from sympact.integrate.export.paths import checked_path
from sympact.integrate.export.tables import Samples, dataset, events_frame, samples_frame, sides, write_csv
from sympact.integrate.export.variables import variables
from sympact.integrate.history.about import Formula
from sympact.integrate.history.event import KINDS, EventKind, Events
from sympact.integrate.history.hooks import PLAIN, Hooks, Quantity
from sympact.integrate.history.mode_graph import mode_graph
from sympact.integrate.history.record import Record
from sympact.integrate.history.within import within_modes
from sympact.integrate.problem.program import Program
from sympact.integrate.problem.real import described, real_array
from sympact.integrate.problem.status import Status
from sympact.integrate.problem.warning import SympactWarning
from sympact.integrate.steppers.interpolation import Segments

if TYPE_CHECKING:
    import networkx
    import pandas
    import xarray

__all__ = ["PLAIN", "Dense", "Hooks", "Quantity", "Result", "load"]


class Dense(Protocol):
    """A run between its samples, as `Result` needs it."""

    def __call__(self, t: np.ndarray, side: str = "right") -> np.ndarray:
        """The states at the times `t`, shape (len(t), n_states)."""

    def segments(self) -> Segments:
        """The polynomials of the accepted steps."""


class Result:
    """A finished, or ended, run. Everything but the run itself is worked out when it is asked for.

    Parameters
    ----------
    record : Record
        The samples and events as the loop wrote them.
    interpolant : Dense
        The state between the samples.
    program : Program
        The names of states, stages and boundaries.
    hooks : Hooks, default PLAIN
        What only the model behind the run can answer.
    t_eval : array, shape (k,), optional
        The times the caller wants as `t`; those beyond the end of the run are left out.

    Examples
    --------
    >>> from sympact import HybridSystem, Transition
    >>> bounce = Transition("up", "up", boundary=lambda t, x: -x[0], jump=lambda t, x: [0.0, -0.5 * x[1]])
    >>> ball = HybridSystem({"up": lambda t, x: [x[1], -10.0]}, [bounce], states=["height", "speed"])
    >>> result = ball.simulate((0, 1.2), [5.0, 0.0], start="up")
    >>> result.path
    ('up', 'up')
    >>> impact = result.events[0].t
    >>> result(impact, side="left")[1].round(9), result(impact)[1].round(9)
    (np.float64(-10.0), np.float64(5.0))
    """

    __slots__ = ("_dense", "_hooks", "_program", "_record", "_t", "_t_eval", "_x")
    __iter__ = None

    def __init__(
        self,
        record: Record,
        interpolant: Dense,
        program: Program,
        hooks: Hooks = PLAIN,
        t_eval: np.ndarray | None = None,
    ):
        self._record = record
        self._dense = interpolant
        self._program = program
        self._hooks = hooks
        self._t_eval = t_eval
        self._t = None
        self._x = None

    @property
    def t(self) -> np.ndarray:
        """The times of the samples, shape (n_samples,) (s): `t_eval` where it was given, else the accepted steps.

        Without `t_eval` a jump is two samples at one time: the state before it, then the state after it.
        """
        if self._t is None:
            self._t = _frozen(self._record.t if self._t_eval is None else self._within(self._t_eval))
        return self._t

    @property
    def x(self) -> np.ndarray:
        """The states at the times `t`, shape (n_states, n_samples); after the jump where `t_eval` meets one."""
        if self._x is None:
            self._x = _frozen((self._record.x if self._t_eval is None else self._dense(self.t, "right")).T)
        return self._x

    @property
    def events(self) -> Events:
        """The events in the order of time; both sides of each are kept, whatever `t_eval` is."""
        return Events(self._record, self._program)

    @property
    def path(self) -> tuple[str, ...]:
        """The names of the stages entered, the first included.

        Every transition of a plain process enters a stage, also the one it comes from; an impact does not, nor does a
        condition in the flow that changes its branch.
        """
        record, stages = self._record, self._program.stages
        return tuple(stages[index].name for index in (record.stage[0], *record.event_target[record.entering]))

    @property
    def modes(self) -> networkx.MultiDiGraph:
        """The stages met, the events that led from one to another, and how often, as a directed multigraph.

        A node is the name of a stage, in the order in which they were met, with the attributes

        - ``visits``: how often it was entered, as `path` counts, the start included;
        - ``time``: how long the run was in it (s);
        - ``order``: 0 for the first stage met, 1 for the next, ...

        All events of one kind from one stage to another, or within one, are one edge, with the attributes

        - ``kind``: their `EventKind`;
        - ``count``: how many they are;
        - ``contacts``: who took part in any of them, a sorted tuple of names;
        - ``name``: a short label such as ``impact x 12``;
        - ``jump``: True if any of them changed the state, else None.

        Examples
        --------
        >>> from sympact import HybridSystem, Transition
        >>> thermostat = HybridSystem(
        ...     flows={"on": lambda t, x: [2.0], "off": lambda t, x: [-1.0]},
        ...     transitions=[
        ...         Transition("on", "off", boundary=lambda t, x: x[0] - 22.0),
        ...         Transition("off", "on", boundary=lambda t, x: 20.0 - x[0]),
        ...     ],
        ... )
        >>> modes = thermostat.simulate((0, 5), [21.0], start="on").modes
        >>> for stage, of in modes.nodes(data=True):
        ...     print(stage, of["visits"], round(of["time"], 9))
        on 2 1.5
        off 2 3.5
        >>> for source, target, of in modes.edges(data=True):
        ...     print(source, target, of["kind"], of["count"])
        on off transition 2
        off on transition 1
        """
        return mode_graph(self._record, self._program.stages)

    @property
    def status(self) -> Status:
        """Why the run ended."""
        return self._record.status

    @property
    def message(self) -> str:
        """Why the run ended, when, and what to do."""
        end = f"t = {self.t_span[1]:.12g}"
        if self.status is Status.ACCUMULATION:
            end += f", t_inf = {self.t_inf:.12g} with an error of about {self.t_inf_error:.1g}"
        if self._record.detail:
            end += f", {self._record.detail}"
        return f"{end}: {self.status.value}"

    @property
    def warnings(self) -> tuple[SympactWarning, ...]:
        """What the run was warned of, also where it was not shown; each has a `kind`, and its text is ``str(warning)``.

        Examples
        --------
        >>> from sympact.models import bouncing_ball
        >>> bouncing_ball().simulate().warnings
        ()
        """
        return self._record.warnings

    @property
    def infeasibility(self) -> object | None:
        """The `Infeasibility` of an impact that has no solution, at which a run ended with ``UNSOLVED_IMPACT``.

        It names the contacts that prevent a solution, and laws that have one. None for runs that ended otherwise, for
        those read from a file, and where no certificate was found, so that the solver may have failed.
        """
        return self._record.infeasibility

    @property
    def t_span(self) -> tuple[float, float]:
        """The first and the last time of the run (s)."""
        return float(self._record.t[0]), float(self._record.t[-1])

    @property
    def t_inf(self) -> float:
        """The time at which events accumulate, extrapolated (s); NaN where they do not.

        Where hops die away several times in a run, the last time; each `Event` has its own.
        """
        return self._accumulation()[0]

    @property
    def t_inf_error(self) -> float:
        """The estimated error of `t_inf` (s)."""
        return self._accumulation()[1]

    @property
    def steps(self) -> int:
        """How many steps were accepted."""
        return self._record.counts["steps"]

    @property
    def unproven(self) -> int:
        """In how many steps the bounds of a boundary left open whether it was crossed: there its numbers decided.

        It is 0 but where a boundary has no bound along the motion (through a zero of a divisor, say) or a jump, and
        where it stays near zero throughout. docs/theory, boundary search, tells what is proven.
        """
        return self._record.counts.get("unproven", 0)

    @property
    def rejected(self) -> int:
        """How many steps were tried with too large an error, and repeated; 0 for SciPy's methods, which do not tell."""
        return self._record.counts["rejected"]

    @property
    def evaluations(self) -> int:
        """How often the flow was evaluated."""
        return self._record.counts["flow"]

    @property
    def counts(self) -> dict[str, int]:
        """The work done: steps, rejected steps, evaluations of flow and boundary, dense outputs."""
        return dict(self._record.counts)

    @property
    def settings(self) -> dict[str, object]:
        """What was asked for: ``t_span``, ``method``, ``rtol``, ``atol``, ``max_step``, ``max_events``, ``max_steps``.

        Of a model with contacts also what lengths were compared with (m): ``length``, the model's own or the one that
        the motion had told at the end of the run; ``dead_band``, the depth of a dip below a surface that the search may
        pass over; ``rebound_height``, that of hops which count as the end of an accumulation.

        Examples
        --------
        >>> from sympact.models import two_links
        >>> settings = two_links().simulate().settings
        >>> settings["length"], settings["dead_band"], settings["rebound_height"]
        (1.0, 1e-10, 1e-10)
        """
        return dict(self._record.settings)

    @property
    def stages(self) -> np.ndarray:
        """The name of the stage of each sample, shape (n_samples,); at a jump each sample has that of its own side."""
        names = np.array([stage.name for stage in self._program.stages], dtype=object)
        return names[self._stage_places()]

    @property
    def state_names(self) -> tuple[str, ...]:
        """The names of the states, in the order of the rows of `x`."""
        return self._program.state_names

    @property
    def kinetic_energy(self) -> np.ndarray:
        """The kinetic energy at the times `t`, shape (n_samples,) (J).

        Raises
        ------
        TypeError
            If the run was made from plain functions, which know of no mass.
        """
        return self._hooked("kinetic_energy", "kinetic energy", "compute it from result.t and result.x")(self.t, self.x)

    @property
    def potential_energy(self) -> np.ndarray:
        """The potential energy of all loads at the times `t`, shape (n_samples,) (J), up to a constant.

        Known are forces that are constant in the inertial frame, such as uniform gravity, SymPy's springs, and the
        bodies' own potential energies; a damper stores nothing.

        Raises
        ------
        ValueError
            If a load has no potential that is known; the message names it.
        TypeError
            If the run was made from plain functions.

        Examples
        --------
        A ball of 1 kg, let go 1 m above the floor:

        >>> from sympact.models import bouncing_ball
        >>> result = bouncing_ball().simulate()
        >>> result.potential_energy[0], result.energy[0]
        (np.float64(9.81), np.float64(9.81))
        """
        if self._hooks.without_potential:
            raise ValueError(
                f"this result has no potential energy: none is known for {', '.join(self._hooks.without_potential)};"
                " result.kinetic_energy is known; add a potential of your own to it, as an expression of the model:"
                " result[expression]"
            )
        return self._hooked("potential_energy", "potential energy", "compute it from result.t and result.x")(
            self.t, self.x
        )

    @property
    def energy(self) -> np.ndarray:
        """Kinetic and potential energy at the times `t`, shape (n_samples,) (J); raises what these raise."""
        return self.potential_energy + self.kinetic_energy

    @property
    def contact_names(self) -> tuple[str, ...]:
        """The names of the contacts in the order of `force` and `gaps`; none for plain functions."""
        return tuple(self._hooks.gaps)

    @property
    def gaps(self) -> np.ndarray:
        """The gap of each contact at the times `t`, shape (n_contacts, n_samples) (m); in the order of `contact_names`.

        Examples
        --------
        >>> from sympact.models import bouncing_ball
        >>> result = bouncing_ball().simulate()
        >>> result.contact_names, result.gaps.shape == (1, len(result.t)), result.gaps[0, 0]
        (('ball',), True, np.float64(1.0))
        """
        rows = [gap(self.t, self.x) for gap in self._hooks.gaps.values()]
        return np.array(rows).reshape(len(rows), len(self.t))

    @property
    def force(self) -> np.ndarray:
        """The normal force of each contact at the times `t`, shape (n_contacts, n_samples) (N); 0 where it is open.

        The contacts are in the order of the model. At a jump each sample has the force of its own side. What ends a
        mode by its force has the limit from within the mode there: at a dead point a force jumps.

        Raises
        ------
        TypeError
            If the run was made from plain functions or loaded from a file, which know of no contact's force.
        """
        return self._forces(*within_modes(self._record, self.t, self.x, self._own_samples()), self._stage_places())

    def force_at(self, t: ArrayLike, side: Literal["left", "right"] = "right") -> np.ndarray:
        """The normal force of each contact at any times of the run, shape (n_contacts, len(t)) (N).

        Between the accepted steps the state is that of the dense output, whose error a force multiplies where it hangs
        on the direction of a slow slip: while a slip turns, it may be off by a fifth at rtol = 1e-6, and is right to
        its digits at 1e-10. At the accepted steps themselves, `force`, it has the accuracy of the steps.

        Parameters
        ----------
        t : array_like, shape (k,)
            Times within the run (s).
        side : "right" or "left"
            Which side of an event is meant when a time is that of one.

        Raises
        ------
        ValueError
            If a time is outside the run, or `side` is neither word.
        TypeError
            As for `force`.

        Examples
        --------
        A rod that leans on a wall and a floor, just before its upper end leaves the wall, where its force is zero:

        >>> from sympact.models import rod_on_wall
        >>> result = rod_on_wall().simulate()
        >>> leaves = next(event.t for event in result.events if event.kind == "open")
        >>> abs(result.force_at([leaves], side="left")[result.contact_names.index("A on wall"), 0]) < 1e-6
        np.True_
        """
        times = np.atleast_1d(_times(t))
        asked = within_modes(self._record, times, self(times, side), self._samples_at(times, side))
        return self._forces(*asked, self._record.stage_at(times, side))

    @property
    def friction_force(self) -> np.ndarray:
        """The force of friction of each contact at the times `t`, shape (n_contacts, 3, n_samples) (N).

        Components are those in the inertial frame; the force acts on the body of the contact's point. Zero where the
        contact is open or has no friction. Where several contacts share a load that no law of mechanics divides between
        them, the smallest forces are meant.

        Raises
        ------
        ValueError
            As `force` does.
        """
        return self._frictions(*within_modes(self._record, self.t, self.x, self._own_samples()), self._stage_places())

    def friction_force_at(self, t: ArrayLike, side: Literal["left", "right"] = "right") -> np.ndarray:
        """The force of friction of each contact at any times of the run, shape (n_contacts, 3, len(t)) (N).

        Parameters
        ----------
        t, side
            As in `force_at`.

        Raises
        ------
        ValueError, TypeError
            As `force_at` does.

        Examples
        --------
        A block on a board that tilts, just before it starts and later; its friction by its normal force:

        >>> from sympact.models import sliding_block
        >>> result = sliding_block().simulate()
        >>> starts = result.events[-1].t
        >>> for t in (starts, starts + 0.1):
        ...     size = np.linalg.norm(result.friction_force_at([t], side="left")[0, :, 0])
        ...     print((size / result.force_at([t], side="left")[0, 0]).round(9))
        0.5
        0.4
        """
        times = np.atleast_1d(_times(t))
        asked = within_modes(self._record, times, self(times, side), self._samples_at(times, side))
        return self._frictions(*asked, self._record.stage_at(times, side))

    def _frictions(self, t: np.ndarray, x: np.ndarray, stage: np.ndarray) -> np.ndarray:
        """The forces of friction along states, or a sentence."""
        cure = "run a HybridModel with contacts, and take result.friction_force before it is saved"
        return self._hooked("friction_force", "contact forces", cure)(t, x, stage)

    def __call__(self, t: ArrayLike, side: Literal["left", "right"] = "right") -> np.ndarray:
        """The state at any time of the run, from the steppers' own dense output.

        Parameters
        ----------
        t : float or array_like, shape (k,)
            Times within the run (s).
        side : "right" or "left"
            Which side of a jump is meant when `t` is the time of one.

        Returns
        -------
        array, shape (n_states,) for one time, (n_states, k) for k times

        Raises
        ------
        ValueError
            If a time is outside the run, or `side` is neither word.
        """
        if side not in ("left", "right"):
            raise ValueError(f'side is {side!r}; "left" means just before a jump, "right" just after it')
        times = _times(t)
        if times.ndim > 1:
            raise ValueError(f"t has the shape {times.shape}; give one time or a one-dimensional array of times")
        first, last = self.t_span
        outside = times[~((times >= first) & (times <= last))]
        if outside.size:
            raise ValueError(
                f"t = {outside.flat[0]:.12g} is outside this run, which goes from {first:.12g} to {last:.12g}"
            )
        states = self._dense(np.atleast_1d(times), side).T
        return states if times.ndim else states[:, 0]

    def __getitem__(self, key: str | int | object) -> np.ndarray:
        """A state, by name or index, or any expression of the model, at the times `t`; shape (n_samples,).

        Raises
        ------
        KeyError, IndexError
            If there is no such state.
        TypeError
            If `key` is an expression and the run was made from plain functions.
        """
        if isinstance(key, str) and key in self.state_names:
            return self.x[self.state_names.index(key)]
        if isinstance(key, int | np.integer):
            return self.x[self._row(key)]
        if self._hooks.evaluate is not None:
            return self._hooks.evaluate(key)(self.t, self.x)
        if isinstance(key, str):
            raise KeyError(f"there is no state {key!r}; the states are {list(self.state_names)}")
        raise TypeError(
            f"this result cannot evaluate {key!r}: it was made from plain functions or loaded from a file, without a"
            f" symbolic model; it knows the states {list(self.state_names)} by name or index"
        )

    def table(self, max_rows: int = 40) -> str:
        """The events as an aligned table of text, the middle left out beyond `max_rows` rows."""
        return self.events.table(max_rows)

    def to_dataframe(self) -> pandas.DataFrame:
        """The samples as a pandas DataFrame, a column for each state.

        The index is `t`; the column ``side`` is "left" just before an event, else "right", as in ``result(t, side)``;
        the column ``stage`` names the stage. A name that a state has already gets an underscore behind it.

        Raises
        ------
        ImportError
            If pandas is not installed.

        Examples
        --------
        >>> from sympact.models import bouncing_ball
        >>> samples = bouncing_ball().simulate(max_events=1).to_dataframe()
        >>> jump = samples.loc[samples.index[samples.side == "left"]]
        >>> jump.side.tolist(), jump.v.round(3).tolist()
        (['left', 'right'], [-4.429, 3.544])
        """
        return samples_frame(self._samples())

    def events_dataframe(self) -> pandas.DataFrame:
        """The events as a pandas DataFrame, a row for each, numbered from 1 as in pictures; see `Events.columns`.

        Raises
        ------
        ImportError
            If pandas is not installed.

        Examples
        --------
        >>> from sympact.models import bouncing_ball
        >>> bouncing_ball().simulate().events_dataframe()[["t", "kind", "energy"]].head(2).round(3)
                   t    kind  energy
        event
        1      0.452  impact  -3.532
        2      1.174  impact  -2.260
        """
        return events_frame(self.events.columns())

    def to_xarray(self, units: Mapping[str, str] | None = None) -> xarray.Dataset:
        """The run as an xarray Dataset: states, and of a mechanical run gaps, forces and energies, over the time.

        The coordinate ``t`` has two samples at a jump, told apart by the coordinate ``side``; ``stage`` names the
        stage. The events are the variables ``event_t``, ``event_kind``, ... over the axis ``event``. The attributes say
        ``status``, ``message`` and the ``version`` of sympact.

        Parameters
        ----------
        units : mapping of str to str, optional
            Units of states, of ``"t"``, ``"gaps"``, ``"energy"``, ``"forces"`` and ``"impulses"``, as `plot` takes
            them; all but those of the states of a mechanical run are SI units if not given otherwise.

        Raises
        ------
        ImportError
            If xarray is not installed.
        TypeError, ValueError
            If `units` is no mapping, or names what the result does not have.

        Examples
        --------
        >>> from sympact.models import bouncing_ball
        >>> ball = bouncing_ball()
        >>> run = ball.simulate().to_xarray(ball.units)
        >>> run.force.dims, run.force.units, run.z.units, run.attrs["status"]
        (('contact', 't'), 'N', 'm', 'FINISHED')
        """
        return dataset(*variables(self, self._hooks, units or {}))

    def to_csv(self, path: str | PathLike) -> None:
        """Write the samples as comma-separated values: ``t``, ``side``, ``stage``, and each state, as `to_dataframe`.

        Every number is written with as many digits as give the same bits when they are read again.

        Examples
        --------
        >>> import csv, tempfile
        >>> from sympact.models import bouncing_ball
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     bouncing_ball().simulate().to_csv(f"{folder}/ball.csv")
        ...     with open(f"{folder}/ball.csv", newline="") as file:
        ...         first = next(csv.DictReader(file))
        >>> first
        {'t': '0.0', 'side': 'right', 'stage': 'free', 'z': '1.0', 'v': '0.0'}
        """
        write_csv(checked_path(path), self._samples())

    def plot(self, *panels: str, **options):
        """Draw the run: some of ``"states"``, ``"gaps"``, ``"energy"``, ``"forces"``, ``"impulses"``, ``"phase"`` and
        ``"stages"``, in the order in which they are named; gaps and states by default.

        `sympact.show.plot_result` describes them, and the options ``states``, ``gaps``, ``phase``, ``units``, ``title``
        and ``width``.

        Examples
        --------
        >>> from sympact.models import rod_on_wall
        >>> rod = rod_on_wall()
        >>> figure = rod.simulate().plot("forces", "stages", units=rod.units, title="A rod that slides down a wall")
        >>> figure.axes[1].get_ylabel()
        'normal force (N)'
        """
        from sympact.show import plot_result

        return plot_result(self, *panels, **{"hooks": self._hooks, **options})

    def plot_energy(self, **options):
        """Draw kinetic, potential and total energy over time, and what each impact took: ``plot("energy")``.

        Raises
        ------
        TypeError
            If the run was made from plain functions, which know of no mass.
        """
        from sympact.show import plot_energy

        self._hooked("kinetic_energy", "kinetic energy", "draw what you know with matplotlib")
        return plot_energy(self, self._hooks, **options)

    def animate(self, path: str | PathLike | None = None, *, shapes: Iterable | None = None, **options):
        """Show the bodies of a mechanical model in motion; see `sympact.show.animation.animation.animate_result`.

        Parameters
        ----------
        path : path-like, optional
            The file to write, ``.gif``, ``.mp4`` or ``.html``.
        shapes : iterable of Shape, optional
            What the bodies look like; by default their points are joined.
        **options
            ``speed``, ``fps``, ``slow``, ``impulses``, ``units``, ``view`` and ``title``.

        Raises
        ------
        TypeError
            If the run was made from plain functions or loaded from a file, which know of no bodies.
        """
        if self._hooks.geometry is None:
            raise TypeError(
                "this result cannot be animated: it was made from plain functions or loaded from a file, without the"
                " bodies of a mechanical model; run a HybridModel and animate what it returns, or draw result.plot()"
            )
        from sympact.show.animation.animation import animate_result

        return animate_result(self, self._hooks.geometry, path, shapes=shapes, **options)

    def draw_modes(self, *, formulas: bool = False, **options):
        """Draw the stages met and the events between them; see `sympact.show.draw_modes`.

        Parameters
        ----------
        formulas : bool
            Whether to write the boundary and the jump of each transition that was taken, or the gap and the jump map
            of each contact that took part, below the graph.
        **options
            ``title``.

        Raises
        ------
        TypeError
            If formulas are asked for and the run was made from plain functions or loaded from a file.

        Examples
        --------
        >>> from sympact.models import bouncing_ball
        >>> figure = bouncing_ball().simulate().draw_modes(formulas=True)
        >>> [text.get_text() for text in figure.axes[0].texts][-3:]
        ['ball', '$g_N = z$', '$v^+ = - e v$']
        """
        from sympact.show import draw_modes

        modes = self.modes
        if formulas:
            options["formulas"] = self._formulas(modes)
        return draw_modes(modes, **options)

    def _formulas(self, modes: networkx.MultiDiGraph) -> list[Formula]:
        known = self._hooked("formulas", "formulas", "draw the modes without formulas=True")()
        met = {name for *_, of in modes.edges(data=True) for name in of["contacts"]}
        return [formula for name, formula in known.items() if name in met]

    def report(self, path: str | PathLike, **options) -> None:
        """Write the run as one HTML page to hand in, which opens without a network; see `sympact.show.write_report`.

        The result knows its model, its numbers and its settings, so that nothing on the page can belong to another run.

        Examples
        --------
        >>> import tempfile
        >>> from pathlib import Path
        >>> from sympact.models import bouncing_ball
        >>> ball = bouncing_ball()
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     ball.simulate().report(f"{folder}/ball.html", title="A ball that bounces", units=ball.units)
        ...     page = Path(folder, "ball.html").read_text(encoding="utf-8")
        >>> "<h1>A ball that bounces</h1>" in page, "9.81" in page
        (True, True)
        """
        from sympact.show import write_report

        write_report(self, self._hooks, checked_path(path), **options)

    def save(self, path: str | PathLike) -> None:
        """Write the run to an ``.npz`` file that holds numbers and text only; see `integrate.export.archive`."""
        write(checked_path(path), self._record, self._dense.segments(), self._program, self._hooks, self._t_eval)

    def __repr__(self) -> str:
        first, last = self.t_span
        n_states, n_samples = self._record.x.shape[1], len(self._record.t if self._t_eval is None else self.t)
        kinds = ", ".join(f"{count} {kind}" for kind, count in Counter(self.events.kinds()).items())
        events = f"{len(self.events)} events ({kinds})" if kinds else "no events"
        events += f", {self.unproven} steps not proven" if self.unproven else ""
        return (
            f"<Result from t = {first:.6g} to {last:.6g}: {n_samples} samples of {n_states} states, {events},"
            f" {self.status.name}{self._compared()}>"
        )

    def _compared(self) -> str:
        """What lengths were compared with, for the text of a run with contacts."""
        settings = self._record.settings
        if "length" not in settings:
            return ""
        length, band, hop = (settings[name] for name in ("length", "dead_band", "rebound_height"))
        return f"; length {length:.4g} m, dead band {band:.2g} m, rebound height {hop:.2g} m"

    def _hooked(self, name: str, what: str, cure: str) -> Callable[..., np.ndarray]:
        """What the model behind the run answers, or a sentence."""
        quantity = getattr(self._hooks, name)
        if quantity is None:
            raise TypeError(
                f"this result has no {what}: it was made from plain functions or loaded from a file, without a"
                f" mechanical model; {cure}"
            )
        return quantity

    def _forces(self, t: np.ndarray, x: np.ndarray, stages: np.ndarray) -> np.ndarray:
        cure = "run a HybridModel with contacts, and take result.force before it is saved"
        return self._hooked("force", "contact forces", cure)(t, x, stages)

    def _own_samples(self) -> np.ndarray:
        """The place in the record of each of the times `t`; -1 of one that is none."""
        return np.arange(len(self.t)) if self._t_eval is None else np.full(len(self.t), -1)

    def _samples_at(self, t: np.ndarray, side: str) -> np.ndarray:
        """The place in the record of each time that is one of its samples, just before an event; -1 of others."""
        places = np.searchsorted(self._record.t, t)
        return np.where((self._record.t[places] == t) & (side == "left"), places, -1)

    def _samples(self) -> Samples:
        before = self._record.event_sample if self._t_eval is None else np.empty(0, dtype=int)
        return Samples(self.t, sides(len(self.t), before), self.stages, self.state_names, self.x)

    def _stage_places(self) -> np.ndarray:
        """The stage of each sample as an index."""
        return self._record.stage if self._t_eval is None else self._record.stage_at(self.t)

    def _accumulation(self) -> tuple[float, float]:
        """`t_inf` and its error, of the end of the run or of its last accumulation."""
        record = self._record
        met = np.flatnonzero(record.event_kind == KINDS.index(EventKind.ACCUMULATION))
        if self.status is Status.ACCUMULATION or not met.size:
            return record.t_inf, record.t_inf_error
        return float(record.event_t_inf[met[-1]]), float(record.event_t_inf_error[met[-1]])

    def _row(self, key: int | np.integer) -> int:
        index, n = operator.index(key), len(self.state_names)
        if not -n <= index < n:
            raise IndexError(f"there is no state {index}; the run has {n} states: {list(self.state_names)}")
        return index

    def _within(self, t: np.ndarray) -> np.ndarray:
        first, last = self.t_span
        return t[(t >= first) & (t <= last)]


def load(path: str | PathLike, hooks: Hooks = PLAIN) -> Result:
    """Read a run that `Result.save` wrote; nothing in the file is evaluated as code.

    Parameters
    ----------
    path : path-like
        The file.
    hooks : Hooks, default PLAIN
        What the model behind the run answers; without them the result knows its states by name and index.

    Raises
    ------
    ValueError
        If the file is damaged, changed, or of another format.
    FileNotFoundError
        If there is none.
    """
    return Result(*read(checked_path(path), hooks))


def _frozen(array: np.ndarray) -> np.ndarray:
    view = array.view()
    view.flags.writeable = False
    return view


def _times(t: object) -> np.ndarray:
    """Times from a user as an array, or a sentence."""
    try:
        return real_array(t)
    except ValueError as error:
        expected = "expected one time or a one-dimensional array of times"
        raise ValueError(f"t is {described(t)}, {expected}: {error}") from None
