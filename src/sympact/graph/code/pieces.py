"""Functions of many operations in pieces of bounded size; operations that repeat are written once.

The outputs of a function come in groups, such as the gap, the Jacobian and the slip of one contact. What only one group
needs belongs to that group; groups whose operations are the same, on other inputs, other constants and other shared
values, are places of one `Repeat`, which is written once and called for each. What several groups need comes before
them, in groups again: those that have no moving value in common. Sines and cosines, computed for several angles at
once, come first of all, with what their angles need.

Pieces are bit for bit what one straight line is: the only operations that depend on their surroundings are products,
which are rounded together with the sum that uses them where nothing else does (`sympact.graph.code.lines`). Such a
product, or its negative, stays in the piece of its only user; whether it has only one is part of the comparison of
groups. The negative of a product is one operation, as for the processor, and no use of the product.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import count

from sympact.graph.code.lines import MINUS_PRODUCT
from sympact.graph.nodes.operations import CONDITIONS, LEAVES, OPERATIONS

__all__ = ["Piece", "Repeat", "Store", "arguments", "in_pieces", "negated_products", "ordered", "saved", "used"]

_FUSED = ("mul", "neg", MINUS_PRODUCT)
_SHARED, _EARLY = -1, -2  # owners besides groups: several of them, sines and cosines
_FIRST_PLACE = {"t": 0.0, "x": 1e6, "xdot": 2e6, "p": 3e6}

Rows = list[list]
Rank = dict[int, tuple[int, float, int]]
"""An order of nodes that does not depend on which inputs they have: the form, the mean place of the inputs."""
Store = tuple[int, int]
"""The position of a node, and the index among the outputs where its value goes; ``~index`` in the scratch memory."""
_Group = tuple[list[int], list[Store], int]  # the nodes at its end, its stores, its number; -1: it always runs


@dataclass(slots=True)
class Piece:
    """A part of the operations of a `Repeat`.

    Attributes
    ----------
    nodes : list of list of int
        For each place the positions of its nodes, in an order of evaluation, operation for operation the same.
    stores : list of list of Store
        For each place what is stored, entry for entry the same.
    """

    nodes: list[list[int]]
    stores: list[list[Store]]


@dataclass(slots=True)
class Repeat:
    """The same operations in one or several places, in pieces that are called one after the other.

    Attributes
    ----------
    places : int
    pieces : list of Piece
    groups : tuple of int
        For each place the group that alone needs what it computes; empty where it is not known.
    """

    places: int
    pieces: list[Piece]
    groups: tuple[int, ...] = ()


def used(rows: Rows, outputs: Iterable[int]) -> list[int]:
    """The positions of the nodes that some outputs need, in order of evaluation."""
    waiting = list(outputs)
    seen: set[int] = set()
    while waiting:
        position = waiting.pop()
        if position not in seen:
            seen.add(position)
            row = rows[position]
            if row[0] not in LEAVES:
                waiting += row[1:]
    return sorted(seen)


def ordered(rows: Rows, positions: Iterable[int]) -> tuple[Rows, Rank]:
    """The rows with exchangeable arguments in an order that is the same in all groups, and that order.

    Arguments of different form are ordered by their form, those of the same form by the places of their inputs: where
    the states of all bodies have the same order, so have the terms of their squared distances.
    """
    rows = list(rows)
    forms: dict[tuple, int] = {}
    form: Rank = {}
    for position in positions:
        op, *args = rows[position]
        key: tuple
        if op == "input":
            key, place = (op, args[0]), _FIRST_PLACE[args[0]] + args[1]
        elif op in LEAVES:
            key, place = (op,), 0.0
        else:
            if OPERATIONS[op].commutative and form[args[1]] < form[args[0]]:
                args.reverse()
                rows[position] = [op, *args]
            key = (op, *(form[arg][0] for arg in args))
            place = form[args[0]][1]
            for arg in args[1:]:
                place = 0.625 * place + 0.375 * form[arg][1]
        form[position] = forms.setdefault(key, len(forms)), place, position
    return rows, form


def negated_products(rows: Rows) -> Rows:
    """The rows with the negative of each product as an operation on its factors."""
    return [[MINUS_PRODUCT, *rows[row[1]][1:]] if row[0] == "neg" and rows[row[1]][0] == "mul" else row for row in rows]


def in_pieces(rows: Rows, rank: Rank, stores: Sequence[Store], groups: Sequence[int] | None, size: int) -> list[Repeat]:
    """The operations that some stores need, in an order in which they can be done.

    Parameters
    ----------
    rows, rank
        Of `ordered`.
    stores : sequence of Store
    groups : sequence of int, optional
        The group of each store; -1, or no groups at all: those that depend on a common moving value are of one group.
    size : int
        The number of nodes above which a repeat is cut into several pieces.
    """
    return _Division(rows, rank, stores, groups).repeats(size)


class _Division:
    """The operations of a function divided among groups."""

    def __init__(self, rows: Rows, rank: Rank, stores: Sequence[Store], groups: Sequence[int] | None) -> None:
        self.rows, self.rank = rows, rank
        self.used = used(rows, (value for value, _ in stores))
        self.uses = Counter(arg for position in self.used for arg in arguments(rows[position]))
        self.kept = Counter(value for value, _ in stores)
        self._early = set(used(rows, (position for position in self.used if rows[position][0] in ("sin", "cos"))))
        self._moving = self._depend_on_the_state()
        self.given = {group for group in groups or () if group >= 0}
        self.stored: dict[int, list[Store]] = defaultdict(list)
        for store, group in zip(stores, self._groups(stores, groups), strict=True):
            self.stored[group].append(store)
        self.owner = self._owners()

    def repeats(self, size: int) -> list[Repeat]:
        """Sines and constants, what groups share, and the groups."""
        early = [n for n in self.used if self._owned_early(n)]
        shared = self._components(n for n in self.used if self._owned_shared(n))
        stages: list[list[_Group]] = [
            [(early, [], -1)] if early else [],
            [(self._ends(part), [], -1) for part in shared],
            [([value for value, _ in stored], stored, group) for group, stored in self.stored.items()],
        ]
        done: set[int] = set()
        return [repeat for stage in stages for repeat in self._stage(stage, size, done)]

    def _stage(self, stage: list[_Group], size: int, done: set[int]) -> Iterator[Repeat]:
        """The repeats of groups that do not need each other; those in one place only are one repeat together."""
        kinds: dict[tuple, list[_Group]] = defaultdict(list)
        for ends, stored, group in stage:
            nodes = self._in_order(ends, done)
            kinds[self._form(nodes, stored)].append((nodes, stored, group))
        single = [kind[0] for kind in kinds.values() if len(kind) == 1]
        joined = [n for nodes, *_ in single for n in nodes], [store for _, stored, _ in single for store in stored], -1
        for kind in [*(kind for kind in kinds.values() if len(kind) > 1), [joined]]:
            pieces = list(self._cut([nodes for nodes, *_ in kind], [stored for _, stored, _ in kind], size))
            groups = tuple(group for *_, group in kind)
            if pieces:
                yield Repeat(len(kind), pieces, groups if self.given.issuperset(groups) else ())

    def _depend_on_the_state(self) -> set[int]:
        """The nodes that depend on the state, and the products that stay with one of them."""
        moving: set[int] = set()
        for position in self.used:
            row = self.rows[position]
            if (row[0] == "input" and row[1] in ("x", "xdot")) or not moving.isdisjoint(arguments(row)):
                moving.add(position)
        for position in reversed(self.used):
            if position in moving:
                moving.update(arg for arg in arguments(self.rows[position]) if self._absorbed(arg))
        return moving

    def _groups(self, stores: Sequence[Store], groups: Sequence[int] | None) -> list[int]:
        """A group for each store."""
        given = list(groups) if groups is not None else [-1] * len(stores)
        further = count(max(given, default=0) + 1)
        free = used(self.rows, (value for (value, _), group in zip(stores, given, strict=True) if group < 0))
        numbers: dict[int, int] = {}
        for part in self._components(n for n in free if n in self._moving and n not in self._early):
            numbers |= dict.fromkeys(part, next(further))
        return [
            group if group >= 0 else numbers[value] if value in numbers else next(further)
            for (value, _), group in zip(stores, given, strict=True)
        ]

    def _components(self, positions: Iterable[int]) -> list[list[int]]:
        """Operations in sets that have none in common; leaves do not connect them."""
        rows = self.rows
        above = {n: n for n in positions if rows[n][0] not in LEAVES}

        def top(n: int) -> int:
            while above[n] != n:
                above[n] = n = above[above[n]]
            return n

        for n in above:
            for arg in arguments(rows[n]):
                if arg in above:
                    above[top(arg)] = top(n)
        parts: dict[int, list[int]] = defaultdict(list)
        for n in above:
            parts[top(n)].append(n)
        return list(parts.values())

    def _owners(self) -> dict[int, int]:
        """The group that needs a node, or that several do."""
        owner = dict.fromkeys(self._early, _EARLY)

        def claim(n: int, group: int) -> None:
            if owner.setdefault(n, group) not in (group, _EARLY):
                owner[n] = _SHARED

        for group, stored in self.stored.items():
            for value, _ in stored:
                claim(value, group)
        for n in reversed(self.used):
            for arg in arguments(self.rows[n]):
                claim(arg, owner[n])
        return owner

    def _owned_early(self, n: int) -> bool:
        owner = self.owner[n]
        return self.rows[n][0] not in LEAVES and (owner == _EARLY or (owner == _SHARED and n not in self._moving))

    def _owned_shared(self, n: int) -> bool:
        return self.owner[n] == _SHARED and n in self._moving

    def _ends(self, part: list[int]) -> list[int]:
        """The nodes of a part that no other node of it needs."""
        inner = {arg for n in part for arg in arguments(self.rows[n])}
        return sorted((n for n in part if n not in inner), key=self.rank.__getitem__)

    def _absorbed(self, n: int) -> bool:
        """Whether a node stays with its only user, with which it may be rounded together."""
        return self.rows[n][0] in _FUSED and self.uses[n] == 1 and not self.kept[n]

    def _in_order(self, ends: Iterable[int], done: set[int]) -> list[int]:
        """The operations that some nodes need besides those done, each right behind the products that stay with it."""
        order: list[int] = []
        waiting = list(ends)[::-1]
        while waiting:
            n = waiting[-1]
            if n in done or self.rows[n][0] in LEAVES:
                waiting.pop()
                continue
            together = self._together(n)
            missing = [arg for one in together for arg in arguments(self.rows[one]) if self._open(arg, done)]
            if missing:
                waiting += missing[::-1]
            else:
                waiting.pop()
                order += together
                done.update(together)
        return order

    def _open(self, n: int, done: set[int]) -> bool:
        return n not in done and self.rows[n][0] not in LEAVES and not self._absorbed(n)

    def _together(self, n: int) -> list[int]:
        """A node behind the products that stay with it."""
        order, waiting = [], [n]
        while waiting:
            one = waiting.pop()
            order.append(one)
            waiting += [arg for arg in arguments(self.rows[one]) if self._absorbed(arg)]
        return order[::-1]

    def _form(self, nodes: list[int], stored: list[Store]) -> tuple:
        """What two groups have in common that may be written once."""
        local = {n: i for i, n in enumerate(nodes)}
        form: list[object] = []
        for n in nodes:
            op, *args = self.rows[n]
            form += [op, self._absorbed(n), *(local[arg] if arg in local else self._leaf(arg) for arg in args)]
        ends = ((local[value] if value in local else self._leaf(value), place < 0) for value, place in stored)
        return (*form, *ends)

    def _leaf(self, n: int) -> str:
        row = self.rows[n]
        if row[0] in LEAVES:
            return row[1] if row[0] == "input" else row[0]
        return "condition" if row[0] in CONDITIONS else "value"

    def _cut(self, places: list[list[int]], stored: list[list[Store]], size: int) -> Iterator[Piece]:
        """Pieces of at most some number of nodes and stores, but for products that have to stay together."""
        first, start = places[0], 0
        where = {n: i for i, n in enumerate(first)}
        sorted_by_use: dict[int, list[int]] = defaultdict(list)
        for k, (value, _) in enumerate(stored[0]):
            sorted_by_use[where.get(value, -1)].append(k)
        chosen = sorted_by_use.pop(-1, [])
        while len(chosen) > (size if first else 0):
            few, chosen = chosen[:size], chosen[size:]
            yield Piece([[] for _ in places], [[one[k] for k in few] for one in stored])
        for i, n in enumerate(first):
            chosen += sorted_by_use[i]
            last = i == len(first) - 1
            if last or (i + 1 - start + len(chosen) >= size and not self._absorbed(n)):
                yield Piece([one[start : i + 1] for one in places], [[one[k] for k in chosen] for one in stored])
                start, chosen = i + 1, []


def arguments(row: list) -> Sequence[int]:
    """The positions of the arguments of a node."""
    return () if row[0] in LEAVES else row[1:]


def saved(rows: Rows, repeats: Sequence[Repeat], first: int) -> tuple[dict[int, int], int]:
    """The places in the scratch memory of the nodes that other pieces use, and the end of that memory.

    What one place of a repeat alone uses is overwritten by the next place.
    """
    home: dict[int, tuple[int, int, int]] = {}
    for r, repeat in enumerate(repeats):
        for c, piece in enumerate(repeat.pieces):
            for i, nodes in enumerate(piece.nodes):
                home |= dict.fromkeys(nodes, (r, i, c))
    inside: set[int] = set()
    outside: set[int] = set()
    for r, repeat in enumerate(repeats):
        for c, piece in enumerate(repeat.pieces):
            for i, (nodes, stores) in enumerate(zip(piece.nodes, piece.stores, strict=True)):
                for arg in _needed(rows, nodes, stores):
                    if arg in home and home[arg] != (r, i, c):
                        (inside if home[arg][:2] == (r, i) else outside).add(arg)
    slots: dict[int, int] = {}
    for repeat in repeats:
        for piece in repeat.pieces:
            for column in zip(*piece.nodes, strict=True):
                if not outside.isdisjoint(column):
                    slots |= {n: first + i for i, n in enumerate(column)}
                    first += len(column)
                elif not inside.isdisjoint(column):
                    slots |= dict.fromkeys(column, first)
                    first += 1
    return slots, first


def _needed(rows: Rows, nodes: Collection[int], stores: Collection[Store]) -> Iterator[int]:
    for n in nodes:
        yield from arguments(rows[n])
    for value, _ in stores:
        yield value
