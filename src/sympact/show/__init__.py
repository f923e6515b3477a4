"""Pictures: a run over time, its energy, the graph of a process, the stages of a run, and reports of all of them."""

from sympact.native.sentences.refused_calls import explain_public
from sympact.show.graphs.mode_drawing import draw_modes
from sympact.show.graphs.network import draw_graph
from sympact.show.plots.ensemble_plots import plot_bands, plot_histogram, plot_shares
from sympact.show.plots.sweep_plots import plot_basins, plot_bifurcations, plot_orbit, plot_returns
from sympact.show.plots.timeline import plot_energy, plot_result
from sympact.show.report.html_report import write_report

__all__ = [
    "draw_graph",
    "draw_modes",
    "plot_bands",
    "plot_basins",
    "plot_bifurcations",
    "plot_energy",
    "plot_histogram",
    "plot_orbit",
    "plot_result",
    "plot_returns",
    "plot_shares",
    "write_report",
]

explain_public(globals())
