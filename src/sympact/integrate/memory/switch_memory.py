"""The memory of the switches of a stage, of series of numbers that change at given times, and of sampled laws."""

from sympact.native.memory import Address, Memory, Part, Reals, Size, Whole, Wholes

__all__ = ["LawMemory", "ScheduleMemory", "SeriesMemory", "SwitchMemory"]


class SwitchMemory(Memory):
    """The switches of one stage: numbers +1.0 or -1.0 that select the branches of conditions in its flow."""

    n_states = Size("states")
    first = Size("boundaries of the stage before those of its switches")
    count = Size("switches")
    flow = Address("the flow")
    flow_data = Address("its data")
    boundary = Address("the boundary functions")
    boundary_data = Address("their data")
    values = Reals(count, meaning="the switches themselves, a part of the parameters", when="parameters")
    rates = Reals(n_states, meaning="rates of a state")
    gaps = Reals(3 * (first + count), meaning="boundaries and both derivatives")
    margin = Part(gaps, first, count, meaning="the margins")
    margin_rate = Part(gaps, first + count + first, count, meaning="their rates")
    margin_acceleration = Part(gaps, 2 * (first + count) + first, count, meaning="their second derivatives")
    least_rate = Reals(count, meaning="what of these rates counts as none")
    least_acceleration = Reals(count, meaning="what of these second derivatives counts as none")
    largest = Reals(count, meaning="the largest margins so far")
    before = Reals(count, meaning="the switches before the event")
    several = Whole("1: several fired")
    turned = Reals(count, meaning="1.0 where a switch at zero was set by the rate of its margin")

    activates = Whole("1: contacts of the stage are active at one sign of a switch alone")

    n_watches = Size("conditions of the user's own: the last switches, on which no flow depends")
    n_forces = Whole("of these that are functions of contact forces, which an event changes")
    forces_held = Whole("1: the forces are unknown, while an event determines which contacts are closed")
    waiting = Wholes(
        n_watches, meaning="1: zero, the motion after the event decides its side; 2: its jump was idle, too"
    )
    along_closed = Whole("1: margins are measured along `closed_flow`")
    closed_flow = Address("the motion with closed contacts")
    closed_data = Address("its data")
    sense = Wholes(n_watches, meaning="+1 or -1: the direction in which a crossing counts, 0: both")
    ending = Wholes(n_watches, meaning="the crossings until the one that ends the run, 0: none does")
    noticed = Reals(n_watches, meaning="its sign after the last event")
    crossed = Wholes(n_watches, meaning="1: crossed at this event in a direction that counts")
    jump_of = Wholes(n_watches, meaning="the jump that it causes, -1: none")
    n_jumps = Size("jumps of the user's own, in the order in which they are applied")
    jumps = Wholes(n_jumps, meaning="addresses of void(double t, const double *x, const double *p, double *x_plus)")
    turn = Wholes(n_jumps, meaning="BEFORE, AFTER or INSTEAD of the impact of the same event, see `run_codes`")
    at_accumulation = Whole("the condition that counts as met where events accumulate, -1: none")
    due = Wholes(n_jumps, meaning="1: to be applied at this event")
    latch = Wholes(n_jumps, meaning="the state of the latch that it closes or opens, -1: none")
    closes = Wholes(n_jumps, meaning="1: it closes the latch, 0: it opens it")
    idle = Wholes(n_jumps, meaning="1: the latch is so already, so that its conditions are no events")
    parameters = Address("p of the jumps")
    state_after = Reals(n_states, meaning="the state after a jump")


class ScheduleMemory(Memory):
    """What happens at the times of a schedule; the memory of its series follows, one after the other, then that of its
    laws."""

    n_states = Size("states")
    switches = Address("the switches of the run, or 0")
    n_series = Whole("series, with those that laws write")
    n_laws = Whole("laws")


class SeriesMemory(Memory):
    """Numbers that change at given times."""

    length = Size("rows")
    width = Size("numbers of a row")
    starts = Reals(length, meaning="the start of validity of each row, increasing", unit="s", when="series")
    rows = Reals(length, width, meaning="the numbers", when="series")
    present = Whole("the row that was written last")
    target = Reals(width, meaning="the index of a row in the parameters", when="parameters")


class LawMemory(Memory):
    """A law that is evaluated at given times; each of its numbers becomes a row of a series of width 1."""

    length = Size("times")
    width = Size("numbers that it returns")
    times = Reals(length, meaning="when it is evaluated, increasing", unit="s", when="law")
    values = Reals(width, meaning="what it has returned", when="law")
    law = Address("of the form of a flow: the law")
    parameters = Address("its data: the parameters")
    present = Whole("the last of them")
    first = Whole("the index of the first of its series: row k + 1 of them has the values of time k")
