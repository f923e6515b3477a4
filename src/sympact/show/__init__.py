"""Pictures: a run over time, its energy, the graph of a process, the stages that a run met; and all on a page."""

from sympact.show.modes import draw_modes
from sympact.show.network import draw_graph
from sympact.show.report import write_report
from sympact.show.timeline import plot_energy, plot_result

__all__ = ["draw_graph", "draw_modes", "plot_energy", "plot_result", "write_report"]
