"""Many runs of one model: ensembles, their statistics, sweeps, periodic orbits, parameters from measurements."""

from sympact.analysis.ensemble_result import Ensemble
from sympact.analysis.ensembles import ensemble
from sympact.analysis.fits import Fit, fit
from sympact.analysis.intervals import Estimate, bootstrapped, mean_of, share_of
from sympact.analysis.measured import ImpactTimes, Track
from sympact.analysis.sweeps import (
    Basins,
    BifurcationDiagram,
    PeriodicOrbit,
    ReturnMap,
    Strobe,
    basins,
    bifurcation_diagram,
    find_orbit,
    return_map,
)
from sympact.native.sentences.refused_calls import explain_public

__all__ = [
    "Basins",
    "BifurcationDiagram",
    "Ensemble",
    "Estimate",
    "Fit",
    "ImpactTimes",
    "PeriodicOrbit",
    "ReturnMap",
    "Strobe",
    "Track",
    "basins",
    "bifurcation_diagram",
    "bootstrapped",
    "ensemble",
    "find_orbit",
    "fit",
    "mean_of",
    "return_map",
    "share_of",
]

explain_public(globals())
