"""One impact of a model at a state: assembled once, solved under any law, returned as an `Event`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial

import numpy as np
from sympy import Expr

from sympact.contact.laws.impact_laws import ImpactLaw, Resolution
from sympact.contact.memory.contact_tolerances import NO_DISTANCE
from sympact.contact.solve import ImpactProblem, ImpactSolution
from sympact.integrate.history.event import Event, EventKind
from sympact.integrate.memory.run_tolerances import DEFAULT_ATOL, DEFAULT_RTOL
from sympact.integrate.trajectory.reactions import ImpulseReactions
from sympact.mechanics.derived.compiled import compile_model
from sympact.mechanics.derived.derived_model import DerivedModel
from sympact.mechanics.derived.impact_terms import ImpactTerms, SlipTerms
from sympact.mechanics.joints.joints_along import JointsAlong
from sympact.mechanics.joints.motion_along import MotionAlong
from sympact.mechanics.joints.motion_evaluator import MotionEvaluator
from sympact.mechanics.run.signals import read_signals
from sympact.mechanics.shapes.unilateral import Unilateral
from sympact.mechanics.start.scale import scale_at
from sympact.native.rounding import EPS, ROUNDINGS

__all__ = ["AssembledImpact", "assemble_impact"]


@dataclass(frozen=True, eq=False)
class AssembledImpact:
    """An impact of a model in numbers: the argument of `sympact.contact.solve_impact`, and its origin.

    Attributes
    ----------
    problem : ImpactProblem
        Of the contacts that take part.
    t : float
    x : array, shape (n_states,)
        The state just before.
    names : tuple of str
        The participants.
    tangents : array, shape (n_contacts, 2, 3)
        The unit tangents of each, in the inertial frame.
    window, nearest : float
        As in `Event` (s).
    who : tuple of int
        The places of the participants among the contacts of the model.
    motion : MotionAlong
        For the reactions of joints and constraints.
    slow : array, shape (n_contacts,)
        Rates that a run does not distinguish from none (m/s): its tolerances, of the speeds that make them.
    """

    problem: ImpactProblem
    t: float
    x: np.ndarray
    names: tuple[str, ...]
    tangents: np.ndarray
    window: float
    nearest: float
    who: tuple[int, ...]
    motion: MotionAlong
    slow: np.ndarray

    @property
    def mass(self) -> np.ndarray:
        """M."""
        return self.problem.mass

    @property
    def rates(self) -> np.ndarray:
        """gamma_N- of the participants (m/s)."""
        return self.problem.rates

    @property
    def approaches(self) -> bool:
        """Whether a contact approaches, by more than the tolerances of a run."""
        return bool((self.problem.rates < -self.slow).any())

    def solve(self, law: ImpactLaw, resolution: Resolution) -> ImpactSolution:
        """The impact under a law; raises as `solve_impact`.

        As in a run, a contact that was closed before does not rebound, unless the law applies restitution to impulses
        between contacts.
        """
        if not (isinstance(law, ImpactLaw) and isinstance(resolution, Resolution)):
            return self.problem.solve(law, resolution)
        e, rates = self.problem.restitution, self.problem.rates
        if not resolution.plan(law, self.problem.friction is not None).shared:
            e = np.where(np.abs(rates) <= DEFAULT_RTOL * np.abs(rates).max(initial=0.0), 0.0, e)
        return replace(self.problem, restitution=e).solve(law, resolution)

    def event(self, law: ImpactLaw, resolution: Resolution) -> Event:
        """The same as an event."""
        solution = self.solve(law, resolution)
        after = self.x.copy()
        after[len(after) - len(solution.speed_change) :] += solution.speed_change
        pushes = np.einsum("nc,ncx->nx", solution.friction_impulses, self.tangents)
        for array in (after, pushes, solution.impulses):
            array.flags.writeable = False
        impulses = np.zeros((len(self.motion.model.contacts), 4))
        impulses[self.who, 0], impulses[self.who, 1:] = solution.impulses, pushes
        pushed = np.concatenate([impulses[:, 0], impulses[:, 1:].ravel()])
        return Event(
            t=self.t,
            kind=EventKind.IMPACT,
            contacts=self.names,
            x_minus=self.x,
            x_plus=after,
            impulse=solution.impulses,
            friction_impulse=pushes,
            source="",
            target="",
            energy=solution.energy,
            window=self.window,
            nearest=self.nearest,
            factor=solution.factor,
            approach=max(0.0, -self.rates.min(initial=0.0)),
            _reaction=partial(self._in_joint, after, pushed),
            _impulses=lambda: ImpulseReactions(MotionEvaluator(self.motion), (self.t, (self.x, after), 0, pushed)),
        )

    def _in_joint(
        self, after: np.ndarray, impulses: np.ndarray, joint: object, turns: bool, frame: object
    ) -> np.ndarray:
        """The impulse in a joint, or its moment, shape (3,)."""
        return JointsAlong(self.motion).impulse(joint, turns, frame, self.t, (self.x, after), 0, impulses)


def assemble_impact(
    model: DerivedModel,
    t: float,
    x: Mapping[Expr, float] | Sequence[float],
    parameters: Mapping[Expr, float],
    contacts: Iterable[Unilateral | str] | None,
    inputs: Mapping[Expr, object],
    length: float | None,
) -> AssembledImpact:
    """The impact of a model at a state; see `HybridModel.impact`."""
    compiled = model.made(compile_model)
    state, p = compiled.state(x), compiled.all_parameters(compiled.parameters(parameters))
    for place, number in compiled.unused(parameters).items():
        p[place] = number
    if inputs or model.inputs:
        p = read_signals(model, inputs, (t, t)).at(p, t, state)
    compiled.settle(t, state, p)
    n, m = len(model.contacts), len(model.u)
    along = compiled.boundary(t, state, p).reshape(3, n)
    length = compiled.length_of(p) if length is None else float(length)
    if contacts is not None:
        who = [model.contact(contact) for contact in contacts]
    else:
        who = _touching(model, along, _depths(compiled, t, state, p, along, length))
    mass, rows, drift, e, bilateral = ImpactTerms.of(compiled.terms(t, state, p), m, n)
    jacobian, u = rows[who], state[len(model.q) :]
    assembled = [mass, jacobian, jacobian @ u + drift[who], e[who]]
    tangents = np.zeros((len(who), 2, 3))
    if compiled.has_friction:
        slips = SlipTerms.of(compiled.slips(t, state, p)[who], m)
        axes = zip(slips.normal, slips.axis, slips.ratio, strict=True)
        tangents = np.array([_tangents(normal, axis, ratio) for normal, axis, ratio in axes])
        slip = np.einsum("ncx,nx->nc", tangents, slips.velocity)
        assembled += [tangents @ slips.jacobian, slip, slips.friction]
    else:
        assembled += [None, None, None]
    assembled.append(bilateral if bilateral.size else None)
    state.flags.writeable = False
    names = tuple(model.contacts[k].name for k in who)
    motion = MotionAlong(
        model, lambda times, states, stages: p[:, np.newaxis], lengths=_row_lengths(compiled, t, state, p)
    )
    problem, window = ImpactProblem.read(*assembled), _window(t, along, who, length)
    slow = DEFAULT_ATOL + DEFAULT_RTOL * (np.abs(jacobian) @ np.abs(u) + np.abs(drift[who]))
    return AssembledImpact(problem, t, state, names, tangents, *window, tuple(who), motion, slow)


def _row_lengths(compiled, t: float, x: np.ndarray, p: np.ndarray) -> np.ndarray:
    """The lengths of the constraints around a state."""
    if not compiled.constrained:
        return np.zeros(0)
    constraints = compiled.constraints(p)
    constraints.measure(t, x)
    return constraints.memory.lengths.copy()


def _depths(compiled, t: float, x: np.ndarray, p: np.ndarray, along: np.ndarray, length: float) -> np.ndarray:
    """The largest gap that counts as closed (m)."""
    scale = scale_at(compiled, t, x, p, along, length=length, rtol=DEFAULT_RTOL, atol=np.full(len(x), DEFAULT_ATOL))
    return np.maximum(scale.depths, DEFAULT_RTOL * scale.length)


def _touching(model, along: np.ndarray, depths: np.ndarray) -> list[int]:
    """The contacts whose gaps are closed."""
    gaps = along[0]
    found = np.flatnonzero(np.abs(gaps) <= depths).tolist()
    if found:
        return found
    if not len(gaps):
        raise ValueError("the model has no contacts, so that there is no impact")
    nearest = int(np.argmin(np.abs(gaps)))
    raise ValueError(
        f"no contact touches at this state: the nearest gap is {gaps[nearest]:.6g} m of the contact "
        f"'{model.contacts[nearest].name}'; give a state just before an impact, such as event.x_minus, or name contacts"
    )


def _window(t: float, along: np.ndarray, who: Sequence[int], length: float) -> tuple[float, float]:
    """The window of the impact, and the time until the first contact that does not take part touches (s)."""
    speed = float(-along[1][who].min(initial=0.0))
    others = [k for k in range(along.shape[1]) if k not in who and along[1, k] < 0.0]
    nearest = min((float(-along[0, k] / along[1, k]) for k in others), default=np.inf)
    resolution = ROUNDINGS * EPS * abs(t)
    return (max(resolution, NO_DISTANCE * length / speed) if speed > 0.0 else resolution), nearest


def _tangents(normal: np.ndarray, axis: np.ndarray, ratio: float) -> np.ndarray:
    """Two unit vectors normal to the normal and to each other; zeros where there is none.

    With an axis of anisotropic friction: the ratio times the axis, and the direction across it.
    """
    if not normal.any():
        return np.zeros((2, 3))
    if axis.any():
        return np.array([ratio * axis, np.cross(normal, axis)])
    first = np.cross(normal, np.eye(3)[np.argmin(np.abs(normal))])
    first /= np.linalg.norm(first)
    return np.array([first, np.cross(normal, first)])
