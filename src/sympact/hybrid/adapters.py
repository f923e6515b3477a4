"""Linked nodes: a stage that has its own events, transitions and successors.

The multi-stage framework's document describes a process by objects that refer to each other. These classes keep that
form and run as the equivalent `HybridSystem`.
"""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from sympact.hybrid.system import HybridSystem
from sympact.hybrid.transition import Transition
from sympact.integrate.problem.status import Status
from sympact.integrate.problem.warning import EndWarning, tell

__all__ = ["ConditionalDynamic", "MultiConditionalDynamic"]

Function = Callable[[float, np.ndarray], object]


class MultiConditionalDynamic:
    """A stage with several transitions.

    Parameters
    ----------
    dynamic : callable, optional
        ``dynamic(t, x)``: the flow x'.
    events : sequence of callables, optional
        ``event(t, x)``: each is negative inside the stage and fires when it reaches zero from below, as every boundary
        in sympact. Without events the stage is never left.
    transes : sequence of callables or None, optional
        ``trans(t, x)``: the state just after the event; None leaves the state unchanged, in place of the whole sequence
        at every event.
    nxts : sequence of nodes or None, optional
        The stage entered after each event; None is this stage itself, in place of the whole sequence for every event.

    Notes
    -----
    The four attributes may be set after construction, since nodes that refer to each other cannot all be built first.
    They are read when `run` or `system` is called.

    Examples
    --------
    >>> fall, floor, bounce = lambda t, x: [x[1], -10.0], lambda t, x: -x[0], lambda t, x: -0.5 * x
    >>> ball = MultiConditionalDynamic(fall, [floor], [bounce], [None])
    >>> t, x = ball.run([5.0, 0.0], (0, 1.5), t_density=2.5)
    >>> t.round(9).tolist()  # both sides of the impact at t = 1
    [0.0, 0.4, 0.8, 1.0, 1.0, 1.2, 1.5]
    """

    def __init__(
        self,
        dynamic: Function | None = None,
        events: Sequence[Function | None] | None = None,
        transes: Sequence[Function | None] | None = None,
        nxts: Sequence[MultiConditionalDynamic | None] | None = None,
    ):
        self.dynamic = dynamic
        self.events: Sequence[Function | None] | None = events
        self.transes = transes
        self.nxts = nxts

    def system(self) -> HybridSystem:
        """The process of all nodes that can be reached from this one, the stages named "0", "1", ... in the order of
        reading.

        Raises
        ------
        ValueError
            If a node has no flow, or not as many events as transitions and next nodes, or the process is not valid.
        """
        nodes = self._reachable()
        without = [str(k) for k, node in enumerate(nodes) if node.dynamic is None]
        if without:
            raise ValueError(
                f"the node {', '.join(without)} has no flow (counted from 0, the node that is run, as the links lead"
                " on); set its attribute dynamic to a function of (t, x) that returns x'"
            )
        names = {id(node): str(k) for k, node in enumerate(nodes)}
        return HybridSystem(
            {names[id(node)]: node.dynamic for node in nodes if node.dynamic is not None},
            [
                Transition(names[id(node)], names[id(target)], boundary=event, jump=trans)
                for node in nodes
                for event, trans, target in node._ways_out()
            ],
        )

    def run(
        self, x0: Sequence[float], t_span: tuple[float, float], t_density: float = 1000, **options
    ) -> list[np.ndarray]:
        """Start in this node and simulate the process.

        Parameters
        ----------
        x0 : array_like, shape (n_states,)
            The state at the start.
        t_span : (t0, t1)
            The time span (s).
        t_density : float
            Samples per unit of time: the samples are at t0, t0 + 1/t_density, ... and at the end, and every event adds
            the states on both of its sides.
        **options
            Further options of `HybridSystem.simulate`.

        Returns
        -------
        [t, x] : list
            The times, shape (n_samples,), and the states, shape (n_states, n_samples).

        Warns
        -----
        EndWarning
            If the run ends before t1; the samples end where the run does.
        """
        if not (math.isfinite(t_density) and t_density > 0):
            raise ValueError(f"t_density is {t_density!r}; give the number of samples per unit of time, above 0")
        result = self.system().simulate(t_span, x0, start="0", **options)
        if result.status is not Status.FINISHED:
            tell(EndWarning(result.message, result.status.name))
        first, last = result.t_span
        grid = first + np.arange(math.ceil((last - first) * t_density)) / t_density
        at_events = np.unique(result.events.t)
        between = np.setdiff1d(np.append(grid, last), at_events)
        t = np.concatenate([between, at_events, at_events])
        x = np.hstack([result(between), result(at_events, side="left"), result(at_events)])
        order = np.argsort(t, kind="stable")
        return [t[order], x[:, order]]

    def _reachable(self) -> list[MultiConditionalDynamic]:
        found = {id(self): self}
        waiting = deque([self])
        while waiting:
            for _, _, target in waiting.popleft()._ways_out():
                if id(target) not in found:
                    found[id(target)] = target
                    waiting.append(target)
        return list(found.values())

    def _ways_out(self) -> list[tuple[Function, Function | None, MultiConditionalDynamic]]:
        events: list[Any] = [] if self.events is None else list(self.events)
        transes = [None] * len(events) if self.transes is None else list(self.transes)
        nxts = [None] * len(events) if self.nxts is None else list(self.nxts)
        if not len(events) == len(transes) == len(nxts):
            raise ValueError(
                f"a node has {len(events)} events, {len(transes)} transitions and {len(nxts)} next"
                " nodes; give one transition (or None) and one next node (or None) for each event"
            )
        return list(zip(events, transes, [self if node is None else node for node in nxts], strict=True))


class ConditionalDynamic(MultiConditionalDynamic):
    """A stage with one transition; without a next node it leads back to itself.

    Parameters
    ----------
    dynamic : callable, optional
        ``dynamic(t, x)``: the flow x'.
    event : callable, optional
        ``event(t, x)``: negative inside the stage, fires when it reaches zero from below; without one the stage is
        never left.
    trans : callable, optional
        ``trans(t, x)``: the state just after the event; None leaves the state unchanged.
    nxt : node, optional
        The stage entered after the event; None is this stage itself.

    Notes
    -----
    The attributes `dynamic`, `event`, `trans` and `nxt` may be set after construction.

    Examples
    --------
    >>> ball = ConditionalDynamic(lambda t, x: [x[1], -10.0], lambda t, x: -x[0], lambda t, x: -0.5 * x)
    >>> t, x = ball.run([5.0, 0.0], (0, 1.25), t_density=100)
    >>> x[:, -1].round(9).tolist()
    [0.9375, 2.5]
    """

    def __init__(
        self,
        dynamic: Function | None = None,
        event: Function | None = None,
        trans: Function | None = None,
        nxt: MultiConditionalDynamic | None = None,
    ):
        super().__init__(dynamic, [event], [trans], [nxt])

    @property
    def event(self) -> Function | None:
        """The event of the stage; None where it is never left."""
        return self.events[0] if self.events else None

    @event.setter
    def event(self, function: Function | None) -> None:
        self.events = [function]

    @property
    def trans(self) -> Function | None:
        """The state just after the event; None leaves the state unchanged."""
        return self.transes[0] if self.transes else None

    @trans.setter
    def trans(self, function: Function | None) -> None:
        self.transes = [function]

    @property
    def nxt(self) -> MultiConditionalDynamic | None:
        """The stage entered after the event; None is this stage itself."""
        return self.nxts[0] if self.nxts else None

    @nxt.setter
    def nxt(self, node: MultiConditionalDynamic | None) -> None:
        self.nxts = [node]

    def _ways_out(self) -> list[tuple[Function, Function | None, MultiConditionalDynamic]]:
        left = any(part is not None for part in (self.event, self.trans, self.nxt))
        return super()._ways_out() if left else []
