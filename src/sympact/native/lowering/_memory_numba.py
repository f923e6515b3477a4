"""Typed memory in kernels that numba compiles: a field is read or written by a load or store, an array by its address.

The type of a memory is its declaration; its value is the address of the table. Fields are defined by
`sympact.native.memory` only.

Arrays are contiguous and own nothing. An index of a kernel is never negative. numba's own arrays count a negative index
from the end: each access then loads the extent and chooses between two places, which costs more than the access itself.

Every load and store says what stands at its place: a number, a whole number, or what lays the memory out (an address, a
size). Places of one kind are never written as another, but by `pointer.clear` and `pointer.put_word`, so that LLVM
keeps addresses and sizes in registers while numbers are written ("type based alias analysis").
"""

import operator

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.core.datamodel.models import ArrayModel
from numba.core.imputils import lower_getattr_generic, lower_setattr_generic
from numba.core.typing.templates import AttributeTemplate
from numba.extending import infer_getattr, intrinsic, lower_builtin, models, register_model
from numba.np.arrayobj import getitem_array_tuple, populate_array, setitem_array

from sympact.native.memory import Array, Extent, Part, Real, Size, View, Whole

_REAL, _WHOLE = ir.DoubleType(), ir.IntType(64)
NUMBER, WHOLE_NUMBER, LAYOUT = "number", "whole number", "layout"
"""What stands at a place of the memory."""


class Numbers(types.Array):
    """The type of a contiguous array whose indices count from its beginning alone."""

    def __init__(self, dtype, ndim):
        super().__init__(dtype, ndim, "C", name=f"numbers({dtype}, {ndim}d)")

    def copy(self, dtype=None, ndim=None, layout=None, readonly=None):
        """The type with some properties changed; an array that is not contiguous is one of numba's own."""
        if layout not in (None, "C") or readonly:
            return super().copy(dtype, ndim, layout, readonly)
        return Numbers(self.dtype if dtype is None else dtype, self.ndim if ndim is None else ndim)

    def unify(self, typingctx, other):
        """The common type of this one and another."""
        return self if self == other else super().unify(typingctx, other)


register_model(Numbers)(ArrayModel)


def load(builder, place, what):
    """What stands at a place."""
    return _told(builder, builder.load(place), what)


def store(builder, value, place, what):
    """Write what stands at a place."""
    _told(builder, builder.store(value, place), what)


def _told(builder, access, what):
    module, start = builder.module, ir.Constant(_WHOLE, 0)
    kind = module.add_metadata([what, module.add_metadata(["memory of sympact"]), start])
    access.set_metadata("tbaa", module.add_metadata([kind, kind, start]))
    return access


def view_at(context, builder, kind, address, shape):
    """An array over the memory at an address, which owns nothing."""
    array = context.make_array(kind)(context, builder)
    itemsize = ir.Constant(_WHOLE, 8)
    strides = [itemsize]
    for extent in reversed(shape[1:]):
        strides.insert(0, builder.mul(strides[0], extent))
    pointer = builder.inttoptr(address, context.get_data_type(kind.dtype).as_pointer())
    populate_array(array, data=pointer, shape=list(shape), strides=strides, itemsize=itemsize, meminfo=None)
    return array._getvalue()


def _place(context, builder, kind, whole, index_types, indices):
    """The address of the entry, or of the first entry of the row, at some indices."""
    shape, place = cgutils.unpack_tuple(builder, whole.shape), None
    for axis in range(kind.ndim):
        if place is not None:
            place = builder.mul(place, shape[axis], flags=["nsw"])
        if axis < len(indices):
            index = context.cast(builder, indices[axis], index_types[axis], types.intp)
            place = index if place is None else builder.add(place, index, flags=["nsw"])
    return builder.gep(whole.data, [place], inbounds=True)


def _read_entry(context, builder, signature, array, index_types, indices):
    kind = signature.args[0]
    whole = context.make_array(kind)(context, builder, array)
    place = _place(context, builder, kind, whole, index_types, indices)
    if not isinstance(signature.return_type, types.Array):
        return load(builder, place, _entry(kind))
    shape = cgutils.unpack_tuple(builder, whole.shape)[len(indices) :]
    return view_at(context, builder, signature.return_type, builder.ptrtoint(place, _WHOLE), shape)


def _write_entry(context, builder, signature, args, index_types, indices):
    kind, _, given = signature.args
    whole = context.make_array(kind)(context, builder, args[0])
    value = context.cast(builder, args[2], given, kind.dtype)
    store(builder, value, _place(context, builder, kind, whole, index_types, indices), _entry(kind))


def _entry(kind):
    """What the entries of an array are."""
    return NUMBER if kind.dtype == types.float64 else WHOLE_NUMBER


def _are_whole(index):
    """Whether all indices of a tuple are integers."""
    return all(isinstance(one, types.Integer) for one in index)


@lower_builtin(operator.getitem, Numbers, types.Integer)
def _item(context, builder, signature, args):
    return _read_entry(context, builder, signature, args[0], signature.args[1:], args[1:])


@lower_builtin(operator.getitem, Numbers, types.BaseTuple)
def _item_at(context, builder, signature, args):
    index = signature.args[1]
    if not _are_whole(index):
        return getitem_array_tuple(context, builder, signature, args)
    return _read_entry(
        context, builder, signature, args[0], index.types, cgutils.unpack_tuple(builder, args[1], len(index))
    )


@lower_builtin(operator.setitem, Numbers, types.Integer, types.Any)
def _set_item(context, builder, signature, args):
    if signature.args[0].ndim > 1:
        return setitem_array(context, builder, signature, args)
    return _write_entry(context, builder, signature, args, signature.args[1:2], args[1:2])


@lower_builtin(operator.setitem, Numbers, types.BaseTuple, types.Any)
def _set_item_at(context, builder, signature, args):
    kind, index, _ = signature.args
    if len(index) < kind.ndim or not _are_whole(index):
        return setitem_array(context, builder, signature, args)
    return _write_entry(
        context, builder, signature, args, index.types, cgutils.unpack_tuple(builder, args[1], len(index))
    )


class MemoryType(types.Type):
    """Memory of a declaration, a subclass of `Memory`."""

    def __init__(self, declaration):
        self.declaration = declaration
        super().__init__(name=f"{declaration.__module__}.{declaration.__qualname__}")


@register_model(MemoryType)
class _MemoryModel(models.PrimitiveModel):
    """The address of its table."""

    def __init__(self, manager, kind):
        super().__init__(manager, kind, _WHOLE)


def type_of(field):
    """The type of a field."""
    if isinstance(field, View):
        return MemoryType(field.declaration)
    if isinstance(field, Array):
        dtype = types.float64 if field.dtype is float or field.dtype.__name__ == "float64" else types.int64
        return Numbers(dtype, len(field.shape))
    return types.float64 if isinstance(field, Real) else types.int64


@infer_getattr
class _Fields(AttributeTemplate):
    key = MemoryType

    def generic_resolve(self, memory, name):
        if name == "address":
            return types.int64
        field = memory.declaration.fields.get(name)
        return None if field is None else type_of(field)


def _slot(builder, table, slot, kind):
    address = builder.add(table, ir.Constant(_WHOLE, 8 * slot))
    return builder.inttoptr(address, kind.as_pointer())


def _extent(builder, table, extent):
    """The value of an extent, as code."""
    if isinstance(extent, Size):
        return load(builder, _slot(builder, table, extent.slot, _WHOLE), LAYOUT)
    if isinstance(extent, Extent):
        first, second = (_extent(builder, table, term) for term in extent.terms)
        return builder.add(first, second) if extent.operation == "+" else builder.mul(first, second)
    return ir.Constant(_WHOLE, extent)


def _address(builder, table, field):
    if isinstance(field, Part):
        start = builder.mul(_extent(builder, table, field.start), ir.Constant(_WHOLE, 8))
        return builder.add(_address(builder, table, field.whole), start)
    return load(builder, _slot(builder, table, field.slot, _WHOLE), LAYOUT)


def _kind(field):
    """What the slot of a field holds, and its type."""
    if isinstance(field, Real):
        return NUMBER, _REAL
    return (WHOLE_NUMBER if type(field) is Whole else LAYOUT), _WHOLE


@lower_getattr_generic(MemoryType)
def _read(context, builder, memory, table, name):
    if name == "address":
        return table
    field = memory.declaration.fields[name]
    if isinstance(field, Array):
        shape = [_extent(builder, table, extent) for extent in field.shape]
        return view_at(context, builder, type_of(field), _address(builder, table, field), shape)
    what, form = _kind(field)
    return load(builder, _slot(builder, table, field.slot, form), what)


@lower_setattr_generic(MemoryType)
def _write(context, builder, signature, args, name):
    memory, kind = signature.args
    field, number = memory.declaration.fields[name], type_of(memory.declaration.fields[name])
    what, form = _kind(field)
    store(builder, context.cast(builder, args[1], kind, number), _slot(builder, args[0], field.slot, form), what)


def view(declaration):
    """An intrinsic (address) -> memory of this declaration."""
    kind = MemoryType(declaration)

    def build(context, builder, signature, args):
        return args[0]

    @intrinsic
    def view_of(typing, address):
        return kind(types.int64), build

    return view_of
