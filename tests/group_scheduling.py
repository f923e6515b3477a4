"""Tests of one group stay in one worker of pytest-xdist."""

from __future__ import annotations

from distribution import Distribution
from xdist.scheduler import LoadScopeScheduling


class GroupScheduling(LoadScopeScheduling):
    """Groups by the names of tests, as recorded durations make them.

    Marks of groups do not: pytest-xdist 3.8 appends them to the names of tests, where pytest 9.2 takes no notice.
    """

    def __init__(self, config, log=None) -> None:
        super().__init__(config, log)
        self.distribution = Distribution.recorded()

    def _split_scope(self, nodeid: str) -> str:
        return self.distribution.group(nodeid)
