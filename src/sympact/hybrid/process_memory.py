"""The memory of a stage of a plain process: a head, then one table for each transition that leaves the stage."""

from sympact.native.memory import Address, Memory, Reals, Size, Whole

__all__ = ["EdgeMemory", "ProcessMemory"]


class ProcessMemory(Memory):
    """The head."""

    n_states = Size("states")
    n_transitions = Whole("transitions that leave the stage")
    stage = Whole("index of the stage")
    scratch = Reals(n_states, meaning="a state", when="scratch")
    switches = Address("the switches of the stage, 0 where it has none")


class EdgeMemory(Memory):
    """A transition."""

    boundary = Address("its boundary function, 0 where the stage has one for all")
    boundary_data = Address("data of it")
    jump = Address("its jump, 0 for the identity")
    jump_data = Address("data of it")
    target = Whole("index of the stage entered")
    target_switches = Address("the switches of that stage, 0 where it has none")
