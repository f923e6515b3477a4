"""What the tests of pictures read from a figure."""

from __future__ import annotations

from itertools import combinations
from unittest.mock import patch

from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.text import Text


def panels(figure: Figure) -> dict:
    """The panels of states by their labels."""
    return {axes.get_ylabel(): axes for axes in figure.axes if axes.get_ylabel()}


def overlapping_texts(figure: Figure) -> list[tuple[str, str]]:
    """Pairs of texts whose boxes share an area, of all that are drawn."""
    with patch.object(Text, "draw", autospec=True) as draw:
        FigureCanvasAgg(figure).draw()
    texts = dict.fromkeys(call.args[0] for call in draw.call_args_list if call.args[0].get_visible())
    boxes = [(text.get_text(), text.get_window_extent().shrunk(0.98, 0.98)) for text in texts if text.get_text()]
    return [(a, b) for (a, box_a), (b, box_b) in combinations(boxes, 2) if box_a.overlaps(box_b)]


def cut_off(figure: Figure) -> list[str]:
    """Texts that reach beyond the page."""
    FigureCanvasAgg(figure).draw()
    page = figure.bbox.padded(0.5)
    texts = [text for text in figure.findobj(Text) if text.get_text() and text.get_visible()]
    corners = [(text.get_text(), text.get_window_extent()) for text in texts if text.axes and not text.axes.axison]
    return [name for name, box in corners if not (page.contains(*box.min) and page.contains(*box.max))]
