"""Typed memory in kernels that numba compiles: a field is read or written by a load or store, an array by its address.

The type of a memory is its declaration; its value is the address of the table. Fields are defined by
`sympact.native.memory` only.
"""

from llvmlite import ir
from numba import types
from numba.core.imputils import lower_getattr_generic, lower_setattr_generic
from numba.core.typing.templates import AttributeTemplate
from numba.extending import infer_getattr, intrinsic, models, register_model
from numba.np.arrayobj import populate_array

from sympact.native.memory import Array, Extent, Part, Real, Size, View

_REAL, _WHOLE = ir.DoubleType(), ir.IntType(64)


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
        return types.Array(dtype, len(field.shape), "C")
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
        return builder.load(_slot(builder, table, extent.slot, _WHOLE))
    if isinstance(extent, Extent):
        first, second = (_extent(builder, table, term) for term in extent.terms)
        return builder.add(first, second) if extent.operation == "+" else builder.mul(first, second)
    return ir.Constant(_WHOLE, extent)


def _address(builder, table, field):
    if isinstance(field, Part):
        start = builder.mul(_extent(builder, table, field.start), ir.Constant(_WHOLE, 8))
        return builder.add(_address(builder, table, field.whole), start)
    return builder.load(_slot(builder, table, field.slot, _WHOLE))


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


@lower_getattr_generic(MemoryType)
def _read(context, builder, memory, table, name):
    if name == "address":
        return table
    field = memory.declaration.fields[name]
    if isinstance(field, Array):
        shape = [_extent(builder, table, extent) for extent in field.shape]
        return view_at(context, builder, type_of(field), _address(builder, table, field), shape)
    return builder.load(_slot(builder, table, field.slot, _REAL if isinstance(field, Real) else _WHOLE))


@lower_setattr_generic(MemoryType)
def _write(context, builder, signature, args, name):
    memory, kind = signature.args
    field, number = memory.declaration.fields[name], type_of(memory.declaration.fields[name])
    value = context.cast(builder, args[1], kind, number)
    builder.store(value, _slot(builder, args[0], field.slot, _REAL if isinstance(field, Real) else _WHOLE))


def view(declaration):
    """An intrinsic (address) -> memory of this declaration."""
    kind = MemoryType(declaration)

    def build(context, builder, signature, args):
        return args[0]

    @intrinsic
    def view_of(typing, address):
        return kind(types.int64), build

    return view_of
