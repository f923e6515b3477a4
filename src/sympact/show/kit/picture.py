"""The figure of every picture of the package: matplotlib's own, which notebooks show."""

from __future__ import annotations

from io import BytesIO

from matplotlib.figure import Figure

__all__ = ["Picture"]

_FINENESS = 2
"""Pixels of the PNG for one of the figure, so that it is sharp on screens of high resolution."""


class Picture(Figure):
    """A matplotlib figure that a notebook shows as the value of a cell.

    Notebooks show figures of matplotlib once pyplot has been set up, ``%matplotlib inline``; this one always. Where
    that was done, its format is used.

    Examples
    --------
    >>> picture = Picture(figsize=(4.0, 3.0), dpi=100)
    >>> data, shown = picture._repr_png_()
    >>> data[:8], shown
    (b'\\x89PNG\\r\\n\\x1a\\n', {'width': 400, 'height': 300})
    """

    def _repr_png_(self) -> tuple[bytes, dict[str, int]]:
        """The figure as a PNG, and the pixels of a page that it covers."""
        file = BytesIO()
        self.savefig(file, format="png", dpi=_FINENESS * self.dpi)
        data = file.getvalue()
        width, height = (int.from_bytes(data[place : place + 4], "big") for place in (16, 20))  # of the header
        return data, {"width": width // _FINENESS, "height": height // _FINENESS}
