"""Many runs of one model: ensembles and their statistics."""

from sympact.analysis.ensemble_result import Ensemble
from sympact.analysis.ensembles import ensemble
from sympact.analysis.intervals import Estimate, bootstrapped, mean_of, share_of

__all__ = ["Ensemble", "Estimate", "bootstrapped", "ensemble", "mean_of", "share_of"]
