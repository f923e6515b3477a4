"""A process: flows, and the transitions between them."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from math import inf
from typing import TYPE_CHECKING, Any

import numpy as np

from sympact.hybrid.edges.clocks import CLOCK_UNITS
from sympact.hybrid.edges.going_on import GoingOn, going_on
from sympact.hybrid.edges.process_table import EDGE_UNITS
from sympact.hybrid.flows import DiscreteTime, SideBySide
from sympact.hybrid.nested import entries, flattened, states_named
from sympact.hybrid.plain_functions import Functions
from sympact.hybrid.process_run import Parts, ProcessRun
from sympact.hybrid.process_sheet import process_sheet
from sympact.hybrid.process_stepper import ProcessStepper
from sympact.hybrid.transition import Transition, check_edges_travel, identity, transition_names
from sympact.hybrid.validation import initial_state, stage_index
from sympact.integrate.loop.prepared_run import loop_units
from sympact.integrate.loop.recorder import Recording
from sympact.integrate.measure.observers import Observer
from sympact.integrate.memory.run_tolerances import DEFAULT_ATOL, DEFAULT_RTOL
from sympact.integrate.problem.continuation import Continuation
from sympact.integrate.problem.settings import Checked, Settings, checked_settings
from sympact.integrate.problem.stepper import Stepper
from sympact.integrate.problem.times import time_span
from sympact.integrate.problem.travel import check_travels
from sympact.integrate.result import Result
from sympact.integrate.search.switch_table import SWITCH_UNITS
from sympact.integrate.steppers.methods import METHODS
from sympact.integrate.trajectory.evaluator import PLAIN, Evaluator
from sympact.integrate.trajectory.record import Record
from sympact.integrate.trajectory.trajectory import Origin
from sympact.native.cached import cached_property
from sympact.native.compilation import compile_together
from sympact.native.engine import MACHINE_CODE, Engine, engine_for
from sympact.on_request import on_request

if TYPE_CHECKING:
    import networkx
    import sympy

    from sympact.hybrid.symbolic.facts import ProcessStage

__all__ = ["HybridSystem"]


class HybridSystem:
    """A directed multigraph of stages: each has its own flow, and transitions lead from one to another.

    Parameters
    ----------
    flows : mapping of str to flow
        ``flow(t, x)``, shape (n_states,): the rate x' in each stage; the key names the stage. In place of a function a
        stage may have a `DiscreteTime` update or a `Nested` process.
    transitions : sequence of Transition
        The edges. Where several fire at the same time, the first in this order is taken.
    states : sequence of str, or mapping of str to sequence of str, optional
        Names of the states; ``"x0", "x1", ...`` without them. A mapping names those of each stage, which may have
        different ones: functions of a stage have its own states alone, the jump returns those of the stage entered,
        and results have all of them, NaN where the stage does not have one.

    Attributes
    ----------
    entries : mapping of str to str
        The inner stage that is entered, for each stage that was given as a `Nested` process.

    Raises
    ------
    ValueError
        With one sentence for each fault: an unknown stage, a self-transition without a jump, an object that is no
        function, ...

    Notes
    -----
    A flow, boundary or jump may also be a numba ``cfunc``, called by address without Python. All three have the
    signature ``void(float64, CPointer(float64), CPointer(float64), CPointer(float64))`` of (t, x, parameters, out); a
    boundary writes one number to ``out[0]``, a jump the state just after. Where stages have different states a cfunc
    has those of all stages, in the order of `states`; a flow writes the rate 0 for those that its stage does not have.

    Examples
    --------
    >>> thermostat = HybridSystem(
    ...     flows={"on": lambda t, x: [2.0], "off": lambda t, x: [-1.0]},
    ...     transitions=[
    ...         Transition("on", "off", boundary=lambda t, x: x[0] - 22.0),
    ...         Transition("off", "on", boundary=lambda t, x: 20.0 - x[0]),
    ...     ],
    ...     states=["temperature"],
    ... )
    >>> result = thermostat.simulate((0, 5), [21.0], start="on")
    >>> print(result.events)
    t    kind        stages
    0.5  transition  on -> off
    2.5  transition  off -> on
    3.5  transition  on -> off
    """

    def __init__(
        self,
        flows: Mapping[str, Callable],
        transitions: Iterable[Transition],
        *,
        states: Sequence[str] | Mapping[str, Sequence[str]] | None = None,
    ):
        given = {"flows": flows, "transitions": _listed(transitions), "states": states}
        flows, transitions, states = flattened(**given)
        self.entries: Mapping[str, str] = entries(given["flows"])
        self._made: tuple[Callable[..., HybridSystem], dict[str, Any]] = (HybridSystem, given)
        if not isinstance(states, Mapping) and not _in_parts(flows):
            self._parts: Parts = Functions.checked(flows, transitions, states)
            return
        from sympact.hybrid.symbolic.named import named_process

        self._parts = named_process(flows, transitions, states)

    @classmethod
    def from_sympy(
        cls,
        flows: Mapping[str, Any],
        transitions: Iterable[Transition],
        *,
        states: Sequence[sympy.Expr] | Mapping[str, Sequence[sympy.Expr]] | None = None,
        parameters: Sequence[sympy.Expr] = (),
        time: sympy.Symbol | None = None,
        sliding: str | Mapping[sympy.Expr, str] | None = None,
    ) -> HybridSystem:
        """A process of SymPy expressions, compiled, whose boundaries have exact rates along the flow.

        Conditions in a flow (`Piecewise`, `Abs`, `sign`, `Max`, `Min`, `Heaviside`) are boundaries too: there the run
        changes from one branch to the other, an event of the kind "switch", and stays in its stage.

        Parameters
        ----------
        flows : mapping of str to flow
            The rate of each state in each stage: a list of expressions; a mapping ``{state: expression}``, whose keys
            are then the states of the stage; a `DiscreteTime`; a `Nested` process; or a function ``flow(t, x)`` of the
            states of the stage, as in the other constructor.
        transitions : sequence of Transition
            With an expression as boundary, and as jump a list of expressions, one for each state of the stage entered,
            or a mapping ``{state: expression}`` of those that change; states that the stage left does not have need a
            value. Boundaries and jumps may be functions of (t, x), too.
        states : sequence of Expr, or mapping of str to sequence of Expr, optional
            Symbols, or functions of time: those of the process, or of each stage. Not needed where each flow is a
            mapping: its keys, in their order, are the states.
        parameters : sequence of Expr
            Symbols.
        time : sympy.Symbol, optional
            The time, if it is not the symbol ``t``.
        sliding : "filippov" or mapping, optional
            What happens at a condition where the flows on both sides lead back to it: by default the run ends with
            `Status.SLIDING`. With "filippov" it slides along the condition; ``{margin: "filippov"}`` says so for single
            conditions, where that of ``sign(x)`` or ``x > 0`` has the margin x. See :doc:`/how-to/processes`.

        Raises
        ------
        ValueError
            With one sentence for each fault, and for each expression that cannot be read.

        Examples
        --------
        >>> import sympy as sm
        >>> y, v, g, e = sm.symbols("y v g e")
        >>> ball = HybridSystem.from_sympy(
        ...     {"air": [v, -g]},
        ...     [Transition("air", "air", boundary=-y, jump={v: -e * v}, name="ground")],
        ...     states=[y, v],
        ...     parameters=[g, e],
        ... )
        >>> result = ball.simulate((0, 1.5), {y: 5, v: 0}, start="air", parameters={g: 10, e: 0.5})
        >>> result.path, result[v**2 / 2 + g * y][-1].round(9)
        (('air', 'air'), np.float64(12.5))
        """
        from sympact.hybrid.symbolic.expressions import Expressions

        process = cls.__new__(cls)
        if states is None and isinstance(flows, Mapping):
            states = states_named(flows)
        given = {"flows": flows, "transitions": _listed(transitions), "states": states}
        flows, transitions, states = flattened(**given)
        process.entries = entries(given["flows"])
        process._made = (cls.from_sympy, {**given, "parameters": parameters, "time": time, "sliding": sliding})
        process._parts = Expressions.checked(flows, transitions, states, parameters, time, sliding)
        return process

    def stage(self, name: str) -> ProcessStage:
        """What is known of a stage: its states and flow, and whether it is linear and time-invariant.

        Raises
        ------
        ValueError
            If there is no such stage, or the process is made of plain functions, of which nothing is known.
        """
        stage_index(name, self.stages)
        if not self._parts.facts:
            raise ValueError(f"nothing is known of the stage {name!r}, a plain function; use HybridSystem.from_sympy")
        return self._parts.facts[name]

    @property
    def equal_stages(self) -> tuple[tuple[str, ...], ...]:
        """The names of the stages in groups of equal ones: the same states and flow, and the same transitions to equal
        stages.

        A run that goes from one stage of a group to another behaves as if it had stayed.

        Examples
        --------
        >>> import sympy as sm
        >>> x = sm.Symbol("x")
        >>> ways = [Transition("a", "b", boundary=x - 1, jump=[0]), Transition("b", "a", boundary=x - 1, jump=[0])]
        >>> HybridSystem.from_sympy({"a": [1], "b": [1], "c": [2]}, ways, states=[x]).equal_stages
        (('a', 'b'), ('c',))
        """
        return self._parts.alike

    def __mul__(self, other: HybridSystem) -> HybridSystem:
        """Two processes that run side by side, see `product`."""
        if not isinstance(other, HybridSystem):
            return NotImplemented
        return on_request("product")(self, other)

    @property
    def stages(self) -> tuple[str, ...]:
        """The names of the stages, in the order of `flows`."""
        return tuple(self._parts.flows)

    @property
    def states(self) -> tuple[Hashable, ...] | None:
        """The names or symbols of the states, as they were given; None without any."""
        return self._parts.states

    @property
    def transitions(self) -> tuple[Transition, ...]:
        """The edges, in the order of declaration."""
        return self._parts.transitions

    @property
    def F(self) -> np.ndarray:
        """The flows, an object array of shape (n_stages,)."""
        flows = np.empty(len(self.stages), dtype=object)
        for i, flow in enumerate(self._parts.flows.values()):
            flows[i] = flow
        return flows

    @property
    def G(self) -> np.ndarray:
        """The boundaries, an object array of shape (n_stages, n_stages).

        The entry i, j contains the boundaries of all transitions from stage i to stage j, () where there is none.
        """
        return self._matrix(lambda transition: transition.boundary)

    @property
    def H(self) -> np.ndarray:
        """The jumps, an object array of shape (n_stages, n_stages), entry for entry as `G`; `identity` for none."""
        return self._matrix(lambda transition: identity if transition.jump is None else transition.jump)

    @property
    def graph(self) -> networkx.MultiDiGraph:
        """The process as a graph: nodes with their `flow`, edges with `name`, `boundary` and `jump`."""
        import networkx

        graph = networkx.MultiDiGraph()
        for name, flow in self._parts.flows.items():
            graph.add_node(name, flow=flow)
        for name, edge in zip(transition_names(self.transitions), self.transitions, strict=True):
            graph.add_edge(edge.source, edge.target, name=name, boundary=edge.boundary, jump=edge.jump)
        return graph

    def draw(self, **options):
        """Draw the graph with its flows, boundaries and jumps: formulas, or the names of plain functions.

        `sympact.show.draw_graph` describes the picture and the option ``title``.

        Examples
        --------
        >>> import sympy as sm
        >>> y, v, g, e = sm.symbols("y v g e")
        >>> bounce = Transition("air", "air", boundary=-y, jump={v: -e * v}, name="ground")
        >>> ball = HybridSystem.from_sympy({"air": [v, -g]}, [bounce], states=[y, v], parameters=[g, e])
        >>> for text in ball.draw().axes[0].texts:
        ...     print(text.get_text())
        air
        $\\dot{y} = v$
        $\\dot{v} = - g$
        linear, time-invariant
        ground
        $- y = 0$
        $v^+ = - e v$
        """
        flows, transitions = self._parts.formulas()
        return on_request("draw_graph")(self.graph, **{"flows": flows, "transitions": transitions, **options})

    def simulate(
        self,
        t_span: tuple[float, float],
        x0: Sequence[float] | Mapping[Hashable, float] | Result,
        parameters: Mapping[Hashable, float] | Sequence[float] | None = None,
        *,
        start: str | None = None,
        method: str | Stepper = "DOP853",
        rtol: float = DEFAULT_RTOL,
        atol: float | Sequence[float] = DEFAULT_ATOL,
        t_eval: Sequence[float] | None = None,
        max_step: float = inf,
        max_events: int = 1_000_000,
        max_steps: int | None = None,
        events: object = None,
        keep: str = "run",
        observe: Mapping[str, Observer] | None = None,
        progress: bool = False,
        engine: str | None = None,
    ) -> Result:
        """Simulate the process from `x0` in the stage `start`, event by event.

        Parameters
        ----------
        t_span : (t0, t1)
            Start and end (s).
        x0 : array_like, shape (n_states,), or mapping
            The initial state; a mapping gives a number to every state. Or a `Result` of this process, from which the
            run goes on at t0: in its stage and with its state there, just after a jump. At the end of that result also
            with the sides on which boundaries and conditions are, and with the instants of its clocks: what is met
            there is an event of one of the two runs.
        parameters : mapping or array_like, optional
            The numbers of a process made by `from_sympy`, ``{symbol: number}`` or in their order; for cfuncs the array
            that their third argument points to.
        start : str
            The name of the stage to start in; not needed where `x0` is a `Result`.
        method : str or Stepper
            "DOP853", "RK45"; "Euler", "improved Euler", "RK4" with the fixed step `max_step`; "RadauIIA", "Radau",
            "BDF", "LSODA"; or a user's stepper, a `RungeKutta` or a `OneStep`.
        rtol, atol : float, or array_like of shape (n_states,) for `atol`
            Relative and absolute tolerance of each step.
        t_eval : array_like, optional
            Times at which `Result.t` and `Result.x` are requested, in place of the accepted steps. A run that ends
            before the end of its span has its end as the last sample.
        max_step : float
            The largest step (s). A boundary of plain Python functions is sampled within each step: one that crosses for
            less than 1/16 of a step needs a smaller `max_step`.
        max_events : int
            The run ends after so many events.
        max_steps : int, optional
            The run ends after this many attempted steps, accepted or rejected. Without it the number is not limited,
            and the run ends where it makes no progress, see `Status.NO_PROGRESS`.
        events : mapping, callable or list of callable, optional
            Events of your own by their names, which are recorded in ``result.events``. Of a process with symbols:
            expressions of them, events where they pass zero, conditions such as ``x > 1``, events where they become
            true, a `Crossing`, or a `Stop`, which ends the run; they are found as the boundaries of transitions are.
            Of a process of plain functions: functions ``f(t, x)``, alone or in a `Crossing` or `Stop`, or a list of
            them as in `solve_ivp`, with their attributes ``terminal`` and ``direction``. :doc:`/how-to/processes` has
            examples.
        keep : "run" or "events", default "run"
            "events" keeps the states at events, at `t_eval`, and at both ends, and not those of the steps between, so
            that long runs need little memory; then a result has no state at other times.
        observe : mapping of str to Observer, optional
            Numbers that sum up the run, by name, such as ``{"highest": Maximum(y), "time": Integral(1)}``, where plain
            functions have their states by name alone. They are in `Result.observed`.
        progress : bool
            Show a line with the simulated time, the events so far, the simulated seconds per second and the time left,
            on standard error.
        engine : str, optional
            How the loop is evaluated where there is no machine code of it on this machine: "auto", the default,
            interprets the run while other processes compile the loop for the next run; "any" does so, too, and goes on
            with the machine code as soon as it is there; "compiled" waits for it; "interpreted" never uses it. See
            :doc:`/install`. ``result.settings["engine"]`` says how it was.

        Returns
        -------
        Result

        Raises
        ------
        ValueError
            If the process does not have the stage, or an argument or the shape of a returned value does not conform to
            this description.
        TypeError
            If `events` or `observe` are no such mappings.
        Exception
            Any exception of a function of the process, with a note that names the function, the time and the state, and
            an attribute ``result``: the run up to there.
        """
        span = time_span(t_span)
        recording = Recording.read(t_eval, span, keep, observe)
        parts = self._watching(events)
        begin = self._beginning(x0, span[0], start)
        by: dict[str, Any] = {"method": method, "rtol": rtol, "atol": atol, "max_step": max_step}
        by |= {"max_events": max_events, "max_steps": max_steps, "engine": engine}
        names = parts.names(len(begin.x))
        settings = checked_settings(self._checked, names, span, begin.x, by, METHODS)
        with self._engine(settings).in_force():
            run = ProcessRun(parts, begin, parts.numbers(parameters))
            result = run.simulate(settings, recording, progress)
        if run.model is not PLAIN or recording.observers:
            given = {"parameters": parameters, **by, "events": events, "keep": keep, "observe": observe}
            if not recording.whole:
                given["t_eval"] = t_eval
            result._run.origin = Origin(HybridSystem.simulate, (self, span, begin), given)
        return result

    def stepper(
        self,
        x0: Sequence[float] | Mapping[Hashable, float] | Result,
        parameters: Mapping[Hashable, float] | Sequence[float] | None = None,
        *,
        start: str | None = None,
        events: object = None,
        t: float = 0.0,
        t_end: float = inf,
        method: str | Stepper = "DOP853",
        rtol: float = DEFAULT_RTOL,
        atol: float | Sequence[float] = DEFAULT_ATOL,
        max_step: float = inf,
        max_events: int = 1_000_000,
        engine: str | None = None,
        record: bool = True,
    ) -> ProcessStepper:
        """A run that goes on a step at a time, as `HybridModel.stepper` makes one.

        A step may give other parameters, ``run.step(0.1, {g: 3.7})``: by symbols or names, those of cfuncs by their
        places. Then a run of its own goes on from the present state, with the sides of boundaries and the clocks of the
        last one.

        Parameters
        ----------
        x0, parameters, start, events, method, rtol, atol, max_step, engine
            As for `simulate`.
        t, t_end : float
            The time of the start, and that of the end of the run (s).
        max_events : int
            The run ends after so many events in one step.
        record : bool
            Keep all steps; False keeps the last one alone.

        Returns
        -------
        ProcessStepper

        Raises
        ------
        ValueError, TypeError
            As `simulate` does.

        Examples
        --------
        >>> from sympact import Transition
        >>> bounce = Transition("up", "up", boundary=lambda t, x: -x[0], jump=lambda t, x: [0.0, -0.5 * x[1]])
        >>> ball = HybridSystem({"up": lambda t, x: [x[1], -10.0]}, [bounce], states=["height", "speed"])
        >>> run = ball.stepper([5.0, 0.0], start="up")
        >>> run.step(0.9), run.n_events, run.step(0.2), run.n_events, round(run["speed"], 9)
        (None, 0, None, 1, 4.0)
        """
        parts = self._watching(events)
        begin = self._beginning(x0, t, start)
        by: dict[str, Any] = {"method": method, "rtol": rtol, "atol": atol, "max_step": max_step}
        by |= {"max_events": max_events, "max_steps": None, "engine": engine}
        span = (t, t_end if t_end < inf else t + 1.0)
        settings = checked_settings(self._checked, parts.names(len(begin.x)), span, begin.x, by, METHODS)

        def beginning(other: Any) -> GoingOn:
            return begin if other is None else self._beginning(other, t, start or self.stages[parts.kinds[begin.stage]])

        in_force = self._engine(settings).in_force
        return ProcessStepper(parts, beginning, parts.numbers(parameters), settings, in_force, t_end, record=record)

    def __reduce__(self) -> tuple:
        """It is built again from its functions or expressions where it arrives.

        Raises
        ------
        TypeError
            Naming a function that cannot travel, such as a lambda.
        """
        given, edges = self._made[1], self._made[1].get("transitions", ())
        for stage, flow in given.get("flows", {}).items():
            check_travels(f"the flow of stage {stage!r}", flow)
        check_edges_travel(zip(transition_names(edges), edges, strict=True))
        return _rebuilt, self._made

    def __deepcopy__(self, memo: dict) -> HybridSystem:
        return _rebuilt(*self._made)

    def restored(
        self, stored: Mapping, record: Record, inputs: Mapping[Hashable, object], controllers: object = None
    ) -> Evaluator:
        """The process with the numbers of a run that was read from a file; called by `sympact.load`."""
        if inputs or controllers:
            raise ValueError(
                f"inputs and controllers are those of mechanical models, found {list(inputs) or controllers}; leave "
                "them out"
            )
        found = self._parts.evaluator(self._parts.numbers(stored.get("parameters")))
        own = found.stored()
        if own is None or own["digest"] != stored.get("digest"):
            raise ValueError("the run in the file is one of another process; give the process that it was made with")
        return found

    def _watching(self, events: object) -> Parts:
        """The definition of the process with events of the user's own."""
        none = events is None or (isinstance(events, Mapping | Sequence) and not events)
        return self._parts if none else self._parts.watching(events)

    def _engine(self, settings: Settings) -> Engine:
        """The engine of a run, for which everything is compiled that has to be."""
        if settings.method in self._ready and settings.engine != "interpreted":
            return MACHINE_CODE
        units = [*loop_units(settings.by), *EDGE_UNITS, *(CLOCK_UNITS if self._parts.clocks else ())]
        engine = engine_for(settings.engine, units, SWITCH_UNITS)
        with engine.in_force():
            compile_together(units)
        if engine is MACHINE_CODE and settings.method in METHODS:
            self._ready.add(settings.method)
        return engine

    @cached_property
    def _ready(self) -> set[str]:
        """The names of methods whose runs find everything compiled."""
        return set()

    @cached_property
    def _checked(self) -> Checked:
        """The settings of earlier runs."""
        return {}

    def _beginning(
        self, x0: Sequence[float] | Mapping[Hashable, float] | Result | GoingOn, t: float, start: str | None
    ) -> GoingOn:
        """The state, the stage, and what is taken over from an earlier run."""
        if isinstance(x0, GoingOn):
            return x0
        if isinstance(x0, Result):
            n = len(x0.state_names)
            found = going_on(x0, t, self._parts.names(n), self.stages, start)
            return found._replace(x=self._start(found.x, self.stages[self._parts.kinds[found.stage]]))
        if start is None:
            raise TypeError("HybridSystem.simulate() needs start=: the name of the stage at the first time")
        start = self.entries.get(start, start)
        index = stage_index(start, self.stages)
        return GoingOn(self._start(x0, start), index, Continuation((index,)))

    def _start(self, x0: Sequence[float] | Mapping[Hashable, float], start: str) -> np.ndarray:
        """The start of a run as the state of the run: states that the stage does not have are 0."""
        places, states = self._parts.places, self._parts.states
        if places is None or states is None or len(places[start]) == len(states):
            return initial_state(x0, states)
        own = list(places[start])
        if (
            isinstance(x0, np.ndarray)
            and x0.dtype == float
            and x0.shape == (len(states),)
            and np.isnan(np.delete(x0, own)).all()
        ):
            x0 = x0[own]  # a state of an earlier run
        x = np.zeros(len(states))
        x[own] = initial_state(x0, [states[i] for i in own])
        return x

    def __repr__(self) -> str:
        facts = self._parts.facts
        known = {name: f" ({facts[name].text})" if name in facts and facts[name].text else "" for name in self.stages}
        stages = ", ".join(f"{name!r}{known[name]}" for name in self.stages)
        return f"<HybridSystem of the stages {stages} and {len(self.transitions)} transitions>"

    def _repr_html_(self) -> str:
        """The stages and the transitions as tables, for notebooks."""
        flows, formulas = self._parts.formulas()
        return process_sheet(flows, self.transitions, formulas).html

    def _matrix(self, entry: Callable[[Transition], Any]) -> np.ndarray:
        n, index = len(self.stages), {name: i for i, name in enumerate(self.stages)}
        matrix = np.empty((n, n), dtype=object)
        matrix.fill(())
        for edge in self.transitions:
            matrix[index[edge.source], index[edge.target]] += (entry(edge),)
        return matrix


def _listed(transitions: object) -> Any:
    """The transitions, which are read more than once."""
    return list(transitions) if isinstance(transitions, Iterable) else transitions


def _rebuilt(maker: Callable[..., HybridSystem], arguments: dict[str, Any]) -> HybridSystem:
    """A process from what it was made of."""
    return maker(**arguments)


def _in_parts(flows: object) -> bool:
    """Whether a flow is no plain function of all states."""
    return isinstance(flows, Mapping) and any(isinstance(flow, DiscreteTime | SideBySide) for flow in flows.values())
