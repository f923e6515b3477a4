"""sympact: from a SymPy mechanics model with contacts to an exact, fast, event-driven simulation.

The public names are imported on first use, so that ``import sympact`` is fast and plain processes (`HybridSystem`) run
without SymPy.

>>> import sympact
>>> sympact.Status.__name__
'Status'
"""

from __future__ import annotations

import sys
from importlib import import_module
from typing import TYPE_CHECKING

from sympact.moved import MovedModules
from sympact.on_request import register
from sympact.version import __version__

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
    "Environment": "sympact.mechanics.simulate.environment",
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
    "NormalForce": "sympact.mechanics",
    "PinClosure": "sympact.mechanics",
    "Plane": "sympact.mechanics",
    "Reaction": "sympact.mechanics",
    "RodClosure": "sympact.mechanics",
    "Sampled": "sympact.mechanics",
    "SlideClosure": "sympact.mechanics",
    "Sphere": "sympact.mechanics",
    "String": "sympact.mechanics",
    "WeldClosure": "sympact.mechanics",
    "approach_speed": "sympact.mechanics",
    "contacts_between": "sympact.mechanics",
    "polygon_contacts": "sympact.mechanics",
    "slip_speed": "sympact.mechanics",
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
    "Basins": "sympact.analysis",
    "BifurcationDiagram": "sympact.analysis",
    "PeriodicOrbit": "sympact.analysis",
    "ReturnMap": "sympact.analysis",
    "Strobe": "sympact.analysis",
    "basins": "sympact.analysis",
    "bifurcation_diagram": "sympact.analysis",
    "ensemble": "sympact.analysis",
    "find_orbit": "sympact.analysis",
    "return_map": "sympact.analysis",
    "fit": "sympact.analysis",
    "When": "sympact.hybrid",
    "Crossing": "sympact.integrate.problem.crossing",
    "Stop": "sympact.integrate.problem.crossing",
    "Event": "sympact.integrate.history.event",
    "EventKind": "sympact.integrate.history.event",
    "SavedRun": "sympact.integrate.stepped_run",
    "SteppedRun": "sympact.integrate.stepped_run",
    "Stepper": "sympact.integrate.problem.stepper",
    "OneStep": "sympact.integrate.steppers.one_step",
    "Result": "sympact.integrate.result",
    "RungeKutta": "sympact.integrate.steppers.own_runge_kutta",
    "Status": "sympact.integrate.problem.status",
    "SympactWarning": "sympact.integrate.problem.warning",
    "about": "sympact.native.installation",
    "load": "sympact.integrate.result",
}

sys.meta_path.append(MovedModules())
register(
    {
        "animate_result": "sympact.show.animation.animation",
        "draw_graph": "sympact.show",
        "draw_modes": "sympact.show",
        "draw_snapshots": "sympact.show.snapshots.strip",
        "ensemble_dataset": "sympact.analysis.ensemble_tables",
        "events_table": "sympact.analysis.ensemble_tables",
        "opened": "sympact.analysis.scheduled_runs",
        "plot_bands": "sympact.show",
        "plot_basins": "sympact.show",
        "plot_bifurcations": "sympact.show",
        "plot_energy": "sympact.show",
        "plot_histogram": "sympact.show",
        "plot_orbit": "sympact.show",
        "plot_result": "sympact.show",
        "plot_returns": "sympact.show",
        "plot_shares": "sympact.show",
        "product": "sympact.hybrid.products",
        "runs_table": "sympact.analysis.ensemble_tables",
        "simulate_compiled": "sympact.mechanics.simulate.simulate_compiled",
        "shapes_of": "sympact.show.animation.shapes",
        "unit_ir": "sympact.native.lowering.unit_ir",
        "write_report": "sympact.show",
    }
)

__all__ = [
    "Assembly",
    "Ball",
    "BallClosure",
    "Basins",
    "Baumgarte",
    "BifurcationDiagram",
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
    "Environment",
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
    "NormalForce",
    "NullSpace",
    "OneStep",
    "Overdetermined",
    "Partitioning",
    "PeriodicOrbit",
    "PinClosure",
    "Plane",
    "Plastic",
    "Poisson",
    "Polygon",
    "Projection",
    "Reaction",
    "Result",
    "ReturnMap",
    "Rod",
    "RodClosure",
    "RungeKutta",
    "Sampled",
    "SavedRun",
    "Sequential",
    "Simultaneous",
    "SlideClosure",
    "Sphere",
    "Status",
    "SteppedRun",
    "Stepper",
    "Stop",
    "String",
    "Strobe",
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
    "basins",
    "bifurcation_diagram",
    "compare_impacts",
    "contacts_between",
    "ensemble",
    "find_orbit",
    "fit",
    "load",
    "models",
    "polygon_contacts",
    "product",
    "return_map",
    "slip_speed",
    "solve_impact",
]

_RENAMED = {"Method": "Stepper", "OwnLaw": "CustomLaw"}

if TYPE_CHECKING:
    from sympact import models
    from sympact.analysis import (
        Basins,
        BifurcationDiagram,
        Ensemble,
        Estimate,
        Fit,
        ImpactTimes,
        PeriodicOrbit,
        ReturnMap,
        Strobe,
        Track,
        basins,
        bifurcation_diagram,
        ensemble,
        find_orbit,
        fit,
        return_map,
    )
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
    from sympact.integrate.stepped_run import SavedRun, SteppedRun
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
        NormalForce,
        PinClosure,
        Plane,
        Reaction,
        RodClosure,
        SlideClosure,
        Sphere,
        String,
        WeldClosure,
        approach_speed,
        contacts_between,
        polygon_contacts,
        slip_speed,
    )
    from sympact.mechanics.simulate.environment import Environment
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
        from sympact.native.sentences.refused_calls import unknown_name

        raise unknown_name("sympact", name, __all__)
    value = getattr(import_module(home), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
