"""The memory of the instants at which states of a stage are updated."""

from sympact.native.memory import Address, Memory, Real

__all__ = ["ClockMemory"]


class ClockMemory(Memory):
    """The next instant of a stage."""

    due = Real("the next instant at which states are updated", unit="s")
    tick = Address("of the form of a flow: from the state just before the instant to the one just after")
    tick_data = Address("its data")
