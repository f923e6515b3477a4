"""The memory of a stage of a plain process: a head, then one table for each transition that leaves the stage."""

from sympact.native.memory import Address, Memory, Real, Reals, Size, Whole, Wholes

__all__ = ["EdgeMemory", "PeriodMemory", "ProcessMemory", "SlideMemory", "TickMemory"]


class ProcessMemory(Memory):
    """The head."""

    n_states = Size("states")
    n_transitions = Whole("transitions that leave the stage")
    stage = Whole("index of the stage")
    scratch = Reals(n_states, meaning="a state", when="scratch")
    switches = Address("the switches of the stage, 0 where it has none")
    n_leaves = Whole("conditions along which the stage slides; their boundaries follow those of the transitions")
    leaves = Address("a `SlideMemory` for each of them: the stage entered where the sliding ends")
    slides = Address("a `SlideMemory` for each switch: the stage that slides along its condition; 0: none does")
    ticks = Address("the `TickMemory` of the stage, 0 where no state is updated at instants")


class EdgeMemory(Memory):
    """A transition."""

    boundary = Address("its boundary function, 0 where the stage has one for all")
    boundary_data = Address("data of it")
    jump = Address("its jump, 0 for the identity")
    jump_data = Address("data of it")
    target = Whole("index of the stage entered")
    target_switches = Address("the switches of that stage, 0 where it has none")
    ticks = Address("the `TickMemory` of that stage, 0 where it has none")
    restarts = Address("of an int64 for each of its clocks: 1 where the clock begins with the transition")
    sliding = Address("the `ProcessMemory` of that stage where it may slide along a condition, else 0")


class SlideMemory(Memory):
    """A change between a stage and one that slides along one of its conditions."""

    target = Whole("index of the stage entered, -1 where the condition may not slide")
    head = Address("the `ProcessMemory` of that stage")
    place = Whole("which of the switches of the stage that does not slide it is")


class TickMemory(Memory):
    """The clocks of a stage."""

    n_states = Size("states")
    n_clocks = Size("clocks")
    clocks = Wholes(n_clocks, meaning="the addresses of their `PeriodMemory`")
    plan = Address("the `ClockMemory` of the stage")
    switches = Address("the switches of the stage, 0 where it has none")
    scratch = Reals(n_states, meaning="a state")


class PeriodMemory(Memory):
    """One clock: its instants are origin + period, origin + 2 period, ...; where it resumes the first is the origin."""

    period = Real("the period", unit="s")
    origin = Real("the origin", unit="s")
    count = Whole("instants so far")
    resumes = Whole("1: the origin is the same in the whole run; 0: it is the entry of the stage")
    counter = Address("of the number of instants before the present one, a double among the parameters; 0: not needed")
    update = Address("of the form of a flow: the state after an instant")
    update_data = Address("its data")
