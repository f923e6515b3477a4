"""A derived model: its equations, its laws, and the formulas and functions that depend on nothing else."""

from __future__ import annotations

import copy
import threading
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any, Self, TypeVar

import numpy as np
from sympy import Expr, ImmutableMatrix, Symbol

from sympact.contact import ImpactLaw, PainleveRule, Resolution
from sympact.contact.constraints.formulations import Formulation
from sympact.graph import Function, Substitution, numpy_function, reachable
from sympact.graph.nodes.node import Node
from sympact.mechanics.derive.branch_conditions import accelerations_in
from sympact.mechanics.derive.derivation import Derivation
from sympact.mechanics.derive.symbolic_formulas import BlockJump, Formulas
from sympact.mechanics.derived.compiled_functions import (
    acceleration_function,
    expression_function,
    lengths_function,
    model_functions,
)
from sympact.mechanics.derived.preconditions import Preconditions, preconditions_of
from sympact.mechanics.kit.forces import NormalForce
from sympact.mechanics.read.latches import Latch
from sympact.mechanics.read.source import Description
from sympact.mechanics.shapes.compliant import CompliantContact
from sympact.mechanics.shapes.unilateral import Unilateral, find_contact
from sympact.native.cached import cached_property
from sympact.native.renamed import renamed_attribute

__all__ = ["DerivedModel"]

_Made = TypeVar("_Made")


class DerivedModel:
    """What derivations, runs and linearizations take of a model; `HybridModel` adds what a user calls.

    Parameters
    ----------
    derivation : Derivation
        The model as nodes of one graph.
    description : Description
        The parts of the source.
    law : ImpactLaw
    resolution : Resolution
    formulation : Formulation
    painleve : PainleveRule
    attitude : "quaternion" or "angles"
    outputs : mapping of str to Expr
        Further quantities to record.
    length : Expr, optional
        The given model length (m).
    calls_python : bool
        Whether impacts call a Python function of the user's, a `CustomLaw`.
    lock : RLock, optional
        The lock of the graph, for models that share it.

    Attributes
    ----------
    watched : tuple, optional
        The model whose events this one watches, and the events.

    Raises
    ------
    ValueError
        If an output contains a symbol that the model does not have.
    """

    def __init__(
        self,
        derivation: Derivation,
        description: Description,
        *,
        law: ImpactLaw,
        resolution: Resolution,
        formulation: Formulation,
        painleve: PainleveRule,
        attitude: str,
        outputs: Mapping[str, Expr],
        length: Expr | None,
        calls_python: bool,
        lock: threading.RLock | None = None,
    ) -> None:
        self.derivation, self.description = derivation, description
        self.law, self.resolution, self.formulation, self.painleve = law, resolution, formulation, painleve
        self.attitude, self.outputs, self._length, self.calls_python = attitude, dict(outputs), length, calls_python
        self._lock = threading.RLock() if lock is None else lock  # expressions and formulas add nodes to the graph
        self._made: dict[Callable, Any] = {}
        self.watched: tuple[DerivedModel, tuple] | None = None

    def __copy__(self) -> Self:
        made = type(self).__new__(type(self))
        made.__dict__.update(self.__dict__)
        return made

    def with_derivation(
        self, derivation: Derivation, *, preconditions: Preconditions | None = None, **changed: Any
    ) -> DerivedModel:
        """The same laws with other equations of the same graph.

        Parameters
        ----------
        derivation : Derivation
        preconditions : Preconditions, optional
            Those of a start, where they are not those of the derivation.
        **changed
            Arguments of `DerivedModel` that are others.
        """
        own = {
            "description": self.description, "law": self.law, "resolution": self.resolution,
            "formulation": self.formulation, "painleve": self.painleve, "attitude": self.attitude,
            "outputs": self.outputs, "length": self._length, "calls_python": self.calls_python, "lock": self._lock,
        }  # fmt: skip
        made = DerivedModel(derivation, **{**own, **changed})
        if preconditions is not None:
            made.__dict__["preconditions"] = preconditions
        return made

    def made(self, make: Callable[..., _Made], *further: object) -> _Made:
        """What a function makes of this model, made once: compiled functions, islands, rotations in quaternions.

        Further arguments of the function are the same at each call.
        """
        if make not in self._made:
            with self._lock:
                if make not in self._made:
                    self._made[make] = make(self, *further)
        return self._made[make]

    def like(self, made: DerivedModel, watched: tuple[Self, tuple]) -> Self:
        """A model of this kind that is `made` of this one, and watches events: this model, and the events."""
        own = copy.copy(self)
        for name in [name for name in vars(own) if isinstance(getattr(type(own), name, None), cached_property)]:
            del own.__dict__[name]
        own.__dict__.update(vars(made), watched=watched)
        return own

    @property
    def q(self) -> tuple[Expr, ...]:
        """The generalized coordinates."""
        return self.derivation.symbols.q

    @property
    def u(self) -> tuple[Expr, ...]:
        """The generalized speeds."""
        return self.derivation.symbols.u

    @property
    def discrete(self) -> tuple[Expr, ...]:
        """The discrete states, the last of the coordinates."""
        return self.derivation.symbols.discrete

    @cached_property
    def x(self) -> tuple[Expr, ...]:
        """The state: coordinates, then speeds."""
        return self.derivation.x

    @cached_property
    def parameters(self) -> tuple[Symbol, ...]:
        """The parameters that need values, sorted by name."""
        return tuple(symbol for symbol in self.derivation.symbols.parameters if symbol not in self._idle)

    @cached_property
    def inputs(self) -> tuple[Expr, ...]:
        """Functions of time that are left free, and those of their derivatives that the equations need."""
        return tuple(letter for letter in self.derivation.symbols.inputs if letter not in self._idle)

    @property
    def unused_parameters(self) -> tuple[Symbol, ...]:
        """Symbols of moving bodies that drop out of all equations, such as moments of inertia in a planar motion."""
        return tuple(symbol for symbol in self.derivation.symbols.parameters if symbol in self._idle)

    idle_parameters = renamed_attribute("idle_parameters", "unused_parameters")

    @cached_property
    def _idle(self) -> frozenset[Expr]:
        """The entries of p on which nothing depends."""
        derivation = self.derivation
        letters = (*derivation.symbols.parameters, *derivation.symbols.inputs)
        with self._lock:
            used = set(reachable(derivation.graph, [*derivation.nodes(), *self._asked()]))
            return frozenset(letter for i, letter in enumerate(letters) if derivation.graph.input("p", i) not in used)

    @cached_property
    def calls_functions(self) -> bool:
        """Whether conditions or jumps of runs are Python functions of the whole state, or of forces."""
        return self.derivation.calls_functions

    @cached_property
    def contacts(self) -> tuple[Unilateral, ...]:
        """The contacts, in the order given."""
        return self.derivation.contacts

    @property
    def latches(self) -> tuple[Latch, ...]:
        """The latches, in the order given."""
        return tuple(one.latch for one in self.description.latches)

    @property
    def compliant_contacts(self) -> tuple[CompliantContact, ...]:
        """Those among the contacts that have a law of forces in place of impacts, in the order given."""
        return self.derivation.survey.loads.compliant

    def contact(self, wanted: Unilateral | str) -> int:
        """The index of a contact, from itself, its name, or the name of its point where that is unique."""
        return find_contact(self.contacts, wanted)

    @cached_property
    def functions(self) -> tuple[Function, ...]:
        """The functions to compile; their nodes are those of ``derivation.graph``."""
        with self._lock:
            return model_functions(self.derivation)

    @cached_property
    def kinematics(self) -> ImmutableMatrix:
        """q' as functions of q, u and t, shape (n_coordinates, 1)."""
        return self._matrix("kinematics")

    @cached_property
    def mass_matrix(self) -> ImmutableMatrix:
        """M in M u' = f, shape (n_speeds, n_speeds)."""
        return self._matrix("mass_matrix")

    @cached_property
    def forcing(self) -> ImmutableMatrix:
        """f in M u' = f, shape (n_speeds, 1)."""
        return self._matrix("forcing")

    @cached_property
    def gaps(self) -> ImmutableMatrix:
        """g_N, positive apart, shape (n_contacts, 1)."""
        return self._matrix("gaps")

    @property
    def normal_forces(self) -> tuple[NormalForce, ...]:
        """The symbols of the normal forces (N) of the contacts, in their order, for events, transitions and latches."""
        return tuple(NormalForce(contact) for contact in self.contacts)

    @cached_property
    def gap_rates(self) -> ImmutableMatrix:
        """gamma_N = W_N^T u + w_N, shape (n_contacts, 1)."""
        return self._matrix("gap_rates")

    @cached_property
    def normal_jacobian(self) -> ImmutableMatrix:
        """W_N^T = d gamma_N / du, shape (n_contacts, n_speeds)."""
        return self._matrix("normal_jacobian")

    @cached_property
    def contact_normals(self) -> ImmutableMatrix:
        """The unit normals of the contacts with friction, a row of three components in N for each."""
        return self._matrix("contact_normals")

    @cached_property
    def slip_velocity(self) -> ImmutableMatrix:
        """v (m/s) of the contacts with friction, three components in N each, shape (3 k, 1).

        The velocity of the body's material relative to the surface's; the slip gamma_T is its tangential part.
        """
        return self._matrix("slip_velocity")

    @cached_property
    def slip_jacobian(self) -> ImmutableMatrix:
        """dv/du of the contacts with friction, shape (3 k, n_speeds); W_T^T is its tangential part."""
        return self._matrix("slip_jacobian")

    @cached_property
    def constraint_positions(self) -> ImmutableMatrix:
        """phi of the holonomic constraints, zero in every motion, shape (n_holonomic, 1)."""
        return self._matrix("constraint_positions")

    @cached_property
    def constraint_rates(self) -> ImmutableMatrix:
        """A u + a of the bilateral constraints, zero in every motion, shape (n_rows, 1)."""
        return self._matrix("constraint_rates")

    @cached_property
    def constraint_jacobian(self) -> ImmutableMatrix:
        """A, a row for each equation of the bilateral constraints, shape (n_rows, n_speeds)."""
        return self._matrix("constraint_jacobian")

    @cached_property
    def _formulas(self) -> Formulas:
        """The matrices as formulas; made for a model of the user alone."""
        return Formulas(self.derivation)

    def _matrix(self, name: str) -> ImmutableMatrix:
        with self._lock:
            return self._formulas.matrix(name)

    def jump_map(self, contact: Unilateral | str) -> ImmutableMatrix | BlockJump:
        """u+ after an impact of one contact alone by Newton's law, as formulas of q and u-.

        Returns
        -------
        Matrix or BlockJump
            Written out up to three speeds; beyond that, and with friction, the formula with its blocks.

        Raises
        ------
        NotImplementedError
            For models with bilateral constraints.
        """
        with self._lock:
            return self._formulas.jump(self.contact(contact))

    def formulas(self, *names: str) -> tuple[list[tuple[Symbol, Expr]], list[ImmutableMatrix]]:
        """Matrices of the model with their common parts named.

        Parameters
        ----------
        *names : str
            Of ``kinematics``, ``mass_matrix``, ``forcing``, ``gaps``, ``gap_rates``, ``normal_jacobian``, and for
            contacts with friction ``contact_normals``, ``slip_velocity``, ``slip_jacobian``, of constraints
            ``constraint_positions``, ``constraint_rates``, ``constraint_jacobian``; all of them without names.

        Returns
        -------
        replacements : list of (Symbol, Expr)
            Each uses only the ones before it, as from `sympy.cse`.
        reduced : list of Matrix
            In the order of the names.
        """
        with self._lock:
            return self._formulas.common(names)

    def operations(self, name: str) -> int:
        """The number of operations of a matrix with every common part written out; fast, as nothing is written out.

        Parameters
        ----------
        name : str
            As for `formulas`.
        """
        with self._lock:
            return self._formulas.size(name)

    def jump_operations(self, contact: Unilateral | str) -> int | None:
        """The number of operations of `jump_map`; None where it is a `BlockJump`."""
        with self._lock:
            return self._formulas.jump_size(self.contact(contact))

    def quantities(self, expressions: Iterable[Expr]) -> Callable[..., np.ndarray]:
        """A NumPy function ``f(t, x, p)`` of expressions of the model's symbols; further axes of t and x broadcast.

        Raises
        ------
        ValueError
            If an expression contains another symbol; the message names it.
        """
        with self._lock:
            function = expression_function(self.derivation, "quantities", list(expressions))
            return numpy_function(self.derivation.graph, function)

    def _asked(self) -> list[Node]:
        """The outputs, and the length where it is given.

        Raises
        ------
        ValueError
            If one contains a symbol that the model does not have; the message names it.
        """
        found: list[Node] = []
        with self._lock:
            for expression in [*self.outputs.values(), *([] if self._length is None else [self._length])]:
                along = acceleration_function(self.derivation, expression)
                found += [self.derivation.read(expression)] if along is None else along.outputs
        return found

    def outputs_function(self, inputs: Substitution | None) -> Function | None:
        """The outputs as they are written, with the inputs given where `inputs` replaces them; None where one contains
        an acceleration, which no function of the state is."""
        with self._lock:
            symbols, kinematics = self.derivation.symbols, self.derivation.kinematics
            if any(accelerations_in(kinematics, symbols, one) for one in self.outputs.values()):
                return None
            written = expression_function(self.derivation, "outputs", list(self.outputs.values()))
            return written if inputs is None else replace(written, outputs=tuple(map(inputs, written.outputs)))

    def walk(self, nodes: Callable[[Derivation], Iterable[Node]]) -> Callable[..., np.ndarray]:
        """A NumPy function ``f(t, x, p)`` of the nodes that ``nodes(derivation)`` creates, as from `quantities`."""
        with self._lock:
            function = Function("walk", tuple(nodes(self.derivation)), ("t", "x", "p"))
            return numpy_function(self.derivation.graph, function)

    @property
    def length(self) -> Expr | None:
        """The given model length (m); None for the model's own, see :doc:`/theory/lengths`."""
        return self._length

    def length_value(self, p: Sequence[float]) -> float:
        """The model's length (m) for the values of all parameters and inputs; 0 where it is measured along the
        motion."""
        if self._length is not None:
            return float(self.quantities([self._length])(0.0, np.zeros(len(self.x)), p)[0])
        with self._lock:
            lengths = numpy_function(self.derivation.graph, lengths_function(self.derivation))
        return self.derivation.lengths.value(lengths(0.0, np.zeros(len(self.x)), p))

    @cached_property
    def preconditions(self) -> Preconditions:
        """Quantities that must be positive at the start of a run, such as radii."""
        return preconditions_of(self)
