"""A derived model as machine code."""

from __future__ import annotations

import ctypes
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from hashlib import sha256
from typing import Any

import numpy as np

from sympact import native
from sympact.contact.constraints.constraint_data import ConstraintData
from sympact.contact.memory.branches import BranchPattern
from sympact.graph import CHOSEN, Function, compile_functions, compile_in_lanes, graph_hash, numpy_function
from sympact.hybrid.guard_proofs import Proofs
from sympact.integrate.batch.lane_memory import LANES
from sympact.integrate.problem.settings import Settings
from sympact.integrate.search.switch_table import SWITCH_UNITS, SwitchData
from sympact.mechanics.derive.derivation import Derivation
from sympact.mechanics.derive.gap_proofs import hidden_in_forces, proofs_of
from sympact.mechanics.derived.compiled_functions import branch_pattern, expression_function
from sympact.mechanics.derived.derived_model import DerivedModel
from sympact.mechanics.derived.impact_terms import SlipTerms
from sympact.mechanics.derived.numbers import Numbers, listed
from sympact.mechanics.kit.symbols import state_name
from sympact.native.cached import cached_property
from sympact.native.engine import default_engine, engine_for
from sympact.on_request import on_request

__all__ = ["CompiledModel", "array_of", "compile_model", "state_pairs"]

_STATE = ctypes.CFUNCTYPE(None, ctypes.c_double, *[ctypes.c_void_p] * 3)
_KEPT = 4  # memories of a model that wait for the next run, and checked settings
_ON_DEMAND = ("mass_forcing", "kinetic_energy")  # not called by a run
_ALONG = ctypes.CFUNCTYPE(None, ctypes.c_double, *[ctypes.c_void_p] * 4)


def compile_model(model: DerivedModel, *further: Function) -> CompiledModel:
    """The functions of a model, and further ones, as machine code, from the cache on disk if it has them."""
    proofs = proofs_of(model.derivation)
    functions = (*model.functions, *proofs.functions, *further)
    if model.length is not None:
        functions = (*functions, expression_function(model.derivation, "length", [model.length]))
    return CompiledModel(model, functions, proofs)


@dataclass(frozen=True, slots=True)
class FreeMotion:
    """The motion without contacts as the loop calls it.

    Attributes
    ----------
    flow, data : int
        Address and data of the flow.
    project : int
        Address of the projection after each step, with the same data; 0 where there is none.
    constraints : ConstraintData or None
        The bilateral constraints.
    begin, prepare : int
        Addresses of what is stored at the start of an arc, and of each of its steps; 0 where there is nothing.
    """

    flow: int
    data: int
    project: int
    constraints: ConstraintData | None
    begin: int = 0
    prepare: int = 0

    def measure(self, t: float, x: np.ndarray) -> None:
        """Measure the bilateral constraints at the start of a run."""
        if self.constraints is not None:
            self.constraints.measure(t, x)


@dataclass(frozen=True, eq=False)
class CompiledModel:
    """The compiled functions of a model, for runs and for a loop of the user's own.

    States are x = [q, u]; `p` has numbers for ``model.parameters``, in that order. The machine code takes all symbols
    of the model, unused parameters and inputs included, followed by a switch for each condition in the equations:
    `all_parameters` arranges them, `settle` sets the switches.

    Attributes
    ----------
    model : DerivedModel
    functions : tuple of Function
        All functions, as nodes of the model's graph.
    proofs : Proofs
        The enclosures of its gaps and margins.
    lender : CompiledModel, optional
        Another model with the same functions, whose machine code it uses.

    Examples
    --------
    >>> from sympact.models import tumbling_cube
    >>> cube = tumbling_cube()
    >>> compiled = cube.model.compile()
    >>> x, p = compiled.state(cube.start), compiled.parameters(cube.parameters)
    >>> compiled.flow(0.0, x, p).shape
    (12,)
    """

    model: DerivedModel
    functions: tuple[Function, ...]
    proofs: Proofs
    lender: CompiledModel | None = None

    def __reduce__(self) -> tuple:
        """Its model travels, and is compiled where it arrives, or found in the cache.

        Raises
        ------
        TypeError
            If it is not what ``model.compile()`` returns.
        """
        if self.model.made(compile_model) is not self:
            raise TypeError(
                "this CompiledModel cannot travel to another process: it has given inputs, or is one that a run made; "
                "send the HybridModel"
            )
        return _compiled, (self.model,)

    @cached_property
    def code(self) -> native.Code:
        """The machine code of the functions that a run needs; the others are compiled on their first call."""
        if self.lender is not None:
            return self.lender.code
        running = [function for function in self.functions if function.name not in _ON_DEMAND]
        return compile_functions(self.model.derivation.graph, running)

    @cached_property
    def addresses(self) -> dict[str, int]:
        """Addresses of the C functions by name.

        All are ``void name(double t, const double *x, const double *p, double *out)`` but for ``boundary``, which
        takes x' after x; p is what `all_parameters` gives, with its switches set by `settle`. After the gaps
        ``boundary`` gives the margins of the conditions, each times its switch.
        """
        return {function.name: self._address(function.name) for function in self.functions}

    def _address(self, name: str) -> int:
        return (self._code_on_demand if name in _ON_DEMAND else self.code).address(name)

    @cached_property
    def _code_on_demand(self) -> native.Code:
        asked = [function for function in self.functions if function.name in _ON_DEMAND]
        return compile_functions(self.model.derivation.graph, asked)

    @cached_property
    def in_lanes(self) -> native.Code | None:
        """The functions of free motion for `LANES` states at once; None where steps are not taken in lanes.

        Those are models with few contacts and without bilateral constraints, whose functions are short.
        """
        if self.constrained or not self.model.contacts or self.chosen_boundary:
            return None
        free = [function for function in self.functions if function.name in ("flow", "boundary", "project")]
        return compile_in_lanes(self.model.derivation.graph, free, LANES)

    @cached_property
    def waiting(self) -> deque[Any]:
        """Memory that earlier runs have returned, for the next ones."""
        return deque(maxlen=_KEPT)

    @cached_property
    def checked_settings(self) -> dict[tuple, Settings]:
        """The settings of earlier runs, by what was given."""
        return {}

    @cached_property
    def ready(self) -> set[tuple[str, bool]]:
        """The names of methods whose runs find everything compiled, and whether with a schedule."""
        return set()

    @cached_property
    def running(self) -> dict[str, int]:
        """Addresses of the functions that a run calls, by name."""
        return {f.name: self._address(f.name) for f in self.functions if f.name not in _ON_DEMAND}

    @property
    def chosen_boundary(self) -> int:
        """Address of ``boundary`` for chosen gaps, see `Stage.chosen_boundary`; 0 where there are few gaps."""
        return self.chosen("boundary")

    def chosen(self, name: str) -> int:
        """Address of a function for chosen contacts; 0 where it has no such form."""
        if name not in self._chosen:
            self._chosen[name] = self.code.find(name + CHOSEN)
        return self._chosen[name]

    @cached_property
    def _chosen(self) -> dict[str, int]:
        return {}

    @cached_property
    def terms_name(self) -> str:
        """The function with the terms of impacts, ``impact`` or, where the model has this, ``branch_impact``."""
        return next(f.name for f in self.functions if f.name in ("impact", "branch_impact"))

    @cached_property
    def branches(self) -> BranchPattern | None:
        """Where ``branch_impact`` has the entries of a factor of the mass matrix; None where the model has no such."""
        if self.terms_name != "branch_impact":
            return None
        return branch_pattern(self.model.derivation, self._function("branch_impact"))

    @cached_property
    def resolved(self) -> bool:
        """Whether a step that resolves the motion resolves the forces of closed contacts, see `hidden_in_forces`."""
        return not hidden_in_forces(self.model.derivation) if self.lender is None else self.lender.resolved

    @cached_property
    def hash(self) -> str:
        """SHA-256 of the model's functions as a graph; the same for the same model in every process."""
        return graph_hash(self.model.derivation.graph, self.functions)

    def flow(self, t: float, x: np.ndarray, p: np.ndarray) -> np.ndarray:
        """x' = [q', u'], shape (n_states,)."""
        return self._call("flow", t, x, p)

    def mass_forcing(self, t: float, x: np.ndarray, p: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """M and f in M u' = f, shapes (n_u, n_u) and (n_u,)."""
        n = len(self.model.u)
        values = self._call("mass_forcing", t, x, p)
        return values[: n * n].reshape(n, n), values[n * n :]

    def gaps(self, t: float, x: np.ndarray, p: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """g_N (m) and gamma_N (m/s), shapes (n_contacts,)."""
        n, x = len(self.model.contacts), array_of(x, self.model.x, "x")
        values = self.boundary(t, x, self._settled(t, x, p))
        return values[:n], values[n : 2 * n]

    def constraints(self, p: np.ndarray) -> ConstraintData:
        """The memory of the bilateral constraints with p, as `all_parameters` gives it, for calls out of runs."""
        constraints = self.free_motion(p, self.running).constraints
        if constraints is None:
            raise ValueError("the model has no bilateral constraints")
        return constraints

    @contextmanager
    def lent_constraints(self, p: np.ndarray) -> Iterator[ConstraintData]:
        """The same in memory that is used again, for calls between runs."""
        try:
            constraints = self._lent.pop()
        except IndexError:
            constraints = self.constraints(p.copy())
        constraints.parameters[:] = p
        yield constraints
        self._lent.append(constraints)

    @cached_property
    def _lent(self) -> deque[ConstraintData]:
        return deque(maxlen=_KEPT)

    @cached_property
    def last_start(self) -> list[tuple[tuple | None, tuple[np.ndarray, str]]]:
        """The last start that was projected onto the constraints, see `consistent_start`."""
        return [(None, (self._rest, ""))]

    @property
    def constrained(self) -> bool:
        """Whether the model has bilateral constraints."""
        return bool(self.model.derivation.constraints)

    @property
    def has_friction(self) -> bool:
        """Whether any contact may have friction."""
        return "friction" in self.sizes

    def friction_coefficients(self, t: float, x: np.ndarray, p: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """mu and mu_static of the contacts, each of shape (n_contacts,); p as `all_parameters` gives it."""
        nc = len(self.model.contacts)
        if not self.has_friction:
            return np.zeros(nc), np.zeros(nc)
        found = SlipTerms.of(self.slips(t, x, p), len(self.model.u))
        return found.friction, found.static_friction

    def slips(self, t: float, x: np.ndarray, p: np.ndarray) -> np.ndarray:
        """n, v, v' (less the part of x'), dv/du row by row, mu and mu_static of each contact, a row for each.

        Of a model with friction; p as `all_parameters` gives it.
        """
        nc = len(self.model.contacts)
        out = np.empty((nc, self.sizes["friction"] // nc))
        _ALONG(self.running["friction"])(t, *(a.ctypes.data for a in (x, self._rest, p, out)))
        return out

    def kinetic_energy(self, t: float, x: np.ndarray, p: np.ndarray) -> float:
        """T (J).

        Raises
        ------
        ValueError
            If the model contains no kinetic energy, as a `SymbolicSystem`; the message says why.
        """
        if self.model.derivation.without_kinetic:
            raise ValueError(f"the model has no kinetic energy: {self.model.derivation.without_kinetic}")
        return float(self._call("kinetic_energy", t, x, p)[0])

    def length(self, p: np.ndarray) -> float:
        """The model length (m); 0 when the model has none of its own."""
        return self.length_of(self.all_parameters(p))

    def state(self, start: Mapping | Sequence[float]) -> np.ndarray:
        """The initial state as an array; a mapping gives a number to every state.

        Raises
        ------
        ValueError
            Naming the states that are missing, unknown or not finite.
        """
        return self._numbers.state(start)

    def parameters(self, values: Mapping) -> np.ndarray:
        """Numbers for ``model.parameters`` as an array.

        Raises
        ------
        ValueError
            Naming the parameters that are missing, unknown or not finite.
        """
        return self._numbers.parameters(values)

    def unused(self, values: Mapping) -> dict[int, float]:
        """The places in `all_parameters` and the numbers of unused parameters among those given."""
        return self._numbers.unused(values)

    def all_parameters(self, p: np.ndarray) -> np.ndarray:
        """The argument p of the machine code: parameters, zeros for inputs, NaN for symbols on which nothing depends.

        The switches of the conditions in the equations follow, all at +1.
        """
        out = self._numbers.blank.copy()
        out[self._numbers.places] = array_of(p, self.model.parameters, "p")
        return out

    @property
    def blank(self) -> np.ndarray:
        """The template of `all_parameters`: zeros, NaN for symbols on which nothing depends, switches at +1."""
        return self._numbers.blank

    def settle(self, t: float, x: np.ndarray, p: np.ndarray) -> None:
        """Set the switches in p, as `all_parameters` gives it, to the active branches at a state."""
        if self.model.derivation.switches:
            with engine_for(default_engine(), SWITCH_UNITS).in_force():
                free = self.free_motion(p, self.running)  # its memory is used by address
                free.measure(t, x)
                self.switches(p, self.running, free).settle(t, x)

    def switches(self, p: np.ndarray, addresses: Mapping[str, int], free: FreeMotion) -> SwitchData:
        """The switches in p, set by functions at these addresses."""
        model = self.model
        switches = model.derivation.switches
        values = p[len(p) - len(switches) :]
        watches = [switch.watch for switch in switches if switch.watch is not None]
        return SwitchData(
            len(model.x),
            len(model.contacts),
            values,
            flow=(free.flow, free.data),
            boundary=(addresses["boundary"], p.ctypes.data),
            watches=[(watch.sense, watch.ends, watch.jump) for watch in watches],
            jumps=[
                (addresses[f"jump_{k}"], jump.turn, jump.latch, jump.closes)
                for k, jump in enumerate(model.derivation.jumps)
            ],
            activates=any(gap.active is not None for gap in model.derivation.gaps),
            at_accumulation=next((i for i, watch in enumerate(watches) if watch.at_accumulation), -1),
            parameters=p.ctypes.data,
        )

    def free_motion(self, p: np.ndarray, addresses: Mapping[str, int]) -> FreeMotion:
        """The motion without contacts in one run, with p and functions at these addresses."""
        model = self.model
        if not self.constrained:
            return FreeMotion(addresses["flow"], p.ctypes.data, addresses.get("project", 0), None)
        constraints = ConstraintData(
            len(model.q),
            len(model.u),
            len(model.derivation.constraints),
            model.formulation,
            parameters=p,
            positional=[row.position is not None for row in model.derivation.constraints],
            equations=addresses["equations"],
            constraints=addresses["constraints"],
            kinematics=addresses["kinematics"],
            normalize=addresses.get("project", 0),
            tree_function=addresses.get("motion", 0),
            latches=sorted({jump.latch for jump in model.derivation.jumps if jump.latch >= 0}),
        )
        return FreeMotion(*constraints.flow, constraints.project, constraints, *constraints.starts)

    def simulate(self, t_span: Sequence[float], x0: np.ndarray, p: np.ndarray, **options) -> Any:
        """Run the model from arrays.

        Parameters
        ----------
        t_span : (t_start, t_end)
        x0 : array, shape (n_states,)
        p : array, shape (n_parameters,)
            In the order of ``model.parameters``, or those of ``signals.compiled.model``.
        signals : Signals, optional
            The inputs.
        unused : mapping of int to float, optional
            Numbers of unused parameters, by their places in `all_parameters`; forces in joints may depend on them.
        recording : Recording
            What the run keeps.
        progress : bool
            Show the progress of the run.
        consistent : "project" or "refuse"
            As in `HybridModel.simulate`.
        sides : mapping of str to (float, float), optional
            On which sides of its boundaries the run goes on, see `Evaluator.sides`.
        **settings
            ``method``, ``rtol``, ``atol``, ``max_step``, ``max_events``, ``max_steps``, ``engine`` as
            in `HybridModel.simulate`.

        Raises
        ------
        ValueError
            If the start lies below a surface, M is singular there, a restitution is outside 0..1, or a setting is
            wrong, or the method is one of time stepping and the model has no contacts or another law.
        """
        return on_request("simulate_compiled")(self, t_span, array_of(x0, self.model.x, "x0"), p, **options)

    def length_of(self, p: np.ndarray) -> float:
        """The same for p as `all_parameters` gives it."""
        key = p.tobytes()
        asked, length = self._last_length[0]
        if asked != key:
            length = self._measured_length(p)
            self._last_length[0] = key, length
        return length

    @cached_property
    def _last_length(self) -> list[tuple[bytes | None, float]]:
        """The last parameters, and their length."""
        return [(None, 0.0)]

    def _measured_length(self, p: np.ndarray) -> float:
        if "length" in self.running:
            return float(self.raw("length", 0.0, self._rest, p)[0])
        return self.model.derivation.lengths.value(self.raw("lengths", 0.0, self._rest, p))

    @cached_property
    def digest(self) -> str:
        """A hash of what the model is: its equations, the names in them, the impact law and the resolution."""
        model = self.model
        names = [*self.state_names, *(symbol.name for symbol in model.parameters), *self.contact_names]
        rules = [repr(model.law), repr(model.resolution), *names]
        with model._lock:
            equations = graph_hash(model.derivation.graph, (*self.functions, self.gaps_function))
        return sha256("\n".join([equations, *rules]).encode()).hexdigest()

    @cached_property
    def plain_speeds(self) -> bool:
        """Whether the rate of each coordinate is a speed itself."""
        graph, symbols = self.model.derivation.graph, self.model.derivation.symbols
        letters = symbols.nodes(graph)
        moving = [
            rate for q, rate in zip(symbols.q, self.model.derivation.rates, strict=True) if q not in symbols.discrete
        ]
        return {letters[speed] for speed in symbols.u} >= set(moving)

    @cached_property
    def pairs(self) -> tuple[tuple[str, str], ...]:
        """The coordinates whose rate is a speed by itself, each with that speed."""
        return tuple(state_pairs(self.model.derivation))

    @cached_property
    def _rest(self) -> np.ndarray:
        return np.zeros(len(self.model.x))

    @property
    def places(self) -> np.ndarray:
        """The places of ``model.parameters`` in `all_parameters`."""
        return self._numbers.places

    @cached_property
    def _numbers(self) -> Numbers:
        return Numbers(self.model)

    @cached_property
    def state_names(self) -> tuple[str, ...]:
        """Names of the states, in their order."""
        return tuple(map(state_name, self.model.x))

    @cached_property
    def contact_names(self) -> tuple[str, ...]:
        """Names of the contacts, in their order."""
        return tuple(contact.name for contact in self.model.contacts)

    def _call(self, name: str, t: float, x: np.ndarray, p: np.ndarray) -> np.ndarray:
        x = array_of(x, self.model.x, "x")
        return self.raw(name, t, x, self._settled(t, x, p))

    def _settled(self, t: float, x: np.ndarray, p: np.ndarray) -> np.ndarray:
        """All parameters, with the switches at a state."""
        everything = self.all_parameters(p)
        self.settle(t, x, everything)
        return everything

    def boundary(self, t: float, x: np.ndarray, p: np.ndarray, xdot: np.ndarray | None = None) -> np.ndarray:
        """g, g', and g'' (without `xdot` less the part of u'), one after the other; p as `all_parameters` gives it.

        Those of the contacts; the margins of conditions, which the function at the address computes too, are left out.
        """
        nc = len(self.model.contacts)
        out = np.empty((3, nc + len(self.model.derivation.switches)))
        slope = self._rest if xdot is None else xdot
        self._along(t, x.ctypes.data, slope.ctypes.data, p.ctypes.data, out.ctypes.data)
        return out[:, :nc].ravel()

    @cached_property
    def _along(self) -> Callable:
        return _ALONG(self.running["boundary"])

    def raw(self, name: str, t: float, x: np.ndarray, p: np.ndarray) -> np.ndarray:
        """All outputs of a function, flat; p as from `all_parameters`."""
        if name == "flow" and self.constrained:
            return self.constraints(p).rates(t, x)
        out = np.empty(self.sizes[name])
        self._callable(name)(t, x.ctypes.data, p.ctypes.data, out.ctypes.data)
        return out

    def terms(self, t: float, x: np.ndarray, p: np.ndarray) -> np.ndarray:
        """M, W^T, w, the restitutions and A, flat; p as from `all_parameters`."""
        out, n = self.raw(self.terms_name, t, x, p), len(self.model.u)
        if self.branches is not None:
            factor = out[: n * n].reshape(n, n)
            out[: n * n] = (factor.T @ factor).ravel()
        return out

    def mass(self, t: float, x: np.ndarray, p: np.ndarray) -> np.ndarray:
        """M itself, for messages: where it is singular, there is no factor from which `terms` could have it."""
        n, name = len(self.model.u), "mass_forcing" if self.branches is not None else self.terms_name
        return self.raw(name, t, x, p)[: n * n].reshape(n, n)

    @cached_property
    def sizes(self) -> dict[str, int]:
        """The number of outputs of each function, by name."""
        return {function.name: function.size for function in self.functions}

    @cached_property
    def _callables(self) -> dict[str, Callable]:
        return {}

    def _callable(self, name: str) -> Callable:
        if name not in self._callables:
            self._callables[name] = _STATE(self._address(name))
        return self._callables[name]

    @cached_property
    def energy_along(self) -> Callable[..., np.ndarray]:
        """T as a NumPy function ``f(t, x, p)`` whose first output it is; t and x may be those of a whole run."""
        return numpy_function(self.model.derivation.graph, self._function("kinetic_energy"))

    @cached_property
    def potential_along(self) -> Callable[..., np.ndarray]:
        """V as a NumPy function ``f(t, x, p)`` as `energy_along`, for models whose loads all have a potential."""
        return numpy_function(self.model.derivation.graph, self.potential_function)

    @property
    def potential_function(self) -> Function:
        """The potential energy (J) as it is written; not called by a run."""
        energy = self.model.derivation.potential.energy
        return Function("potential_energy", () if energy is None else (energy,), ("t", "x", "p"))

    @cached_property
    def gaps_along(self) -> Callable[..., np.ndarray]:
        """All gaps as a NumPy function ``f(t, x, p)``; t and x may be those of a whole run."""
        return numpy_function(self.model.derivation.graph, self.gaps_function)

    @property
    def gaps_function(self) -> Function:
        """All gaps as they are written, with their conditions; not called by a run."""
        return Function("gaps", tuple(gap.gap for gap in self.model.derivation.gaps), ("t", "x", "p"))

    def _function(self, name: str) -> Function:
        return next(function for function in self.functions if function.name == name)


def state_pairs(derivation: Derivation) -> Iterator[tuple[str, str]]:
    """The coordinates whose rate is a speed itself, with that speed."""
    letters = derivation.symbols.nodes(derivation.graph)
    speeds = {letters[speed]: state_name(speed) for speed in derivation.symbols.u}
    for coordinate, rate in zip(derivation.symbols.q, derivation.rates, strict=True):
        if rate in speeds:
            yield state_name(coordinate), speeds[rate]


def _compiled(model: DerivedModel) -> CompiledModel:
    return model.made(compile_model)


def array_of(values: Sequence[float], letters: tuple, name: str) -> np.ndarray:
    """The values as memory for the machine code: one double for each symbol."""
    try:
        array = np.ascontiguousarray(values, dtype=float)
    except (TypeError, ValueError):
        found = f"{name} is {values!r}, expected {len(letters)} real numbers: {listed(letters)}"
        raise ValueError(found) from None
    if array.shape != (len(letters),):
        raise ValueError(f"{name} has the shape {np.shape(values)}, expected ({len(letters)},): {listed(letters)}")
    return array
