"""The check of initial states, with a message for each fault of those that are not consistent."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from sympact.contact.memory.contact_tolerances import PIVOT
from sympact.mechanics.derived.impact_terms import ImpactTerms
from sympact.mechanics.derived.numbers import listed
from sympact.mechanics.read.line_forces import line_lengths
from sympact.mechanics.read.loads import Line
from sympact.mechanics.shapes.unilateral import approach_speed
from sympact.mechanics.start.constraint_values import ConstraintValues, constrained_mass
from sympact.mechanics.start.scale import Scale, nominal_scale, scale_at
from sympact.mechanics.start.start_memory import DOUBTFUL, NOMINAL, StartMemory
from sympact.native.kernel import Unit
from sympact.native.rounding import SAME

__all__ = ["START_UNIT", "StartCheck", "check_start", "locked_rates", "singular_mass"]

START_UNIT = Unit("sympact.mechanics.start.consistency_kernel", "consistent", "int64(float64, int64, int64)")
"""The check that every run performs before it begins."""

_GIMBAL_LOCK = "at a gimbal lock start from another orientation, or use quaternions or another sequence of angles"


class StartCheck:
    """The check of an initial state in machine code, with its memory.

    Parameters
    ----------
    compiled : CompiledModel
    p : array
        The parameters of the run, as ``compiled.all_parameters`` gives them; shared.
    free : (int, int), optional
        Address and data of the free motion, of a constrained model; by default the function ``flow``.

    Attributes
    ----------
    address : int
        That of its memory, a `StartMemory`.
    """

    def __init__(self, compiled, p: np.ndarray, free: tuple[int, int] | None = None) -> None:
        model, running, sizes = compiled.model, compiled.running, compiled.sizes
        nc, groups = len(model.contacts), model.derivation.quaternions
        memory = StartMemory.allocate(
            {
                "n_q": len(model.q),
                "n_u": len(model.u),
                "n_contacts": nc,
                "n_boundaries": nc + len(model.derivation.switches),
                "n_quaternions": len(groups),
                "n_terms": sizes[compiled.terms_name],
                "n_rows": len(model.derivation.constraints),
                "slip_width": sizes["friction"] // nc if compiled.has_friction else 0,
            }
        )
        memory.terms, memory.gaps = running[compiled.terms_name], running["boundary"]
        memory.factored = int(compiled.branches is not None)
        memory.slips, memory.parameters = running.get("friction", 0), p.ctypes.data
        memory.flow, memory.flow_data = (running["flow"], memory.parameters) if free is None else free
        memory.constraints = running.get("constraints", 0)
        memory.tied = 0 if compiled.plain_speeds else 1
        memory.quaternions[:] = np.reshape(groups, (-1, 4))
        memory.at_impact[:] = [_asked_at_impact(contact) for contact in model.contacts]
        memory.varying[:] = [gap.slip is not None and gap.slip.varies for gap in model.derivation.gaps]
        self._memory, self._preconditions = memory, model.preconditions
        self._compiled, self._p = compiled, p
        self._consistent, self._x = START_UNIT.callable(), np.zeros(len(model.x))
        self.address = memory.address
        self._at_x, self._at = self._x.ctypes.data, memory.address

    def scale(self, t: float, x: np.ndarray, *, rtol: float, atol: np.ndarray) -> Scale | None:
        """The scale of gaps where the state is certainly consistent; else None."""
        compiled, memory, p = self._compiled, self._memory, self._p
        length, nc = compiled.length_of(p), len(compiled.model.contacts)
        memory.length = length
        self._x[:] = x
        found = self._consistent(t, self._at_x, self._at)
        if found == DOUBTFUL or (self._preconditions.preconditions and self._preconditions.unmet(t, x, p)):
            return None
        if found == NOMINAL and length:
            return nominal_scale(length, nc)
        along = memory.along.reshape(3, -1)[:, :nc]
        scale = scale_at(compiled, t, x, p, along, length=length, rtol=rtol, atol=atol)
        return scale if (along[0] >= -scale.depths).all() else None


def _asked_at_impact(contact) -> bool:
    return contact.restitution.has(approach_speed)


def check_start(
    compiled, t: float, x: np.ndarray, p: np.ndarray, signals, *, rtol: float, atol: np.ndarray, stepped: bool = False
) -> Scale:
    """Check the initial state; returns the scale of gaps.

    With `stepped` contacts may be below their surfaces, by less than the length of the model: time stepping leaves them
    there by their approach speeds times the step, and goes on from its own ends.

    Raises
    ------
    ValueError
        With a sentence for each fault: an input or a rate that is not finite, a quaternion that is no unit one, a
        singular mass matrix, constraints that contradict each other, a contact below its surface, a restitution outside
        0..1.
    """
    model = compiled.model
    n, nc = len(model.u), len(model.contacts)
    faults = _quaternions(model, x)
    if signals is not None:
        p = signals.called(p, t, x)
    terms = ImpactTerms.of(compiled.terms(t, x, p), n, nc)
    rates = compiled.raw("flow", t, x, p)
    along = compiled.boundary(t, x, p, rates).reshape(3, nc)
    finite = np.isfinite(rates).all() and np.isfinite(along).all()
    if signals is not None and (model.preconditions.preconditions or signals.functions or not finite):
        p = signals.at(p, t, x)  # the values of the inputs, for messages and preconditions; the equations have them
        faults += signals.without_values(p)
    _refuse(t, faults)
    scale = scale_at(compiled, t, x, p, along, length=compiled.length_of(p), rtol=rtol, atol=atol)
    mass = constrained_mass(compiled.mass(t, x, p), terms.rows)
    faults = singular_mass(model, mass) or _rates(model, t, x, p, rates) or _lock(compiled, t, x, p, mass)
    faults = faults or _contradictions(compiled, t, x, p)
    faults += _restitution(model, terms) + _friction(compiled, t, x, p)
    faults += model.preconditions.unmet(t, x, p) or _without_rates(model, along)
    depths = np.maximum(scale.depths, scale.length) if stepped else scale.depths
    for k in np.flatnonzero(~(along[0] >= -depths)):
        contact, depth = model.contacts[k], -along[0, k]
        starts = "where its gap is not a number" if np.isnan(depth) else contact.violated(depth)
        doubt = "" if np.isnan(depth) else contact.doubt
        faults.append(f"{contact.title} starts {starts}; expected a gap >= 0{doubt}")
    _refuse(t, faults)
    return scale


def _contradictions(compiled, t: float, x: np.ndarray, p: np.ndarray) -> list[str]:
    """Constraints that depend on each other and demand different accelerations."""
    if not compiled.constrained:
        return []
    left, wrong = ConstraintValues.at(compiled, t, x, p).contradiction()
    names = [row.name for row in compiled.model.derivation.constraints]
    if not wrong.any():
        return []
    told = ", ".join(f"'{names[k]}' by {abs(left[k]):.6g}" for k in np.flatnonzero(wrong))
    cure = "remove those that are said twice, let drives agree, or start away from this dead point"
    return [f"the constraints contradict each other in their accelerations: no motion satisfies {told}; {cure}"]


def _restitution(model, terms: ImpactTerms) -> list[str]:
    """Restitutions outside 0..1, of those that do not wait for the speed of an approach."""
    return [
        f"the restitution of {contact.title} is {e:.6g}, expected a number from 0 to 1"
        for contact, e in zip(model.contacts, terms.restitution, strict=True)
        if not (0.0 <= e <= 1.0 or _asked_at_impact(contact))
    ]


def _friction(compiled, t: float, x: np.ndarray, p: np.ndarray) -> list[str]:
    """Coefficients of friction that are negative, and static ones below the kinetic one."""
    model, faults = compiled.model, []
    both = compiled.friction_coefficients(t, x, p)
    for contact, gap, mu, static in zip(model.contacts, model.derivation.gaps, *both, strict=True):
        varies = gap.slip is not None and gap.slip.varies
        if not mu >= 0.0:
            faults.append(f"the friction of {contact.title} is {mu:.6g}, expected a number >= 0")
        elif not (mu <= static or (static >= 0.0 and varies)):
            faults.append(
                f"the static friction of {contact.title} is {static:.6g}, expected at least its friction, {mu:.6g}"
            )
    return faults


def _without_rates(model, along: np.ndarray) -> list[str]:
    """Gaps that have no derivative at the start."""
    return [
        f"the gap of {model.contacts[k].title} has no rate: there {model.contacts[k].without_normal}"
        for k in np.flatnonzero(np.isfinite(along[0]) & ~np.isfinite(along[1:]).all(axis=0))
    ]


def _refuse(t: float, faults: list[str]) -> None:
    if faults:
        raise ValueError(f"the motion cannot start at t = {t:.12g}: " + "; ".join(faults))


def _quaternions(model, x: np.ndarray) -> list[str]:
    """Quaternions whose norm is not 1."""
    faults = []
    for group in model.derivation.quaternions:
        norm = float(np.linalg.norm(x[list(group)]))
        if not abs(norm - 1.0) <= SAME:
            letters = listed([model.q[i] for i in group])
            faults.append(f"the quaternion {letters} has the norm {norm:.9g}, expected 1; divide it by its norm")
    return faults


def singular_mass(model, mass: np.ndarray) -> list[str]:
    """The speed that moves no mass there (gimbal lock, a vanishing inertia)."""
    diagonal = np.diagonal(mass)
    if not np.isfinite(mass).all():
        return ["the mass matrix is not finite; check for a division by zero in the coordinates given"]
    if not (diagonal > 0.0).all():
        wrong = [str(model.u[i]) for i in np.flatnonzero(~(diagonal > 0.0))]
        cure = "give what it moves a mass or a moment of inertia, a positive number"
        return [f"no positive inertia resists {', '.join(wrong)}; {cure}"]
    scale = 1.0 / np.sqrt(diagonal)
    values, vectors = np.linalg.eigh(mass * np.outer(scale, scale))
    if values[0] > PIVOT:
        return []
    stuck = np.flatnonzero(np.abs(vectors[:, 0]) > 0.5 * np.abs(vectors[:, 0]).max())
    names = " and ".join(str(model.u[i]) for i in stuck)
    smallest = f"its smallest eigenvalue, scaled, is {values[0]:.1e}"
    return [f"the mass matrix is singular ({smallest}) for the motion along {names}; {_GIMBAL_LOCK}"]


def _rates(model, t: float, x: np.ndarray, p: np.ndarray, rates: np.ndarray) -> list[str]:
    """Rates that are not finite, with the cause: coordinates at a gimbal lock, loads without a value."""
    wrong, n = np.flatnonzero(~np.isfinite(rates)), len(model.q)
    if not wrong.size:
        return []
    names = ", ".join(str(model.x[i]) for i in wrong)
    if wrong[0] < n and _moved_by_speeds(model, [i for i in wrong if i < n]):
        return [f"the rate of {names} is not finite; {_GIMBAL_LOCK}"]
    pointless = [line.name for line, length in _lines(model, t, x, p) if not length > 0.0]
    if pointless:
        have, their = ("has", "its") if len(pointless) == 1 else ("have", "their")
        sentence = f"{' and '.join(pointless)} {have} zero length there, so that {their} force has no direction"
        return [f"{sentence}; start with the ends apart"]
    cure = "check for a division by zero, or a root or logarithm of a negative number, in the loads and inputs"
    return [f"the rate of {names} is not finite there; {cure}"]


def _moved_by_speeds(model, coordinates: Sequence[int]) -> bool:
    """Whether the rates of some coordinates depend on speeds; those of the states of muscles need not."""
    kinematics, graph = model.derivation.kinematics, model.derivation.graph
    columns = kinematics.partials([kinematics.rates[i] for i in coordinates])
    return any(entry != graph.zero for column in columns for entry in column)


def _lines(model, t: float, x: np.ndarray, p: np.ndarray) -> list[tuple[Line, float]]:
    """Springs, dampers and other forces along lines, each with the length of its shortest segment."""
    lines = model.derivation.survey.loads.lines
    lengths = iter(model.walk(lambda derivation: line_lengths(derivation.kinematics, lines))(t, x, p).tolist())
    return [(line, min(next(lengths) for _ in line.points[1:])) for line in lines]


def _lock(compiled, t: float, x: np.ndarray, p: np.ndarray, mass: np.ndarray) -> list[str]:
    """Coordinates whose rates become dependent, such as those of the outer angles at a gimbal lock.

    With M = L L^T and q' = S u + b, the rows of S L^-T are the coordinates' rates in motions of unit energy;
    normalized, they are dependent at a lock.
    """
    if compiled.plain_speeds:
        return []
    model, n = compiled.model, len(x) - len(mass)
    motions = np.tile(x, (len(mass) + 1, 1))
    motions[:, n:] = np.eye(len(mass) + 1, len(mass))
    kinematics = "kinematics" if compiled.constrained else "flow"
    rates = np.stack([compiled.raw(kinematics, t, motion, p)[:n] for motion in motions], axis=1)
    return locked_rates(model, rates[:, :-1] - rates[:, -1:], mass)


def locked_rates(model, slopes: np.ndarray, mass: np.ndarray) -> list[str]:
    """The same from S and M."""
    rows = np.linalg.solve(np.linalg.cholesky(mass), slopes.T).T
    sizes = np.linalg.norm(rows, axis=1, keepdims=True)
    left, values, _ = np.linalg.svd(rows / np.where(sizes > 0.0, sizes, 1.0))
    if values[-1] ** 2 > PIVOT:
        return []
    weights = np.abs(left[:, len(values) - 1])
    names = " and ".join(str(model.q[i]) for i in np.flatnonzero(weights > 0.5 * weights.max()))
    return [f"the rates of {names} grow without bound and are dependent; {_GIMBAL_LOCK}"]
