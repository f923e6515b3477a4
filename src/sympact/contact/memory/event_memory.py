"""The memory of one event on its way, which its phases share; an event of a result is that of `integrate/history`."""

from sympact.native.memory import Address, Memory, Real, Whole

__all__ = ["Event"]


class Event(Memory):
    """An event on its way through the phases of `transition_kernel`; every field is written where it begins."""

    t = Real("its time", unit="s")
    x = Address("the state, which the phases change")
    fired = Address("which boundaries take part")
    gaps = Address("g, g', g'' of the boundaries")
    record = Address("the report, see `run_codes`")
    pushes = Address("the friction impulses in the report, 3 a contact")
    n_pushes = Whole("their number, 0 without friction")
    answer = Whole("SOLVED on the way; at the end the stage entered, or a negative code")

    branched = Whole("conditions in the equations that changed their branch")
    met = Whole("conditions of the user's own that were crossed")
    driven = Whole("1: the prescribed speeds of constraints jumped")
    jumped = Whole("1: a jump of the user's own was applied")
    instead = Whole("1: such a jump takes the place of the impact")
    latched = Whole("1: latches that closed in the last of these jumps changed the speeds")
    ever_latched = Whole("1: those of any of them did")
    released = Whole("1: the force of a closed contact fired")
    was_at_rest = Whole("1: all was at rest before")
    at_rest = Whole("1: all is at rest after")
    hit = Whole("1: an open participant approaches, so that there is an impact")
    rebounding = Whole("1: `rebound_acceleration` has the gap accelerations of rebounds that end")
    moved = Whole("1: an impact changed a speed")
    accounted = Whole("1: `impulse_momentum` has its impulses, by the branches of the gaps in which they occurred")
    changed = Whole("1: a contact changed its status")
    ahead = Real("the time after it at which modes are selected, where a force has released a contact", unit="s")
