"""Pictures: a run over time, the graph of a process."""

from sympact.show.network import draw_graph
from sympact.show.timeline import plot_result

__all__ = ["draw_graph", "plot_result"]
