"""A line that shows the progress of a run."""

from __future__ import annotations

from tqdm import tqdm

__all__ = ["Progress"]


class Progress(tqdm):
    """A bar on standard error: simulated time, events so far, simulated seconds per second, the time left.

    The rate is that of the last second or so; on the last line, that of the whole run. The time left is the rest of the
    span at this rate, as minutes and seconds.

    Parameters
    ----------
    t_start, t_end : float
        The first and the last time of the run (s).
    """

    def __init__(self, t_start: float, t_end: float):
        self._t_start, self._t_end, self._events = t_start, t_end, 0
        super().__init__(
            total=t_end - t_start,
            bar_format="{percentage:3.0f}% |{bar}| t = {t:.6g} of {t_end:.6g} s, {events}, {speed}, {remaining} left",
            dynamic_ncols=True,
            miniters=0,  # the interval between updates depends on the clock alone
        )

    def show(self, t: float, events: int) -> None:
        """The run is at the time `t` (s) and has had this many events."""
        self._events = events
        self.update(t - self._t_start - self.n)

    @property
    def format_dict(self) -> dict[str, object]:
        """The values in the line; tqdm requests them whenever it writes."""
        known = super().format_dict
        rate = known["rate"] or (known["n"] / known["elapsed"] if known["elapsed"] else None)
        known["t"], known["t_end"] = self._t_start + known["n"], self._t_end
        known["events"] = f"{self._events} event{'' if self._events == 1 else 's'}"
        known["speed"] = f"{rate:.3g} s per s" if rate else "? s per s"
        return known
