"""numba intrinsics behind `pointer`: an integer becomes an array over memory, or a function that is called."""

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

from sympact.native.lowering._memory_numba import Numbers, view_at

_REAL, _WHOLE = ir.DoubleType(), ir.IntType(64)


def _view(dtype, ndim):
    """An intrinsic (address, shape...) -> C-contiguous array that owns nothing."""
    array_type = Numbers(dtype, ndim)

    def build(context, builder, signature, args):
        return view_at(context, builder, array_type, args[0], args[1:])

    return array_type, build


_REALS, _build_reals = _view(types.float64, 1)
_REALS2, _build_reals2 = _view(types.float64, 2)
_WHOLES, _build_wholes = _view(types.int64, 1)


@intrinsic
def reals(typing, address, n):
    return _REALS(types.int64, types.int64), _build_reals


@intrinsic
def reals2(typing, address, m, n):
    return _REALS2(types.int64, types.int64, types.int64), _build_reals2


@intrinsic
def wholes(typing, address, n):
    return _WHOLES(types.int64, types.int64), _build_wholes


def _of_array(ndim, place):
    """An intrinsic (array, numbers...) -> view of its memory that begins at a place, with a shape."""

    def typed(array, *numbers):
        kind = Numbers(array.dtype, ndim)

        def build(context, builder, signature, args):
            whole = context.make_array(array)(context, builder, args[0])
            start, shape = place(builder, whole, args[1:])
            return view_at(context, builder, kind, builder.ptrtoint(start, _WHOLE), shape)

        return kind(array, *numbers), build

    return typed


_leading = _of_array(1, lambda builder, whole, numbers: (whole.data, numbers))
_leading2 = _of_array(2, lambda builder, whole, numbers: (whole.data, numbers))


def _row_place(builder, whole, numbers):
    _, width = cgutils.unpack_tuple(builder, whole.shape)
    return builder.gep(whole.data, [builder.mul(numbers[0], width)]), [width]


_row = _of_array(1, _row_place)


@intrinsic
def leading(typing, array, n):
    return _leading(array, types.int64)


@intrinsic
def leading2(typing, array, m, n):
    return _leading2(array, types.int64, types.int64)


@intrinsic
def row_of(typing, array, i):
    return _row(array, types.int64)


def _c_argument(context, builder, kind, value):
    """An array is passed as the address of its data, a number as it is."""
    if isinstance(kind, types.Array):
        return builder.ptrtoint(context.make_array(kind)(context, builder, value).data, _WHOLE)
    return value


def _call(result):
    """Code generator for a call: the first argument is the address, the others are passed as in C."""

    def build(context, builder, signature, args):
        values = [_c_argument(context, builder, *pair) for pair in zip(signature.args[1:], args[1:], strict=True)]
        function = ir.FunctionType(result, [v.type for v in values])
        answer = builder.call(builder.inttoptr(args[0], function.as_pointer()), values)
        return context.get_dummy_value() if isinstance(result, ir.VoidType) else answer

    return build


_call_void, _call_whole = _call(ir.VoidType()), _call(_WHOLE)


@intrinsic
def call_flow(typing, address, t, x, data, out):
    return types.void(types.int64, types.float64, x, types.int64, out), _call_void


@intrinsic
def call_boundary(typing, address, t, x, xdot, data, out):
    return types.void(types.int64, types.float64, x, xdot, types.int64, out), _call_void


@intrinsic
def call_chosen(typing, address, t, x, xdot, data, out, chosen):
    return types.void(types.int64, types.float64, x, xdot, types.int64, out, chosen), _call_void


@intrinsic
def call_chosen_flow(typing, address, t, x, data, out, chosen):
    return types.void(types.int64, types.float64, x, types.int64, out, chosen), _call_void


@intrinsic
def call_transition(typing, address, t, x, fired, gaps, data, record):
    return types.int64(types.int64, types.float64, x, fired, gaps, types.int64, record), _call_whole


@intrinsic
def call_unit(typing, address, frame):
    return types.int64(types.int64, types.int64), _call_whole


@intrinsic
def clear(typing, address, n):
    def build(context, builder, signature, args):
        size = builder.mul(args[1], ir.Constant(_WHOLE, 8))
        cgutils.memset(builder, builder.inttoptr(args[0], cgutils.voidptr_t), size, 0)
        return context.get_dummy_value()

    return types.void(types.int64, types.int64), build


@intrinsic
def put_word(typing, address, word):
    def build(context, builder, signature, args):
        builder.store(args[1], builder.inttoptr(args[0], _WHOLE.as_pointer()))
        return context.get_dummy_value()

    return types.void(types.int64, types.int64), build
