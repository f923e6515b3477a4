"""A line that shows how many runs of an ensemble have ended."""

from __future__ import annotations

from tqdm import tqdm

__all__ = ["RunsProgress"]


class RunsProgress(tqdm):
    """A bar on standard error: runs that have ended, runs per second, and the time left at this rate.

    Parameters
    ----------
    runs : int
    """

    def __init__(self, runs: int):
        form = "{percentage:3.0f}% |{bar}| {n_fmt} of {total_fmt} runs, {rate_fmt}, {remaining} left"
        super().__init__(total=runs, unit=" runs", bar_format=form, dynamic_ncols=True, miniters=0)

    def show(self, ended: int) -> None:
        """So many runs have ended."""
        self.update(ended - self.n)
