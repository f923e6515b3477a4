"""Stages that are equal: the same flow, and the same transitions to equal stages."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Mapping, Sequence

from sympact.hybrid.transition import Transition

__all__ = ["stages_alike"]


def stages_alike(flows: Mapping[str, Hashable], transitions: Sequence[Transition]) -> tuple[tuple[str, ...], ...]:
    """The names of the stages in groups of equal ones.

    Groups are refined until the transitions of all stages of each lead to the same groups: the coarsest bisimulation.

    Parameters
    ----------
    flows : mapping of str to Hashable
        The flow of each stage, equal for equal ones.
    transitions : sequence of Transition

    Examples
    --------
    >>> there, back = (Transition(a, b, boundary=min) for a, b in (("one", "two"), ("two", "one")))
    >>> stages_alike({"one": max, "two": max}, [there, back])
    (('one', 'two'),)
    >>> stages_alike({"one": max, "two": max}, [there])
    (('one',), ('two',))
    """
    group = dict.fromkeys(flows, 0)
    while True:
        keys = {name: (group[name], flow, _exits(name, transitions, group)) for name, flow in flows.items()}
        numbers: dict[Hashable, int] = {}
        finer = {name: numbers.setdefault(key, len(numbers)) for name, key in keys.items()}
        if len(numbers) == len(set(group.values())):
            break
        group = finer
    together: dict[int, list[str]] = defaultdict(list)
    for name, number in group.items():
        together[number].append(name)
    return tuple(map(tuple, together.values()))


def _exits(name: str, transitions: Sequence[Transition], group: Mapping[str, int]) -> Hashable:
    """The transitions of a stage in their order, each with the group that it leads to."""
    leaving = (edge for edge in transitions if edge.source == name)
    return tuple((edge.boundary, edge.jump, group[edge.target]) for edge in leaving)
