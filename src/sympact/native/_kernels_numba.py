"""What numba takes for the functions of kernels, which are plain Python functions where they are called."""

from numba import njit
from numba.core.registry import cpu_target
from numba.core.typing.templates import infer_global

from sympact.native import _memory_numba, _pointer_numba, pointer

_NAMES = [name for name in pointer.__all__ if name != "view"]
_known: dict = {}  # forms by functions; a type refers to its form weakly


def make_known(kernels, **flags):
    """Register with numba the compiled form of each kernel, view and function of `pointer`.

    Parameters
    ----------
    kernels : list of callable
        Those that are not registered yet; empty afterwards.
    **flags
        How they are compiled.
    """
    forms = {getattr(pointer, name): getattr(_pointer_numba, name) for name in _NAMES}
    while pointer._views:
        declaration = pointer._views.pop()
        forms.setdefault(declaration, _memory_numba.view(declaration))
    while kernels:
        function = kernels.pop()
        forms[function] = njit(no_cpython_wrapper=True, no_cfunc_wrapper=True, **flags)(function)
    context = cpu_target.typing_context
    context.refresh()
    for function, form in forms.items():
        if function not in _known:
            _known[function] = form
            infer_global(function, context.resolve_value_type(form))
