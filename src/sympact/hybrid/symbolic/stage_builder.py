"""The stages of a process in memory: addresses of functions and callbacks, switches, clocks, stages that slide."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import sympy as sm

from sympact.hybrid.edges.clocks import Period, StageClocks
from sympact.hybrid.edges.process_table import Code, Edge, Gaps, Switches, link_sliding, stage
from sympact.hybrid.edges.stage_memories import StageMemories
from sympact.hybrid.plain_functions import CFunction, called_at
from sympact.hybrid.symbolic.definition import Clock, StageDefinition, is_function
from sympact.hybrid.symbolic.functions import Read, StageCode
from sympact.hybrid.symbolic.plain_parts import checked, joined, placed, seeing
from sympact.hybrid.symbolic.process_symbols import Inputs
from sympact.hybrid.transition import Exit
from sympact.integrate.problem.callback import Faults, python_boundaries, python_flow, python_jump
from sympact.integrate.problem.program import Program
from sympact.integrate.problem.stage import Stage
from sympact.integrate.search.proof import Proof
from sympact.integrate.search.switch_table import SwitchData
from sympact.native import Code as MachineCode
from sympact.native.addresses import address_of

__all__ = ["StageBuilder"]


class StageBuilder:
    """Makes the stages of a process in memory.

    Attributes
    ----------
    p : array
        The parameters, the numbers of instants of the clocks, the switches.
    """

    def __init__(
        self,
        code: MachineCode,
        stages: Sequence[StageDefinition],
        leaving: Mapping[str, list[Exit]],
        read: Read,
        inputs: Inputs,
        clocks: Sequence[Clock],
    ) -> None:
        self._code, self._stages, self._read, self._inputs = code, stages, read, inputs
        self._n = len(inputs.states)
        self._place = {state: i for i, state in enumerate(inputs.states)}
        self._leaving = leaving
        switches = sum(len(one.switch_names) for one in read.stages)
        self._counters, self._first_switch = len(inputs.parameters), len(inputs.parameters) + len(clocks)
        p = np.concatenate([np.zeros(self._first_switch), np.ones(switches)])
        self.p = p = p if p.size else np.zeros(1)
        self._owner: list[object] = [code, p]
        self._faults = Faults()
        self._calls_python, self._proofs = False, list[Proof]()
        self._periods = {id(clock.time): self._period(k, clock) for k, clock in enumerate(clocks)}

    def memory(self, names: tuple[str, ...]) -> StageMemories:
        """The program with its switches and clocks."""
        plans = [*enumerate(self._read.stages)]
        for index, variants in enumerate(self._read.sliding):
            plans += [(index, variant) for variant in variants]
        flows = [self._flow(self._stages[index], code) for index, code in plans]
        gaps = [self._gaps(*plan) for plan in plans]
        switches = self._switches(plans, flows, gaps)
        ticks = self._ticks([index for index, _ in plans], switches)
        made = [
            self._stage(number, *plan, flows[number], gaps[number], switches, ticks)
            for number, plan in enumerate(plans)
        ]
        if len(plans) > len(self._stages):
            self._owner += link_sliding([(i, code.slides) for i, code in plans], made)
        program = Program(
            tuple(made),
            names,
            self._faults if self._calls_python else None,
            calls_python=self._calls_python,
            memories=tuple(one.clock for one in ticks if one.clock is not None),
        )
        by_rates = [code.derivatives for _, code in plans]
        return StageMemories(program, self.p, switches, by_rates, ticks if self._periods else (), self._proofs)

    def _stage(
        self,
        number: int,
        index: int,
        code: StageCode,
        flow: Code,
        gaps: Gaps | None,
        switches: Sequence[Switches | None],
        ticks: Sequence[StageClocks],
    ) -> Stage:
        """The stage with this number in the program: a stage of the process, or one that slides."""
        given, leaving = self._stages[index], self._leaving[self._stages[index].name]
        edges = [self._edge(leave, given, gaps, switches, ticks[index], ticks) for leave in leaving]
        present = tuple(self._places(given.states))
        ends = [code.switch_names[i][0] for i in code.slides]
        made = stage(
            number,
            given.name,
            self._n,
            flow,
            edges,
            self._owner,
            gaps,
            switches[number],
            project=self._code.address(f"project_{code.suffix}") if code.slides else 0,
            ends=ends,
            present=() if len(present) == self._n else present,
            clock=ticks[number].place,
            ticks=ticks[number].address,
        )
        return self._proven(made, code)

    def _flow(self, given: StageDefinition, code: StageCode) -> Code:
        """The compiled flow, a cfunc of all states, or a callback that calls the functions of the pieces."""
        if not given.functions:
            return self._compiled(f"flow_{code.suffix}")
        (first, *more), label = given.functions, f"the flow of stage {given.name!r}"
        if not more and len(given.pieces) == 1 and isinstance(first[1], CFunction):
            return self._address_of(first[1])
        written = None
        if given.rates:
            written = called_at(self._code.address(f"flow_{code.suffix}"), self._n, self.p)
        parts = [placed(function, self._places(states), label) for states, function in given.functions]
        return self._callback(python_flow, joined(self._n, written, parts), label)

    def _gaps(self, index: int, code: StageCode) -> Gaps | None:
        """The function of all gaps, and of events; None where each boundary is called by its own address."""
        given, leaving = self._stages[index], self._leaving[self._stages[index].name]
        if code.derivatives:
            bounded = leaving or code.switch_names
            return Gaps(self._compiled(f"gaps_{code.suffix}"), derivatives=True) if bounded else None
        plain = [leave.transition.boundary for leave in leaving]
        in_machine_code = all(not is_function(boundary) or isinstance(boundary, CFunction) for boundary in plain)
        if in_machine_code and not code.watches:
            return None
        places = self._places(given.states)
        functions, labels = [], []
        for leave in leaving:
            boundary = leave.transition.boundary
            if is_function(boundary) and not isinstance(boundary, CFunction):
                functions.append(seeing(boundary, places))
            else:
                functions.append(called_at(self._boundary(leave).address, 1, self.p))
            labels.append(f"the boundary of transition {leave.name!r} of stage {given.name!r}")
        for number, (name, _) in enumerate(code.switch_names):
            functions.append(called_at(self._code.address(f"event_{code.suffix}_{number}"), 1, self.p))
            labels.append(f"the event {name!r}")
        callback = python_boundaries(functions, self._n, self._faults, labels, self._signs(index))
        self._owner.append(callback)
        self._calls_python = True
        return Gaps(Code(callback.address))

    def _edge(
        self,
        leave: Exit,
        given: StageDefinition,
        gaps: Gaps | None,
        switches: Sequence[Switches | None],
        before: StageClocks,
        ticks: Sequence[StageClocks],
    ) -> Edge:
        entered, clocks = switches[leave.target], ticks[leave.target]
        restarts = 0
        if clocks.address:
            marks = clocks.restarted_from(before)
            self._owner.append(marks)
            restarts = address_of(marks, "the restarts of clocks")
        return Edge(
            leave.name,
            leave.target,
            boundary=Code() if gaps else self._boundary(leave),
            jump=self._jump(leave, given),
            switches=0 if entered is None else entered.data.address,
            ticks=clocks.address,
            restarts=restarts,
        )

    def _boundary(self, leave: Exit) -> Code:
        """The boundary of a transition by its own address."""
        boundary = leave.transition.boundary
        if isinstance(boundary, CFunction):
            return self._address_of(boundary)
        return self._compiled(f"boundary_{leave.number}")

    def _jump(self, leave: Exit, given: StageDefinition) -> Code:
        jump = leave.transition.jump
        if jump is None:
            return Code()
        if not is_function(jump):
            return self._compiled(f"jump_{leave.number}")
        if isinstance(jump, CFunction):
            return self._address_of(jump)
        label = f"the jump of transition {leave.name!r} of stage {given.name!r}"
        before, after = self._places(given.states), self._places(self._stages[leave.target].states)
        return self._callback(python_jump, joined(self._n, None, [placed(jump, before, label, after)]), label)

    def _period(self, number: int, clock: Clock) -> Period:
        every, counter = clock.time.every, self.p[self._counters + number :]
        if isinstance(every, sm.Expr):
            every = self._inputs.number(every)
        address = counter.ctypes.data
        if clock.updates is not None:
            return Period(every, clock.time.phase, self._compiled(f"update_{number}"), address)
        places = self._places(clock.states)
        label = f"the update of {', '.join(map(str, clock.states))}"
        update = clock.time.update

        def updated(t: float, x: np.ndarray) -> np.ndarray:
            x[places] = checked(update(x[places], int(counter[0])), len(places), label)
            return x

        return Period(every, clock.time.phase, self._callback(python_jump, updated, label), address)

    def _signs(self, index: int) -> np.ndarray:
        """The switches of a stage in p, of which they are the last entries."""
        counts = [len(code.switch_names) for code in self._read.stages]
        first = self._first_switch + sum(counts[:index])
        return self.p[first : first + counts[index]]

    def _switches(
        self, plans: Sequence[tuple[int, StageCode]], flows: Sequence[Code], gaps: Sequence[Gaps | None]
    ) -> list[Switches | None]:
        """The switches of each stage, None where it has none; events are noticed in one memory for all stages."""
        found: list[Switches | None] = []
        for (index, code), flow, boundaries in zip(plans, flows, gaps, strict=True):
            if not code.switch_names or boundaries is None:
                found.append(None)
                continue
            before = len(self._leaving[self._stages[index].name]) + len(code.slides)
            made = SwitchData(
                self._n,
                before,
                self._signs(index),
                flow=(flow.address, flow.data),
                boundary=(boundaries.code.address, boundaries.code.data),
                watches=[(sense, ends, -1) for sense, ends in code.watches],
            )
            found.append(Switches(made, code.switch_names))
        SwitchData.share([one.data for one in found if one is not None and one.data.watches])
        self._owner.append(found)
        return found

    def _ticks(self, indices: Sequence[int], switches: Sequence[Switches | None]) -> list[StageClocks]:
        """The clocks of each stage of the program."""
        found = []
        for index, of_stage in zip(indices, switches, strict=True):
            periods = [self._periods[id(clock.time)] for clock in self._stages[index].clocks]
            found.append(StageClocks(periods, self._n, 0 if of_stage is None else of_stage.data.address))
        self._owner.append(found)
        return found

    def _proven(self, made: Stage, code: StageCode) -> Stage:
        """The stage with the proofs of its boundaries, where they may need any."""
        if code.proofs is None:
            return made
        running = {function.name: self._code.address(function.name) for function in code.proofs.functions}
        proof = code.proofs.table(running, self.p.ctypes.data)
        if proof is None:
            return made
        self._proofs.append(proof)
        return replace(made, proof=proof.address, owner=(made.owner, proof))

    def _compiled(self, name: str) -> Code:
        return Code(self._code.address(name), self.p.ctypes.data)

    def _address_of(self, function: CFunction) -> Code:
        self._owner.append(function)
        return Code(function.address, self.p.ctypes.data)

    def _callback(self, wrap: Callable[..., Any], function: Callable, label: str) -> Code:
        callback = wrap(function, self._n, self._faults, label)
        self._owner.append(callback)
        self._calls_python = True
        return Code(callback.address)

    def _places(self, states: Sequence[sm.Expr]) -> list[int]:
        return [self._place[state] for state in states]
