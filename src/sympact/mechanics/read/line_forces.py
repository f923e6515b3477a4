"""Forces along straight lines between points: springs, dampers and cables, with the lengths of their segments."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from sympy.physics.vector import Point

from sympact.graph import magnitude, reachable, root, root_of_square
from sympact.graph.algebra.linear import dot, minus
from sympact.graph.nodes.node import Node
from sympact.mechanics.kit.kinematics import Kinematics
from sympact.mechanics.kit.sampling import Sample
from sympact.mechanics.read.loads import Line

__all__ = ["line_forces", "line_lengths", "line_pulls"]


@dataclass(frozen=True, slots=True)
class _Passing:
    """A segment whose ends may pass each other.

    Attributes
    ----------
    place, slope : node
        A smooth node of which the length is the magnitude, and its rate.
    axis : three nodes, optional
        In N, where the segment is parallel to an axis of a frame; `place` is then the component along it.
    """

    place: Node
    slope: Node
    axis: list[Node] | None = None


@dataclass(frozen=True, slots=True)
class _Part:
    """A straight segment of a line of action: the vector along it and its rate in N, and its length."""

    away: list[Node]
    rate: list[Node]
    length: Node
    passing: _Passing | None = None


def line_lengths(kinematics: Kinematics, lines: Iterable[Line]) -> list[Node]:
    """The lengths of all segments of lines (m)."""
    return [part.length for line in lines for part in _parts(kinematics, line)]


def line_pulls(kinematics: Kinematics, line: Line) -> list[tuple[list[Node], list[Node]]]:
    """For each segment a velocity and a force whose product is its power: relative ones of its ends, or along it.

    Where the ends of a segment may pass each other both are finite and smooth up to there: the force times the sign of
    `_Passing.place`, and the rate of that.
    """
    graph, parts = kinematics.graph, _parts(kinematics, line)
    length = graph.sum(part.length for part in parts)
    if len(parts) == 1 and parts[0].passing is not None:
        return [_passing_pull(kinematics, line, parts[0], parts[0].passing)]
    rate = graph.sum(_rate(kinematics, part) for part in parts)
    pulls = []
    for part in parts:
        passing = _that_passes(kinematics, part)
        if passing is not None:
            force = line.law.density(graph, kinematics.read, length, rate, graph.one)
            pulls.append(([passing.slope], [graph.mul(force, graph.call("sign", passing.place))]))
            continue
        density = line.law.density(graph, kinematics.read, length, rate, part.length)
        pulls.append((part.rate, [graph.mul(density, node) for node in part.away]))
    return pulls


def line_forces(kinematics: Kinematics, line: Line) -> list[list[Node]]:
    """For each segment the force on its second end, components in N; without a value at length zero."""
    graph, parts = kinematics.graph, _parts(kinematics, line)
    length = graph.sum(part.length for part in parts)
    passing = parts[0].passing
    if len(parts) == 1 and passing is not None and passing.axis is not None:
        return [_passing_pull(kinematics, line, parts[0], passing)[1]]
    rate, forces = graph.sum(_rate(kinematics, part) for part in parts), []
    for part in parts:
        density = line.law.density(graph, kinematics.read, length, rate, part.length)
        forces.append([graph.mul(density, node) for node in part.away])
    return forces


def _passing_pull(kinematics: Kinematics, line: Line, part: _Part, passing: _Passing) -> tuple[list[Node], list[Node]]:
    """The pull of a single segment whose ends may pass each other: the force then changes sign."""
    graph = kinematics.graph
    force = line.law.along(graph, kinematics.read, part.length, passing.place, passing.slope)
    if passing.axis is None:
        return [passing.slope], [force]
    return part.rate, [graph.mul(force, node) for node in passing.axis]


def _rate(kinematics: Kinematics, part: _Part) -> Node:
    """The rate of the length of a segment."""
    graph, passing = kinematics.graph, _that_passes(kinematics, part)
    if passing is not None:
        return graph.mul(graph.call("sign", passing.place), passing.slope)
    return graph.div(dot(graph, part.away, part.rate), part.length)


def _that_passes(kinematics: Kinematics, part: _Part) -> _Passing | None:
    """How the ends of a segment pass each other; None where the motion does not change its length so."""
    passing = part.passing
    if passing is None or set(kinematics.q).isdisjoint(reachable(kinematics.graph, [passing.place])):
        return None
    return passing


def _parts(kinematics: Kinematics, line: Line) -> list[_Part]:
    """The segments of a line."""
    return [_part(kinematics, *ends) for ends in zip(line.points[:-1], line.points[1:], strict=True)]


def _part(kinematics: Kinematics, start: Point, end: Point) -> _Part:
    return kinematics.once(("segment", start, end), lambda: _read_part(kinematics, start, end))


def _read_part(kinematics: Kinematics, start: Point, end: Point) -> _Part:
    graph = kinematics.graph
    away = kinematics.position_between(start, end)
    rate = minus(graph, kinematics.velocity(end), kinematics.velocity(start))
    along = _along_an_axis(kinematics, start, end)
    if along is not None:
        place, axis = along
        return _Part(away, rate, magnitude(graph, place), _Passing(place, dot(graph, axis, rate), axis))
    signed = _around_a_pin(kinematics, start, end, dot(graph, away, rate))
    if signed is not None:
        return _Part(away, rate, magnitude(graph, signed), _Passing(signed, kinematics.drift(signed)))
    return _Part(away, rate, root(graph, dot(graph, away, away)))


def _along_an_axis(kinematics: Kinematics, start: Point, end: Point) -> tuple[Node, list[Node]] | None:
    """The only component of the vector between two points in the frame in which it is written, and that axis in N."""
    graph = kinematics.graph
    for frame in kinematics.frames_between(start, end):
        components = kinematics.position_in(start, end, frame)
        there = [k for k, node in enumerate(components) if node != graph.zero]
        if len(there) == 1:
            return components[there[0]], [row[there[0]] for row in kinematics.rotation(frame)]
    return None


def _around_a_pin(kinematics: Kinematics, start: Point, end: Point, growth: Node) -> Node | None:
    """The signed distance of two points at equal radii around one pin; None without, or where `growth` contradicts it.

    `growth` is half the rate of the squared distance by the velocities of the points.
    """
    graph = kinematics.graph
    for frame in kinematics.frames_between(start, end):
        components = kinematics.position_in(start, end, frame)
        place = root_of_square(graph, dot(graph, components, components), lambda a, b: _same(kinematics, a, b))
        if place is not None:
            follows = kinematics.sample.close([graph.mul(place, kinematics.drift(place))], [growth])
            return place if follows else None
    return None


def _same(kinematics: Kinematics, left: list[Node], right: list[Node]) -> bool:
    """Whether nodes agree at a random state, and with opposite coordinates."""
    opposite = dict(zip(kinematics.q, (-value for value in kinematics.sample(kinematics.q)), strict=True))
    samples = (kinematics.sample, Sample(kinematics.graph, opposite))
    return all(sample.close([a], [b]) for sample in samples for a, b in zip(left, right, strict=True))
