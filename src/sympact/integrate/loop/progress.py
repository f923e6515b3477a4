"""A line that tells how far a run is."""

from __future__ import annotations

from tqdm import tqdm

__all__ = ["Progress"]


class Progress(tqdm):
    """A bar on the standard error: simulated time, events so far, simulated seconds per second, the time left.

    The rate is that of the last second or so; on the last line, that of the whole run. The time left is what the rest
    takes at this rate, written as minutes and seconds.

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
            miniters=0,  # how often the line is written hangs on the clock alone
        )

    def show(self, t: float, events: int) -> None:
        """The run has come to the time `t` (s) and has met so many events."""
        self._events = events
        self.update(t - self._t_start - self.n)

    @property
    def format_dict(self) -> dict[str, object]:
        """What may stand in the line; tqdm asks for it whenever it writes."""
        known = super().format_dict
        rate = known["rate"] or (known["n"] / known["elapsed"] if known["elapsed"] else None)
        known["t"], known["t_end"] = self._t_start + known["n"], self._t_end
        known["events"] = f"{self._events} event{'' if self._events == 1 else 's'}"
        known["speed"] = f"{rate:.3g} s per s" if rate else "? s per s"
        return known
