"""sympact: from a SymPy mechanics model with contacts to an exact, fast, event-driven simulation.

The public names are imported on first use, so that ``import sympact`` is fast and plain processes (`HybridSystem`) run
without SymPy.

>>> import sympact
>>> sympact.Status.__name__
'Status'
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

__version__ = "0.2.0"

_HOMES = {
    "Ball": "sympact.show.animation.shapes",
    "Box": "sympact.show.animation.shapes",
    "Ground": "sympact.show.animation.shapes",
    "Line": "sympact.show.animation.shapes",
    "Polygon": "sympact.show.animation.shapes",
    "Rod": "sympact.show.animation.shapes",
    "Trace": "sympact.show.animation.shapes",
    "Assembly": "sympact.mechanics",
    "BallClosure": "sympact.mechanics",
    "Capsule": "sympact.mechanics",
    "Contact": "sympact.mechanics",
    "Controller": "sympact.mechanics",
    "ConvexPolygon": "sympact.mechanics",
    "Cylinder": "sympact.mechanics",
    "Disc": "sympact.mechanics",
    "Equilibrium": "sympact.mechanics",
    "Holonomic": "sympact.mechanics",
    "HybridModel": "sympact.mechanics",
    "ImpactWarning": "sympact.integrate.problem.warning",
    "Implicit": "sympact.mechanics",
    "Interpolated": "sympact.mechanics",
    "Latch": "sympact.mechanics",
    "Limit": "sympact.mechanics",
    "LineClosure": "sympact.mechanics",
    "Linearization": "sympact.mechanics",
    "NaturalMode": "sympact.mechanics",
    "NoEquilibrium": "sympact.mechanics",
    "Nonholonomic": "sympact.mechanics",
    "PinClosure": "sympact.mechanics",
    "Plane": "sympact.mechanics",
    "RodClosure": "sympact.mechanics",
    "Sampled": "sympact.mechanics",
    "SlideClosure": "sympact.mechanics",
    "Sphere": "sympact.mechanics",
    "String": "sympact.mechanics",
    "WeldClosure": "sympact.mechanics",
    "approach_speed": "sympact.mechanics",
    "contacts_between": "sympact.mechanics",
    "polygon_contacts": "sympact.mechanics",
    "Newton": "sympact.contact",
    "Poisson": "sympact.contact",
    "Energetic": "sympact.contact",
    "Plastic": "sympact.contact",
    "CustomLaw": "sympact.contact",
    "Baumgarte": "sympact.contact",
    "Direct": "sympact.contact",
    "Projection": "sympact.contact",
    "EndOfRun": "sympact.contact",
    "ImpactWithoutCollision": "sympact.contact",
    "GearGuptaLeimkuhler": "sympact.contact",
    "Overdetermined": "sympact.contact",
    "NullSpace": "sympact.contact",
    "Partitioning": "sympact.contact",
    "TangentSpace": "sympact.contact",
    "Simultaneous": "sympact.contact",
    "Sequential": "sympact.contact",
    "ImpulseRatio": "sympact.contact",
    "Count": "sympact.integrate.measure.observers",
    "Integral": "sympact.integrate.measure.observers",
    "Maximum": "sympact.integrate.measure.observers",
    "Minimum": "sympact.integrate.measure.observers",
    "compare_impacts": "sympact.contact",
    "solve_impact": "sympact.contact",
    "Infeasibility": "sympact.contact",
    "UnsolvedImpact": "sympact.contact",
    "ConditionalDynamic": "sympact.hybrid",
    "DiscreteTime": "sympact.hybrid",
    "HybridSystem": "sympact.hybrid",
    "Nested": "sympact.hybrid",
    "product": "sympact.hybrid",
    "MultiConditionalDynamic": "sympact.hybrid",
    "Transition": "sympact.hybrid",
    "Ensemble": "sympact.analysis",
    "Estimate": "sympact.analysis",
    "Fit": "sympact.analysis",
    "ImpactTimes": "sympact.analysis",
    "Track": "sympact.analysis",
    "ensemble": "sympact.analysis",
    "fit": "sympact.analysis",
    "When": "sympact.hybrid",
    "Crossing": "sympact.integrate.problem.crossing",
    "Stop": "sympact.integrate.problem.crossing",
    "Event": "sympact.integrate.history.event",
    "EventKind": "sympact.integrate.history.event",
    "Stepper": "sympact.integrate.problem.stepper",
    "OneStep": "sympact.integrate.steppers.one_step",
    "Result": "sympact.integrate.result",
    "RungeKutta": "sympact.integrate.steppers.own_runge_kutta",
    "Status": "sympact.integrate.problem.status",
    "SympactWarning": "sympact.integrate.problem.warning",
    "about": "sympact.native.installation",
    "load": "sympact.integrate.result",
}

__all__ = [
    "Assembly",
    "Ball",
    "BallClosure",
    "Baumgarte",
    "Box",
    "Capsule",
    "ConditionalDynamic",
    "Contact",
    "Controller",
    "ConvexPolygon",
    "Count",
    "Crossing",
    "CustomLaw",
    "Cylinder",
    "Direct",
    "Disc",
    "DiscreteTime",
    "EndOfRun",
    "Energetic",
    "Ensemble",
    "Equilibrium",
    "Estimate",
    "Event",
    "EventKind",
    "Fit",
    "GearGuptaLeimkuhler",
    "Ground",
    "Holonomic",
    "HybridModel",
    "HybridSystem",
    "ImpactTimes",
    "ImpactWarning",
    "ImpactWithoutCollision",
    "Implicit",
    "ImpulseRatio",
    "Infeasibility",
    "Integral",
    "Interpolated",
    "Latch",
    "Limit",
    "Line",
    "LineClosure",
    "Linearization",
    "Maximum",
    "Minimum",
    "MultiConditionalDynamic",
    "NaturalMode",
    "Nested",
    "Newton",
    "NoEquilibrium",
    "Nonholonomic",
    "NullSpace",
    "OneStep",
    "Overdetermined",
    "Partitioning",
    "PinClosure",
    "Plane",
    "Plastic",
    "Poisson",
    "Polygon",
    "Projection",
    "Result",
    "Rod",
    "RodClosure",
    "RungeKutta",
    "Sampled",
    "Sequential",
    "Simultaneous",
    "SlideClosure",
    "Sphere",
    "Status",
    "Stepper",
    "Stop",
    "String",
    "SympactWarning",
    "TangentSpace",
    "Trace",
    "Track",
    "Transition",
    "UnsolvedImpact",
    "WeldClosure",
    "When",
    "__version__",
    "about",
    "approach_speed",
    "compare_impacts",
    "contacts_between",
    "ensemble",
    "fit",
    "load",
    "models",
    "polygon_contacts",
    "product",
    "solve_impact",
]

_RENAMED = {"Method": "Stepper", "OwnLaw": "CustomLaw"}

if TYPE_CHECKING:
    from sympact import models
    from sympact.analysis import Ensemble, Estimate, Fit, ImpactTimes, Track, ensemble, fit
    from sympact.contact import (
        Baumgarte,
        CustomLaw,
        Direct,
        EndOfRun,
        Energetic,
        GearGuptaLeimkuhler,
        ImpactWithoutCollision,
        ImpulseRatio,
        Infeasibility,
        Newton,
        NullSpace,
        Overdetermined,
        Partitioning,
        Plastic,
        Poisson,
        Projection,
        Sequential,
        Simultaneous,
        TangentSpace,
        UnsolvedImpact,
        compare_impacts,
        solve_impact,
    )
    from sympact.hybrid import (
        ConditionalDynamic,
        DiscreteTime,
        HybridSystem,
        MultiConditionalDynamic,
        Nested,
        Transition,
        When,
        product,
    )
    from sympact.integrate.history.event import Event, EventKind
    from sympact.integrate.measure.observers import Count, Integral, Maximum, Minimum
    from sympact.integrate.problem.crossing import Crossing, Stop
    from sympact.integrate.problem.status import Status
    from sympact.integrate.problem.stepper import Stepper
    from sympact.integrate.problem.warning import ImpactWarning, SympactWarning
    from sympact.integrate.result import Result, load
    from sympact.integrate.steppers.one_step import OneStep
    from sympact.integrate.steppers.own_runge_kutta import RungeKutta
    from sympact.mechanics import (
        Assembly,
        BallClosure,
        Capsule,
        Contact,
        ConvexPolygon,
        Cylinder,
        Disc,
        Equilibrium,
        Holonomic,
        HybridModel,
        Implicit,
        Interpolated,
        Latch,
        Limit,
        Linearization,
        LineClosure,
        NaturalMode,
        NoEquilibrium,
        Nonholonomic,
        PinClosure,
        Plane,
        RodClosure,
        SlideClosure,
        Sphere,
        String,
        WeldClosure,
        approach_speed,
        contacts_between,
        polygon_contacts,
    )
    from sympact.native.installation import about
    from sympact.show.animation.shapes import Ball, Box, Ground, Line, Polygon, Rod, Trace


def __getattr__(name: str) -> object:
    """Import a public name from its module on first use (PEP 562)."""
    from sympact.native.renamed import renamed_name

    name = renamed_name("sympact", name, _RENAMED) or name
    if name == "models":
        return import_module("sympact.models")
    home = _HOMES.get(name)
    if home is None:
        raise AttributeError(f"module 'sympact' has no attribute {name!r}; its public names are {', '.join(__all__)}")
    value = getattr(import_module(home), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
