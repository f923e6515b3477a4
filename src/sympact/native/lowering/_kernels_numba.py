"""What numba takes for the functions of kernels, which are plain Python functions where they are called."""

from numba import njit
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import Compiler
from numba.core.registry import cpu_target
from numba.core.typing.templates import infer_global

from sympact.native import pointer
from sympact.native.lowering import _memory_numba, _pointer_numba

_NAMES = [name for name in pointer.__all__ if name != "view"]
_FOUND_BY_NAME = ("cfunc.", "NRT_")  # the unit, and the counts of references that `kernel` removes
_known: dict = {}  # forms by functions; a type refers to its form weakly


class _Lowered(JITCodeLibrary):
    """IR of a kernel as numba has lowered it, without that of the kernels that it calls.

    It is optimised as part of the units that reach it, once in each: numba would do so at every level of calls, which
    takes seven times as long. No machine code is made of it, for only that of units is called.
    """

    def finalize(self):
        """Close the module."""
        self._final_module.verify()
        self._finalized = True

    @property
    def codegen(self):
        """The receiver of the Python objects that machine code needs: the library itself, as kernels need none."""
        return self

    def set_env(self, name, objects):
        """Do nothing: there is no machine code that reads them."""

    def get_pointer_to_function(self, name):
        """No address, though numba asks for one when the IR is to be finished."""
        self._ensure_finalized()
        return 0


class _Linked(_Lowered):
    """IR of a unit and of all that it calls."""

    def finalize(self):
        """Link what is called, callers before what they call: a function that nobody calls yet would be left out."""
        for library in _callers_first(self):
            self._final_module.link_in(library._get_module_for_linking(), preserve=True)
        self._internalize()
        self._verify_declare_only_symbols()
        super().finalize()

    def _internalize(self):
        """Make all but the unit itself internal: LLVM then removes arguments, results and copies that nobody reads.

        An array is passed as seven to ten numbers of which a kernel reads one or two. Names become short: those of
        values in functions that are inlined are made of them, and IR has a bound for names.
        """
        for number, function in enumerate(self._final_module.functions):
            if not (function.is_declaration or function.name.startswith(_FOUND_BY_NAME)):
                function.linkage, function.name = "internal", f"kernel.{number}"


def _callers_first(library):
    """The libraries that a library calls, directly or not, each before those that it calls itself."""
    order, seen = [], set()

    def visit(one):
        for called in one._linking_libraries:
            if called not in seen:
                seen.add(called)
                visit(called)
                order.append(called)

    visit(library)
    return reversed(order)


class _ToLowered(Compiler):
    """numba's compiler as far as LLVM IR."""

    library = _Lowered

    def define_pipelines(self):
        """Those of numba, which write to a library that keeps their IR."""
        self.state.library = self.library(self.state.targetctx.codegen(), self.state.func_id.func_qualname)
        return super().define_pipelines()


class ToLinked(_ToLowered):
    """The same for a unit."""

    library = _Linked


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
    compiled = njit(no_cpython_wrapper=True, no_cfunc_wrapper=True, pipeline_class=_ToLowered, **flags)
    while kernels:
        function = kernels.pop()
        forms[function] = compiled(function)
    context = cpu_target.typing_context
    context.refresh()
    for function, form in forms.items():
        if function not in _known:
            _known[function] = form
            infer_global(function, context.resolve_value_type(form))
