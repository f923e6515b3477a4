"""A compiled model as a program of the loop: the stages of one run, and the memory of its contacts."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np

from sympact.contact.contact_workspace import MOREAU, TRANSITION, ContactData, needed_units
from sympact.integrate.problem.callback import Callback, Faults
from sympact.integrate.problem.program import Program, Stage
from sympact.integrate.problem.schedule import Schedule
from sympact.integrate.problem.settings import Settings
from sympact.integrate.problem.stepper import CompiledMethod, Method
from sympact.integrate.search.switch_table import SwitchData
from sympact.integrate.simulate import loop_units
from sympact.integrate.steppers.methods import METHODS
from sympact.mechanics.run.numbers import check_start
from sympact.mechanics.run.scale import Scale
from sympact.mechanics.run.signals import Signals
from sympact.mechanics.run.step_forces import TIME_STEPPING
from sympact.native.compilation import compile_together

if TYPE_CHECKING:
    from sympact.mechanics.model import HybridModel
    from sympact.mechanics.run.compiled import CompiledModel

__all__ = ["KNOWN_METHODS", "program_of"]

KNOWN_METHODS: Mapping[str, Method] = {**METHODS, TIME_STEPPING: CompiledMethod(TIME_STEPPING, MOREAU)}
"""The methods of runs of models, by name."""

_IN_STEPS = 2
"""The stage of time stepping."""


def program_of(compiled: CompiledModel, settings: Settings, p: np.ndarray, signals: Signals | None = None) -> Program:
    """The model with one set of parameters, checked at the start; the functions of the method are compiled.

    Parameters
    ----------
    compiled : CompiledModel
    settings : Settings
        The start, the method and the tolerances.
    p : array
        As ``compiled.all_parameters`` gives it; its switches are set here.
    signals : Signals, optional
        The inputs.

    Raises
    ------
    ValueError
        As `check_start` does.
    """
    model, address, nc = compiled.model, p.ctypes.data, len(compiled.model.contacts)
    t, x = settings.t_span[0], settings.x0
    switches = model.derivation.switches
    slopes = _settle_at_start(compiled, t, x, p, signals) if switches else ()
    scale = check_start(compiled, t, x, p, signals, rtol=settings.rtol, atol=settings.atol)
    _compile_ahead(compiled, settings.by, signals is not None and bool(signals.series))
    fed: dict[str, Callback] = {}
    faults = Faults() if model.calls_python else None
    if signals is not None and signals.functions:
        faults = faults or Faults()
        fed = _fed(compiled, signals, p, faults)
    addresses = compiled.running | {name: callback.address for name, callback in fed.items()}
    free = {"name": "free", "flow": addresses["flow"], "flow_data": address, "project": addresses.get("project", 0)}
    turning = compiled.switches(p, addresses, address) if switches else None
    schedule = None if signals is None else signals.schedule(p, turning.address if turning else 0)
    if not nc and not switches:
        return Program((Stage(**free, owner=(compiled, p, fed)),), compiled.state_names, faults, schedule=schedule)
    data = _contacts(model, addresses, p, scale, turning, faults)
    watched = _watched(compiled, addresses, p, data, scale, turning)
    proof = compiled.proofs.table(compiled.running, address)
    watched |= {"switch_slopes": slopes, "owner": (compiled, p, data, fed, turning, proof)}
    watched |= {"proof": proof.address if proof else 0}
    if not nc:
        return Program((Stage(**free, **watched),), compiled.state_names, faults, schedule=schedule)
    closed = Stage(
        name="closed",
        flow=data.closed.rates.address(),
        flow_data=data.address,
        project=data.closed.project.address(),
        force=data.closed.margins.address(),
        begin=data.closed.begin.address() if data.closed.begin else 0,
        prepare=data.closed.prepare.address() if data.closed.prepare else 0,
        stall=data.closed.stall.address() if data.closed.stall else 0,
        **watched,
    )
    stepped = Stage(
        **free | {"name": "time stepping", "owner": watched["owner"]},
        transition_data=data.address,
        boundary_names=compiled.contact_names,
        contacts=nc,
        rubbing=watched["rubbing"],
    )
    stages = Stage(**free, **watched), closed, stepped
    steppers = {TIME_STEPPING: (MOREAU, _IN_STEPS)}
    return Program(stages, compiled.state_names, faults, steppers, schedule)


def _compile_ahead(compiled: CompiledModel, method: Method, scheduled: bool) -> None:
    """The functions that a run by the method calls, compiled in parallel where it is the first one on the machine."""
    model, units = compiled.model, [*loop_units(method), *(Schedule.units() if scheduled else [])]
    if model.contacts or model.derivation.switches:
        units += needed_units(model.law, model.resolution, compiled.has_friction)
    compile_together(units)


def _watched(
    compiled: CompiledModel,
    addresses: Mapping[str, int],
    p: np.ndarray,
    data: ContactData,
    scale: Scale,
    turning: SwitchData | None,
) -> dict:
    """The common parts of the stages of a model with contacts or conditions."""
    nc, switches = len(compiled.model.contacts), compiled.model.derivation.switches
    return {
        "boundary": addresses["boundary"],
        "boundary_data": p.ctypes.data,
        "boundary_names": (*compiled.contact_names, *(switch.names[0] for switch in switches)),
        "derivatives": True,
        "scales": (scale.length,) * nc + (0.0,) * len(switches),
        "grains": tuple(scale.grains),
        "length": data.length_address if scale.measured and nc else 0,
        "transition": TRANSITION.address(),
        "transition_data": data.address,
        "contacts": nc,
        "rubbing": nc if compiled.has_friction else 0,
        "active": data.mode.watched.ctypes.data,
        "statuses": (data.mode.statuses.ctypes.data, nc + 1),
        "switches": turning.place if turning else (0, 0),
        "switch_names": tuple(switch.names for switch in switches),
    }


def _fed(compiled: CompiledModel, signals: Signals, p: np.ndarray, faults: Faults) -> dict[str, Callback]:
    """The functions that a run calls, with the inputs evaluated in every call."""
    running, sizes = compiled.running, compiled.sizes
    fed = {name: signals.fed(running[name], p, sizes[name], faults) for name in ("flow", "impact")}
    along = [name for name in ("boundary", "friction") if name in running]
    return fed | {name: signals.fed_along(running[name], p, sizes[name], faults) for name in along}


def _settle_at_start(
    compiled: CompiledModel, t: float, x: np.ndarray, p: np.ndarray, signals: Signals | None
) -> tuple[tuple[float, ...], ...]:
    """Set the switches in p to the active branches at the start; returns the slopes of their margins there."""
    numbers = p if signals is None else signals.called(p, t, x)
    turning = compiled.switches(numbers, compiled.running, numbers.ctypes.data)
    turning.settle(t, x)
    first = len(p) - len(compiled.model.derivation.switches)
    p[first:] = numbers[first:]
    return turning.slopes(t, x)


def _contacts(
    model: HybridModel,
    addresses: Mapping[str, int],
    p: np.ndarray,
    scale: Scale,
    turning: SwitchData | None,
    faults: Faults | None,
) -> ContactData:
    """The memory for the impacts and closed contacts of one run."""
    return ContactData(
        len(model.q),
        len(model.u),
        len(model.contacts),
        model.law,
        model.resolution,
        terms=addresses["impact"],
        parameters=p,
        length=scale.length,
        grains=scale.grains,
        flow=addresses["flow"],
        gaps=addresses["boundary"],
        project=addresses.get("project", 0),
        n_boundaries=len(model.contacts) + len(model.derivation.switches),
        switches=turning.address if turning else 0,
        friction=addresses.get("friction", 0),
        painleve=model.painleve,
        faults=faults,
    )
