"""Typed memory that kernels and Python share: each array is declared once, and everything else is derived from that.

A subclass of `Memory` declares its fields in its body: sizes, numbers, arrays with their shapes in these sizes, views
of other memory. At run time it is a table of eight-byte slots, one for each field: a size or number itself, the address
of an array, a function or another table. Kernels read and write the fields by name (``problem.delassus``, ``run.t_new =
t``) whether numba compiles them or they run as Python; Python reads the same memory by the same names.

Sizes are stored in the table, so that one declaration serves memory of any size, and views of a part of a problem.
"""

from __future__ import annotations

import ctypes
from collections.abc import Collection, Mapping, Sequence
from functools import lru_cache
from typing import Any, ClassVar, Self

import numpy as np

from sympact.native.addresses import Pieces, inside

__all__ = ["Address", "Memory", "Part", "Real", "Reals", "Size", "View", "Whole", "Wholes"]

_NOTHING = np.zeros(0, dtype=int)
_WORD = 8  # bytes of a slot, and of a number in an array


class Extent:
    """A whole number, composed of sizes by sums and products: ``3 * n_contacts + 1``."""

    def __init__(self, operation: str, *terms: Extent | int) -> None:
        self.operation, self.terms = operation, terms

    def __add__(self, other: Extent | int) -> Extent:
        return Extent("+", self, other)

    def __mul__(self, other: Extent | int) -> Extent:
        return Extent("*", self, other)

    __radd__, __rmul__ = __add__, __mul__


def value(extent: Extent | int, slots: Mapping[int, int]) -> int:
    """The value of an extent for the sizes of a table."""
    if isinstance(extent, Size):
        return int(slots[extent.slot])
    if isinstance(extent, Extent):
        first, second = (value(term, slots) for term in extent.terms)
        return first + second if extent.operation == "+" else first * second
    return extent


def grows(extent: Extent | int, slots: Collection[int]) -> bool:
    """Whether an extent contains one of the sizes in some slots."""
    if isinstance(extent, Size):
        return extent.slot in slots
    return isinstance(extent, Extent) and any(grows(term, slots) for term in extent.terms)


class Field:
    """The common attributes of all fields: a name, a meaning, a unit and, but for a `Part`, a slot in the table.

    Parameters
    ----------
    meaning : str
        The description, for readers of the declaration.
    unit : str, optional
        Its SI unit.
    """

    slot: int

    def __init__(self, meaning: str, *, unit: str = "") -> None:
        self.meaning, self.unit = meaning, unit

    def __set_name__(self, owner: type[Memory], name: str) -> None:
        self.name = name

    def __get__(self, memory: Memory | None, owner: type[Memory]) -> Any:
        return self if memory is None else self.read(memory)

    def __set__(self, memory: Memory, value: Any) -> None:
        raise AttributeError(f"{type(memory).__name__}.{self.name} is no number that can be set")

    def read(self, memory: Memory) -> Any:
        """The value in a memory."""
        return int(memory.slots[self.slot])

    def place(self, memory: Memory, address: int) -> None:
        """Store its address: of an array or a table that another object owns."""
        memory.slots[self.slot] = address


class Whole(Field):
    """A whole number."""

    def __set__(self, memory: Memory, value: int) -> None:
        memory.slots[self.slot] = value


class Size(Whole, Extent):
    """A whole number in the extents of shapes."""

    def __init__(self, meaning: str) -> None:
        Field.__init__(self, meaning)
        Extent.__init__(self, "size")


class Address(Whole):
    """The address of a function, or of memory that another object declares; 0 where there is none."""


class Real(Field):
    """A double-precision number."""

    def read(self, memory: Memory) -> np.float64:
        """The value in a memory; kernels that run as Python compute with it as machine code, where 1/0 is infinite."""
        return memory.doubles[self.slot]

    def __set__(self, memory: Memory, value: float) -> None:
        memory.doubles[self.slot] = value


class Array(Field):
    """An array in C order.

    Parameters
    ----------
    *shape : int or Extent
        Its shape, in the sizes declared before it.
    meaning, unit : str
        As for every field.
    when : str, optional
        The part of the memory that it belongs to, omitted by `Memory.allocate` by default.
    capacity : int or Extent, optional
        The number of elements allocated, where its shape changes during a run.
    """

    dtype: type

    def __init__(
        self,
        *shape: Extent | int,
        meaning: str,
        unit: str = "",
        when: str = "",
        capacity: Extent | int | None = None,
    ) -> None:
        super().__init__(meaning, unit=unit)
        self.shape, self.when, self.capacity = shape, when, capacity

    def size(self, slots: Mapping[int, int]) -> int:
        """The number of elements allocated."""
        if self.capacity is not None:
            return value(self.capacity, slots)
        return int(np.prod([value(extent, slots) for extent in self.shape], dtype=int))

    def grows(self, slots: Collection[int]) -> bool:
        """Whether the number of elements allocated depends on the sizes in some slots."""
        return any(grows(extent, slots) for extent in (self.shape if self.capacity is None else [self.capacity]))

    def address(self, memory: Memory) -> int:
        """The address of its numbers."""
        found = int(memory.slots[self.slot])
        if not found and self.size(memory.slots):
            raise AttributeError(
                f"{type(memory).__name__}.{self.name} was not allocated; it is of the part {self.when!r}"
            )
        return found

    def read(self, memory: Memory) -> np.ndarray:
        """The array itself, not a copy."""
        shape = [value(extent, memory.slots) for extent in self.shape]
        return memory.numbers(self.address(memory), shape, self.dtype)


class Reals(Array):
    """An array of double-precision numbers."""

    dtype = np.float64


class Wholes(Array):
    """An array of whole numbers."""

    dtype = np.int64


class Part(Array):
    """An array within another one of the same memory.

    Parameters
    ----------
    whole : Array
        The other one, declared before.
    start : int or Extent
        Where in it this one begins, in numbers.
    *shape : int or Extent
    """

    def __init__(self, whole: Array, start: Extent | int, *shape: Extent | int, meaning: str, unit: str = "") -> None:
        super().__init__(*shape, meaning=meaning, unit=unit, when=whole.when)
        self.whole, self.start, self.dtype = whole, start, whole.dtype

    def address(self, memory: Memory) -> int:
        """The address of its numbers."""
        return self.whole.address(memory) + _WORD * value(self.start, memory.slots)


class View(Field):
    """Memory of another declaration, the address of whose table is stored here.

    Parameters
    ----------
    declaration : subclass of Memory
    meaning : str
    when : str, optional
        As for an `Array`.
    **sizes : int or Extent
        Sizes of that memory in those of this one; others have the same value as elsewhere.
    """

    def __init__(self, declaration: type[Memory], meaning: str, *, when: str = "", **sizes: Extent | int) -> None:
        super().__init__(meaning)
        self.declaration, self.when, self.sizes = declaration, when, sizes

    def read(self, memory: Memory) -> Memory:
        """The other memory."""
        return self.declaration(int(memory.slots[self.slot]), memory.block, memory.start)

    def __set__(self, memory: Memory, other: Memory) -> None:
        memory.slots[self.slot] = other.address


class Memory:
    """Memory of which a subclass declares the fields.

    Parameters
    ----------
    address : int
        Of the table.
    block : array of float64, optional
        The memory of the arrays, where Python owns them; it lives as long as this object.

    Attributes
    ----------
    linked : array of int
        The places in the block of the sizes and of the addresses of arrays and views.

    Examples
    --------
    >>> class Impact(Memory):
    ...     n = Size("contacts")
    ...     energy = Real("energy lost", unit="J")
    ...     delassus = Reals(n, n, meaning="Delassus matrix", unit="1/kg")
    >>> impact = Impact.allocate({"n": 2})
    >>> impact.delassus[0, 1] = 0.5
    >>> impact.delassus.sum(), impact.energy
    (np.float64(0.5), np.float64(0.0))
    """

    fields: ClassVar[dict[str, Field]] = {}
    n_slots: ClassVar[int] = 0
    __slots__ = ("address", "block", "doubles", "growing", "linked", "slots", "start")

    def __init_subclass__(cls) -> None:
        cls.fields = {name: field for name, field in vars(cls).items() if isinstance(field, Field)}
        held = [field for field in cls.fields.values() if not isinstance(field, Part)]
        for slot, field in enumerate(held):
            field.slot = slot
        cls.n_slots = len(held)

    def __init__(self, address: int, block: np.ndarray | None = None, start: int = 0) -> None:
        self.address, self.block = int(address), block
        self.growing: np.ndarray | None = None
        self.linked = _NOTHING
        self.start = start or (0 if block is None else _start(block))  # of the block: reading it from an array is slow
        self.slots = self.numbers(self.address, (self.n_slots,), np.int64)
        self.doubles = self.slots.view(np.float64)

    def numbers(self, address: int, shape: Sequence[int], dtype: type) -> np.ndarray:
        """The numbers at an address as an array over the memory itself."""
        size = 1
        for extent in shape:
            size *= extent
        if not size:
            return np.empty(shape, dtype)
        if self.block is not None:
            start = (address - self.start) // _WORD
            if 0 <= start <= len(self.block) - size:
                found = self.block[start : start + size].view(dtype)
                return found if len(shape) == 1 else found.reshape(shape)
        inside(address, size)
        return np.frombuffer((ctypes.c_int64 * size).from_address(address), dtype).reshape(shape)

    @property
    def words(self) -> np.ndarray:
        """The block as whole numbers."""
        assert self.block is not None
        return self.block.view(np.int64)

    def position(self, address: int) -> int:
        """The index in the block of the number at an address."""
        return (address - self.start) // _WORD

    def addresses(self) -> set[int]:
        """Every `Address` in this memory and its views."""
        found = {field.read(self) for field in self.fields.values() if isinstance(field, Address)}
        return found.union(*(memory.addresses() for memory in self._viewed()))

    def replace_addresses(self, new: Mapping[int, int]) -> None:
        """Replace each `Address` in this memory and its views that is a key of `new`."""
        for field in self.fields.values():
            if isinstance(field, Address) and field.read(self) in new:
                self.slots[field.slot] = new[field.read(self)]
        for memory in self._viewed():
            memory.replace_addresses(new)

    def _viewed(self) -> list[Memory]:
        """The memory of the views that were allocated or set."""
        return [f.read(self) for f in self.fields.values() if isinstance(f, View) and self.slots[f.slot]]

    @property
    def blocks(self) -> list[np.ndarray]:
        """The memory of the arrays that Python owns: the block, and that of the arrays that grow."""
        return [block for block in (self.block, self.growing) if block is not None]

    @classmethod
    def allocate(cls, sizes: Mapping[str, int], parts: Collection[str] = (), growing: Collection[str] = ()) -> Self:
        """New memory, all zeros, with the memory of all views.

        Parameters
        ----------
        sizes : mapping of str to int
            Every `Size` that this declaration or one of its views has, by its name.
        parts : collection of str, optional
            The requested parts of the memory, see `Array`.
        growing : collection of str, optional
            The sizes that `grow` may change: the arrays that depend on them have a block of their own.

        Raises
        ------
        KeyError
            If a size is missing.
        """
        plan = _planned(cls, sizes, parts, growing)
        block = np.zeros(plan.pieces.size)
        starts = plan.pieces.addresses(block, cls.__name__)
        words = block.view(np.int64)
        words[plan.places] = starts[plan.piece]
        words[plan.size_places] = plan.size_values
        memory = cls(int(starts[0]), block)
        memory.linked = np.concatenate([plan.places, plan.size_places, plan.further_places])
        if growing:
            memory.grow(sizes, parts, growing)
        return memory

    def grow(self, sizes: Mapping[str, int], parts: Collection[str], growing: Collection[str]) -> None:
        """Replace the arrays that depend on the sizes `growing` by new ones, all zeros, at other addresses.

        The arguments are those of `allocate` with other values of these sizes. The memory before stays valid as long as
        somebody holds its block.
        """
        plan = _planned(type(self), sizes, parts, growing)
        block = np.zeros(plan.further.size)
        words = self.words
        words[plan.further_places] = plan.further.addresses(block, type(self).__name__)
        words[plan.size_places] = plan.size_values
        self.growing = block


def _start(block: np.ndarray) -> int:
    return block.__array_interface__["data"][0]


class _Plan:
    """The positions of a declaration and its views in one block, for given sizes, and of what grows in another one.

    Attributes
    ----------
    pieces : Pieces
        The tables and arrays; the first is the table of the declaration itself.
    places, piece : array of int
        The slots of the block that contain addresses, and the index of the piece at each address.
    size_places, size_values : array of int
        The slots that contain sizes, and the sizes.
    further : Pieces
        The arrays that grow.
    further_places : array of int
        The slots of the first block that contain their addresses.
    """

    def __init__(
        self, declaration: type[Memory], sizes: Mapping[str, int], parts: Collection[str], growing: Collection[str]
    ) -> None:
        lengths: dict[str, int] = {}
        further: dict[str, int] = {}
        links: list[tuple[str, int, str]] = []
        numbers: list[tuple[str, int, int]] = []

        def place(title: str, memory: type[Memory], given: Mapping[str, int], growing: Collection[str]) -> None:
            named = {name: field.slot for name, field in memory.fields.items() if isinstance(field, Size)}
            slots = {slot: given[name] for name, slot in named.items()}
            changing = {slot for name, slot in named.items() if name in growing}
            lengths[title] = memory.n_slots
            numbers.extend((title, slot, size) for slot, size in slots.items())
            for name, field in memory.fields.items():
                if isinstance(field, Part) or getattr(field, "when", None) not in {"", *parts}:
                    continue
                target = f"{title}.{name}"
                links.append((title, field.slot, target))
                if isinstance(field, View):
                    bound = {size: value(extent, slots) for size, extent in field.sizes.items()}
                    bound_growing = {size for size, extent in field.sizes.items() if grows(extent, changing)}
                    kept = set(growing).difference(bound)
                    place(target, field.declaration, {**given, **bound}, kept | bound_growing)
                elif isinstance(field, Array):
                    (further if field.grows(changing) else lengths)[target] = field.size(slots)

        place(declaration.__name__, declaration, sizes, growing)
        self.pieces, self.further = Pieces(lengths), Pieces(further)
        order = {title: k for k, title in enumerate(lengths)}
        start = {title: int(self.pieces.starts[k]) for title, k in order.items()}
        fixed = [(title, slot, target) for title, slot, target in links if target in order]
        slot_of = {target: start[title] + slot for title, slot, target in links}
        self.places = np.array([start[title] + slot for title, slot, _ in fixed], int)
        self.piece = np.array([order[target] for *_, target in fixed], int)
        self.size_places = np.array([start[title] + slot for title, slot, _ in numbers], int)
        self.size_values = np.array([size for *_, size in numbers], int)
        self.further_places = np.array([slot_of[title] for title in further], int)


def _planned(
    declaration: Any, sizes: Mapping[str, int], parts: Collection[str], growing: Collection[str]
) -> _Plan:  # a class is hashable, whatever its instances are
    return _plan(declaration, tuple(sorted(sizes.items())), frozenset(parts), frozenset(growing))


@lru_cache(maxsize=64)
def _plan(
    declaration: type[Memory], sizes: tuple[tuple[str, int], ...], parts: frozenset[str], growing: frozenset[str]
) -> _Plan:
    return _Plan(declaration, dict(sizes), parts, growing)
