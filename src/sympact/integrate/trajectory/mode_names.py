"""The modes of a run: a stage of the program, with the statuses and switches that the run changed within it."""

from __future__ import annotations

import ctypes
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, field, replace
from typing import Any
from zlib import crc32

import numpy as np

from sympact.integrate.problem.program import Program
from sympact.integrate.problem.stage import Stage

__all__ = ["WORDS", "Lend", "ModeMemory", "Modes"]

Lend = Callable[[], AbstractContextManager[tuple[Program, Any]]]
"""Gives a program whose memory may be written until the context ends, and the memory of its contacts."""


@dataclass(frozen=True, eq=False)
class Modes:
    """The modes of a run, in the order of their first visits; its samples and events refer to them by number.

    Attributes
    ----------
    program : Program
    rows : array of int64, shape (k, width), or None
        For each mode the index of its stage, the statuses of its contacts, the signs of its switches. None where stages
        have neither: then the modes are the stages.
    lend : callable, optional
        Gives memory in which the program can be evaluated after the run; by default that of `program` itself.
    """

    program: Program
    rows: np.ndarray | None
    lend: Lend | None = None
    _lock: threading.Lock = field(default_factory=threading.Lock, repr=False)

    @property
    def table(self) -> np.ndarray:
        """`rows`; without them a row for each stage with its index alone."""
        return np.arange(len(self.program.stages))[:, np.newaxis] if self.rows is None else self.rows

    def stage(self, mode: int) -> int:
        """The index of the program's stage of a mode."""
        return mode if self.rows is None else int(self.rows[mode, 0])

    @contextmanager
    def memory(self) -> Iterator[ModeMemory]:
        """Memory in which the model's functions are evaluated in the modes of the run, for one thread at a time."""
        with self._lent() as (program, contacts), program.engine.in_force(), np.errstate(all="ignore"):
            yield ModeMemory(self, program, contacts)

    @contextmanager
    def _lent(self) -> Iterator[tuple[Program, Any]]:
        if self.lend is None:
            with self._lock:
                yield self.program, None
        else:
            with self.lend() as lent:
                yield lent

    def named(self) -> Program:
        """The program with a stage for each mode, so that results can refer to them by name."""
        if self.rows is None:
            return self.program
        stages = [_named(self.program.stages[row[0]], row[1:]) for row in self.rows.tolist()]
        return Program(tuple(stages), self.program.state_names, self.program.faults)


@dataclass(frozen=True)
class ModeMemory:
    """A program in memory of its own, brought into the modes of a run.

    Attributes
    ----------
    modes : Modes
    program : Program
        Its addresses are valid as long as the context of `Modes.memory`.
    contacts : ContactData or None
        The memory of the contacts of a model.
    """

    modes: Modes
    program: Program
    contacts: Any

    def go_to(self, t: float, before: bool = False) -> None:
        """Write the values of the schedule from a time on into the memory that the model's functions read.

        `before`: those just before that time.
        """
        if self.program.schedule is not None:
            self.program.schedule.restore(t, before)

    def restore(self, mode: int) -> int:
        """Write a mode into the memory that the model's functions read; returns the index of its stage."""
        index = self.modes.stage(mode)
        if self.modes.rows is not None:
            address, n = self.program.stages[index].statuses
            switches, m = self.program.stages[index].switches
            words = self.modes.rows[mode, 1:]
            ctypes.memmove(address, np.ascontiguousarray(words[:n]).ctypes.data, 8 * n)
            signs = np.where(words[n : n + m] == 1, 1.0, -1.0)
            ctypes.memmove(switches, signs.ctypes.data, 8 * m)
        return index


WORDS = ("", "", " sticks", " slips", " touches")  # by the status of a contact

_LONGEST = 160
"""Characters of the branches in the name of a mode: pairs of polygons have dozens of conditions, which nobody reads."""


def _named(stage: Stage, words: Sequence[int]) -> Stage:
    """The stage with the name of a mode."""
    name = _name(stage, words) if any(words) or stage.switch_names else stage.name
    return stage if name == stage.name else replace(stage, name=name)


def _name(stage: Stage, words: Sequence[int]) -> str:
    """The closed contacts, or the stage's own name where there are none; the branches of its conditions.

    Where these are many, their number, and a code that differs where a branch does.
    """
    n, m = stage.statuses[1], stage.switches[1]
    statuses, signs = words[:n], words[n : n + m]
    contacts = stage.boundary_names[: stage.contacts]
    closed = [name + WORDS[status] for name, status in zip(contacts, statuses, strict=False) if status != 0]
    name = ", ".join(closed) or stage.name
    if n > stage.contacts and statuses[stage.contacts] == 1:
        name += " (at rest)"
    of_flows = stage.switch_names[: len(stage.switch_names) - stage.watches]  # the user's own conditions are the last
    branches = [names[0 if sign else 1] for names, sign in zip(of_flows, signs, strict=False)]
    told = ", ".join(branches)
    if len(told) > _LONGEST:
        told = f"{len(branches)} conditions, {crc32(bytes(map(bool, signs[: len(branches)]))):08x}"
    return f"{name} [{told}]" if branches else name
