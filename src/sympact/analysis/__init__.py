"""Many runs of one model: ensembles, their statistics, and parameters from measurements."""

from sympact.analysis.ensemble_result import Ensemble
from sympact.analysis.ensembles import ensemble
from sympact.analysis.fits import Fit, fit
from sympact.analysis.intervals import Estimate, bootstrapped, mean_of, share_of
from sympact.analysis.measured import ImpactTimes, Track

__all__ = [
    "Ensemble",
    "Estimate",
    "Fit",
    "ImpactTimes",
    "Track",
    "bootstrapped",
    "ensemble",
    "fit",
    "mean_of",
    "share_of",
]
