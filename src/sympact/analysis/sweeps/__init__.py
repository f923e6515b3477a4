"""Sweeps: return maps, bifurcation diagrams, basins of attraction, and periodic orbits."""

from sympact.analysis.sweeps.basins import Basins, basins
from sympact.analysis.sweeps.bifurcations import BifurcationDiagram, bifurcation_diagram
from sympact.analysis.sweeps.orbits import PeriodicOrbit, find_orbit
from sympact.analysis.sweeps.returns import ReturnMap, return_map
from sympact.analysis.sweeps.section_states import Strobe

__all__ = [
    "Basins",
    "BifurcationDiagram",
    "PeriodicOrbit",
    "ReturnMap",
    "Strobe",
    "basins",
    "bifurcation_diagram",
    "find_orbit",
    "return_map",
]
