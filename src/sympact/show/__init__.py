"""Pictures: a run over time, the graph of a process, the stages that a run met."""

from sympact.show.modes import draw_modes
from sympact.show.network import draw_graph
from sympact.show.timeline import plot_result

__all__ = ["draw_graph", "draw_modes", "plot_result"]
