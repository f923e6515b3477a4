"""A process of plain functions: Python callables, and numba's cfuncs by address."""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Protocol, TypeGuard, runtime_checkable

import numpy as np

from sympact.hybrid.edges.process_table import Code, Edge, Gaps, Switches, stage
from sympact.hybrid.edges.stage_memories import StageMemories, WaitingMemories
from sympact.hybrid.function_events import FunctionEvent, check_names, named_events, read_function
from sympact.hybrid.rehearsal import dry_events, dry_run
from sympact.hybrid.stages_alike import stages_alike
from sympact.hybrid.transition import Exit, Transition, exits, transition_names
from sympact.hybrid.validation import check_process, raise_faults
from sympact.integrate.problem.callback import Callback, Faults, python_boundaries, python_flow, python_jump
from sympact.integrate.problem.program import Program
from sympact.integrate.problem.real import finite_number
from sympact.integrate.search.switch_table import SwitchData
from sympact.integrate.trajectory.about import Formula
from sympact.integrate.trajectory.evaluator import PLAIN, Evaluator
from sympact.native.cached import cached_property

__all__ = ["CFunction", "Functions", "called_at", "fault_of_cfunc"]

_C_FUNCTION = ctypes.CFUNCTYPE(None, ctypes.c_double, ctypes.c_int64, ctypes.c_int64, ctypes.c_int64)
_KEPT = 4  # sets of events
_SIGNATURE = "void(float64, CPointer(float64), CPointer(float64), CPointer(float64))"


@runtime_checkable
class CFunction(Protocol):
    """A numba ``cfunc``, recognized by its attributes, so that numba need not be imported."""

    address: int
    ctypes: Any


@dataclass(frozen=True)
class Functions:
    """The valid flows and transitions of a process of plain functions.

    Parameters
    ----------
    flows : dict of str to callable
    transitions : tuple of Transition
    states : tuple of str, optional
        The names of the states.
    events : tuple of FunctionEvent
        Those of the user's own.
    """

    flows: dict[str, Callable]
    transitions: tuple[Transition, ...]
    states: tuple[str, ...] | None
    events: tuple[FunctionEvent, ...] = ()

    @classmethod
    def checked(
        cls, flows: Mapping[str, Callable], transitions: Iterable[Transition], states: Sequence[str] | None
    ) -> Functions:
        """The process, or one ValueError with a sentence for each fault."""
        listed = check_process(flows, transitions, states, _fault_of)
        return cls(dict(flows), listed, None if states is None else tuple(states))

    @property
    def places(self) -> None:
        """Every stage has all states."""
        return None

    @property
    def kinds(self) -> range:
        """A program has the stages of the process."""
        return range(len(self.flows))

    @property
    def clocks(self) -> tuple[()]:
        """No stage is in discrete time."""
        return ()

    @property
    def facts(self) -> dict[str, Any]:
        """Nothing is known of plain functions."""
        return {}

    @property
    def alike(self) -> tuple[tuple[str, ...], ...]:
        """The names of stages with the same function and equal transitions, in groups."""
        return stages_alike(self.flows, self.transitions)

    def watching(self, events: object) -> Functions:
        """The same with events of the user's own, which are functions of (t, x).

        Raises
        ------
        TypeError, ValueError
            With a sentence for each that cannot be read.
        """
        given = named_events(events, "functions f(t, x), or a Crossing or a Stop of one")
        faults: list[str] = []
        check_names(given, transition_names(self.transitions), faults.append)
        read = [read_function(str(name), one, faults.append) for name, one in given.items()]
        raise_faults("the events cannot be read", faults)
        return self._watched_by(tuple(one for one in read if one is not None))

    def _watched_by(self, found: tuple[FunctionEvent, ...]) -> Functions:
        """The process with these events; the last ones are kept."""
        known = self._watched
        try:
            if found not in known:
                if len(known) >= _KEPT:
                    known.clear()
                known[found] = replace(self, events=found)
            return known[found]
        except TypeError:  # a function without a hash
            return replace(self, events=found)

    @cached_property
    def _watched(self) -> dict[tuple[FunctionEvent, ...], Functions]:
        """The process with events of earlier runs."""
        return {}

    @property
    def _takes_numbers(self) -> bool:
        """Whether a function is a cfunc, which takes parameters."""
        functions = [*self.flows.values()]
        for transition in self.transitions:
            functions += [transition.boundary, transition.jump]
        return any(isinstance(function, CFunction) for function in functions)

    def numbers(self, parameters: object) -> np.ndarray:
        """The parameters of cfuncs as an array of this run, of length 1 at least.

        Raises
        ------
        ValueError
            If there are some and no cfunc to take them.
        """
        if parameters is None:
            return np.zeros(1)
        if not self._takes_numbers:
            raise ValueError("parameters were given, but Python functions take none; define them in the functions")
        return np.array(parameters, dtype=float, ndmin=1)

    def changed(self, numbers: np.ndarray, given: Mapping[Hashable, float]) -> np.ndarray:
        """The parameters of cfuncs with some of them changed, by their places.

        Raises
        ------
        ValueError
            For another place, or a number that is not finite.
        """
        found, places = numbers.copy(), list(range(len(numbers))) if self._takes_numbers else []
        for place, number in given.items():
            if place not in places:
                raise ValueError(
                    f"{place!r} is no place of a parameter: Python functions take none, cfuncs have them at {places}"
                )
            found[int(place)] = finite_number(number, f"the parameter {place}")
        return found

    def check_start(self, t0: float, x0: np.ndarray, start: int, numbers: np.ndarray) -> None:
        """Call the functions once at the start of a run: those of its stage, and in the first run all others, too.

        Raises
        ------
        ValueError
            With a sentence for each that does not fit.
        """
        faults, known = [], (len(x0), start) in self._started
        for index, (name, flow) in enumerate(self.flows.items()):
            if index == start or not known:
                leaving = {leave.name: leave.transition.boundary for leave in self.leaving[name]}
                boundaries = {edge: as_python(boundary, 1, numbers) for edge, boundary in leaving.items()}
                called = as_python(flow, len(x0), numbers)
                faults += dry_run(called, boundaries, name, t0, x0, required=index == start)
        faults += dry_events({one.name: as_python(one.function, 1, numbers) for one in self.events}, t0, x0)
        raise_faults(f"the functions do not fit the start t = {t0!r}, x = {x0.tolist()!r}", faults)
        self._started.add((len(x0), start))

    def evaluator(self, numbers: np.ndarray) -> Evaluator:
        """Nothing is known of plain functions."""
        return PLAIN

    @cached_property
    def waiting(self) -> WaitingMemories:
        """The memories of earlier runs."""
        return WaitingMemories(lambda n, m: _Builder(n, np.zeros(m), self.events).memory(self))

    @cached_property
    def leaving(self) -> dict[str, list[Exit]]:
        """The transitions that leave each stage."""
        return exits(self.transitions, list(self.flows))

    @cached_property
    def _started(self) -> set[tuple[int, int]]:
        """The numbers of states and the stages of the starts of earlier runs."""
        return set()

    def names(self, n: int) -> tuple[str, ...]:
        """The names of the states, by their indices where none were given."""
        return self.states or tuple(f"x{i}" for i in range(n))

    def formulas(self) -> tuple[dict[str, Formula], dict[str, Formula]]:
        """The names of the functions of each stage and of each transition, by their names; none for a lambda."""
        of_flows = {stage: _called(stage, [("x' = {}(t, x)", flow)]) for stage, flow in self.flows.items()}
        of_transitions = {
            name: _called(name, [("{}(t, x) = 0", edge.boundary), ("x+ = {}(t, x)", edge.jump)])
            for name, edge in zip(transition_names(self.transitions), self.transitions, strict=True)
        }
        return of_flows, of_transitions


def _called(title: str, functions: Sequence[tuple[str, Callable | None]]) -> Formula:
    """Functions by their names, in the forms given; one without a name, or without a function, is left out.

    >>> _called("ground", [("{}(t, x) = 0", min), ("x+ = {}(t, x)", lambda t, x: x)]).text
    ('min(t, x) = 0',)
    """
    named = [(form, getattr(function, "__name__", "<lambda>")) for form, function in functions]
    return Formula(title, (), tuple(form.format(name) for form, name in named if name != "<lambda>"))


@dataclass(frozen=True)
class _Plan:
    """A stage before its transitions, which refer to the switches of other stages."""

    name: str
    leaving: Sequence[Exit]
    flow: Code
    gaps: Gaps | None
    switches: Switches | None
    owner: list[object]


class _Builder:
    """Makes the stages of a process in memory; the owner of each stage keeps its objects alive."""

    def __init__(self, n_states: int, parameters: np.ndarray, events: Sequence[FunctionEvent]) -> None:
        self._n_states, self._parameters, self._events = n_states, parameters, events
        self._faults, self._plans = Faults(), list[_Plan]()

    def memory(self, process: Functions) -> StageMemories:
        """Each stage with its flow, its events and the transitions that leave it."""
        self._plans = [self._plan(name, flow, process.leaving[name]) for name, flow in process.flows.items()]
        stages = []
        for index, plan in enumerate(self._plans):
            edges = [self._edge(leave, plan) for leave in plan.leaving]
            made = stage(index, plan.name, self._n_states, plan.flow, edges, plan.owner, plan.gaps, plan.switches)
            stages.append(made)
        switches = [plan.switches for plan in self._plans]
        SwitchData.share([one.data for one in switches if one is not None])
        program = Program(tuple(stages), process.names(self._n_states), self._faults, calls_python=True)
        return StageMemories(program, self._parameters, switches, [False] * len(stages))

    def _plan(self, name: str, flow: Callable, leaving: Sequence[Exit]) -> _Plan:
        owner: list[object] = [self._parameters, flow, leaving]
        code = self._code(flow, python_flow, f"the flow of stage {name!r}", owner)
        machine = all(isinstance(leave.transition.boundary, CFunction) for leave in leaving)
        signs = np.ones(len(self._events))
        gaps = None if machine and not self._events else self._python_gaps(name, leaving, signs, owner)
        switches = None
        if gaps is not None and self._events:
            places = (code.address, code.data), (gaps.code.address, gaps.code.data)
            watches = [(one.sense, one.ends, -1) for one in self._events]
            data = SwitchData(self._n_states, len(leaving), signs, flow=places[0], boundary=places[1], watches=watches)
            switches = Switches(data, tuple((one.name, one.name) for one in self._events))
        return _Plan(name, leaving, code, gaps, switches, owner)

    def _edge(self, leave: Exit, plan: _Plan) -> Edge:
        boundary, jump = leave.transition.boundary, leave.transition.jump
        label = f"the jump of transition {leave.name!r} of stage {plan.name!r}"
        entered = self._plans[leave.target].switches
        return Edge(
            leave.name,
            leave.target,
            boundary=Code() if plan.gaps else Code(boundary.address, self._parameters.ctypes.data),
            jump=Code() if jump is None else self._code(jump, python_jump, label, plan.owner),
            switches=0 if entered is None else entered.data.address,
        )

    def _python_gaps(self, stage_name: str, leaving: Sequence[Exit], signs: np.ndarray, owner: list[object]) -> Gaps:
        """One callback for all boundaries of a stage, then its events; a cfunc among them is called from Python."""
        given = [leave.transition.boundary for leave in leaving] + [event.function for event in self._events]
        functions = [as_python(function, 1, self._parameters) for function in given]
        labels = [f"the boundary of transition {leave.name!r} of stage {stage_name!r}" for leave in leaving]
        labels += [f"the event {event.name!r}" for event in self._events]
        callback = python_boundaries(functions, self._n_states, self._faults, labels, signs)
        owner += [callback, signs]
        return Gaps(Code(callback.address))

    def _code(self, function: Callable, wrap: Callable[..., Callback], label: str, owner: list[object]) -> Code:
        if isinstance(function, CFunction):
            return Code(function.address, self._parameters.ctypes.data)
        callback = wrap(function, self._n_states, self._faults, label)
        owner.append(callback)
        return Code(callback.address)


def as_python(function: Callable, n_out: int, parameters: np.ndarray) -> Callable:
    """The function itself, or a cfunc made callable as ``function(t, x)``, which returns `n_out` numbers."""
    return called_at(function.address, n_out, parameters) if _is_cfunc(function) else function


def _is_cfunc(function: object) -> TypeGuard[CFunction]:
    """Whether it is a `CFunction`, faster than ``isinstance``."""
    return hasattr(function, "address") and hasattr(function, "ctypes")


def called_at(address: int, n_out: int, parameters: np.ndarray) -> Callable:
    """The C function at an address made callable as ``function(t, x)``, which returns `n_out` numbers."""
    call = _C_FUNCTION(address)

    def called(t: float, x: np.ndarray) -> np.ndarray:
        out = np.empty(n_out)
        call(t, x.ctypes.data, parameters.ctypes.data, out.ctypes.data)
        return out

    return called


def _fault_of(function: object, role: str, label: str, where: object) -> str | None:
    if function is None and role == "jump":
        return None
    if isinstance(function, CFunction):
        return fault_of_cfunc(function, label)
    if callable(function):
        return None
    returns = "a real number" if role == "boundary" else "one number for each state"
    return f"{label} is a {type(function).__name__}, expected a function of (t, x) that returns {returns}"


def fault_of_cfunc(function: object, label: str) -> str | None:
    """A sentence for a cfunc of another signature."""
    if not isinstance(function, CFunction) or _is_flow_signature(function.ctypes):
        return None
    return f"{label} is a cfunc of another signature; compile it as {_SIGNATURE}: t, x, parameters, out"


def _is_flow_signature(prototype: Any) -> bool:
    arguments = prototype.argtypes
    return (
        prototype.restype is None
        and len(arguments) == 4
        and arguments[0] is ctypes.c_double
        and all(getattr(argument, "_type_", None) is ctypes.c_double for argument in arguments[1:])
    )
