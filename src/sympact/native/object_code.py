"""LLVM IR to machine code that is called by address.

The first process on a machine compiles and stores the object code, then loads it as every later process does, so that
all of them run the same bits.
"""

from __future__ import annotations

import ctypes
import hashlib
import threading
import weakref
from collections.abc import Callable
from functools import cache

import llvmlite.binding as llvm

from sympact.native.cache import default_cache
from sympact.native.processor import Target, host_target
from sympact.native.system.platform_calls import around_fork, function_of_c, mathematics, symbols_of_code
from sympact.version import __version__

__all__ = ["Code", "compile_ir", "host", "kept", "load", "loaded"]

# Symbols of numba on paths that code without Python objects never takes.
_NEVER_CALLED = {
    "numba_do_raise",
    "numba_gil_ensure",
    "numba_gil_release",
    "numba_runtime_build_excinfo_struct",
    "numba_unpickle",
}
_NEVER_CALLED_PREFIX = "NRT_"

# Every call of LLVM is made under this lock, and a child process inherits it free: no thread is inside LLVM.
_lock = threading.RLock()
_loaded: weakref.WeakValueDictionary[str, Code] = weakref.WeakValueDictionary()
_discarded: list[llvm.ExecutionEngine] = []
around_fork(_lock.acquire, _lock.release)


class Code:
    """Machine code in memory. Addresses are valid as long as this object lives; made by `load`."""

    def __init__(self, content: bytes) -> None:
        names, _, object_code = content.partition(b"\0")
        self._engine = _new_engine()
        for name in names.decode().split():
            _resolve(name)
        self._engine.add_object_file(llvm.ObjectFileRef.from_data(object_code))
        self._engine.finalize_object()

    def __del__(self, discarded: list[llvm.ExecutionEngine] = _discarded) -> None:
        # Collection can happen in any thread, so it must neither wait for the lock nor call LLVM without it; and at the
        # interpreter's end, when this module is empty already.
        if hasattr(self, "_engine"):
            discarded.append(self._engine)

    def address(self, name: str) -> int:
        """The address of the function `name`.

        Raises
        ------
        KeyError
            If the code has no such function.
        """
        address = self.find(name)
        if not address:
            raise KeyError(f"the machine code has no function {name!r}")
        return address

    def find(self, name: str) -> int:
        """The address of the function `name`; 0 if the code has no such function."""
        with _lock:
            return self._engine.get_function_address(name)


def load(text: Callable[[], str] | str, *, key: str, level: int, passes: bool = True) -> Code:
    """Machine code for LLVM IR: from memory, from disk, or compiled.

    Parameters
    ----------
    text : str or callable
        The IR. A callable is called only when the code has to be compiled.
    key : str
        Identifies the source of the IR: equal keys guarantee equal IR.
    level : int
        Optimisation from 0 to 3, for the passes over the IR and for the code generator.
    passes : bool
        False omits the passes over the IR: they would find nothing to improve.

    Returns
    -------
    Code
        The same object for the same arguments as long as the first one lives.

    Raises
    ------
    RuntimeError
        If the IR is not valid, or calls a function that does not exist.

    Examples
    --------
    >>> import ctypes
    >>> twice = "define double @twice(double %x) { %y = fadd double %x, %x ret double %y }"
    >>> code = load(twice, key="twice", level=1)
    >>> ctypes.CFUNCTYPE(ctypes.c_double, ctypes.c_double)(code.address("twice"))(21.0)
    42.0
    """
    with _lock:
        _discarded.clear()
        full_key = _full_key(key, level, passes)
        code = _loaded.get(full_key)
        if code is None:
            objects = default_cache()
            content = objects.get(full_key)
            if content is None:
                content = compile_ir(text() if callable(text) else text, host_target(), level=level, passes=passes)
                objects.put(full_key, content)
            code = _loaded[full_key] = Code(content)
        return code


def loaded(content: bytes) -> Code:
    """The machine code of a content that `compile_ir` has made."""
    with _lock:
        return Code(content)


def kept(*, key: str, level: int, passes: bool = True) -> bool:
    """Whether `load` would find the code in memory or on disk."""
    full_key = _full_key(key, level, passes)
    return full_key in _loaded or default_cache().has(full_key)


def _full_key(key: str, level: int, passes: bool) -> str:
    return hashlib.sha256(repr((key, host(), level, passes)).encode()).hexdigest()


@cache
def _versions() -> str:
    return f"sympact {__version__}, LLVM {'.'.join(map(str, llvm.llvm_version_info))}"


def host() -> str:
    """The dependencies of machine code: the versions of sympact and LLVM, the triple, the level of the processor."""
    target = host_target()
    return ", ".join(filter(None, [_versions(), target.triple, target.processor, target.features]))


def compile_ir(text: str, target: Target, *, level: int, passes: bool = True) -> bytes:
    """The content of a `Code`, for LLVM IR and a target, which need not be this machine.

    Parameters
    ----------
    text : str
        The IR.
    target : Target
    level : int
        Optimisation from 0 to 3.
    passes : bool
        False omits the passes over the IR: they would find nothing to improve.

    Returns
    -------
    bytes
        The names of the external symbols, for `Code` to resolve, and the object code.
    """
    with _lock:
        module = llvm.parse_assembly(text)
        machine = target.machine(level)
        module.triple = target.triple
        module.data_layout = str(machine.target_data)
        module.verify()
        if passes:
            _optimise(module, machine, level)
        symbols = (*module.functions, *module.global_variables)
        names = {symbol.name for symbol in symbols if symbol.is_declaration and not symbol.name.startswith("llvm.")}
        return " ".join(sorted(names)).encode() + b"\0" + machine.emit_object(module)


def _optimise(module: llvm.ModuleRef, machine: llvm.TargetMachine, level: int) -> None:
    """Run LLVM's passes, loops as they are: those of kernels are over a few numbers.

    Unrolled or over vectors they would begin with checks and end with what remains, which costs more than it saves.
    """
    options = llvm.create_pipeline_tuning_options(speed_level=level)
    options.loop_vectorization = options.slp_vectorization = options.loop_unrolling = False
    builder = llvm.create_pass_builder(machine, options)
    builder.getModulePassManager().run(module, builder)


def _new_engine() -> llvm.ExecutionEngine:
    engine = llvm.create_mcjit_compiler(llvm.parse_assembly(""), host_target().machine(2))
    _find_library_functions()
    return engine


@cache
def _find_library_functions() -> None:
    """Let LLVM find the C library's mathematics, to which intrinsics are lowered, and what else code refers to."""
    if not llvm.address_of_symbol("pow"):
        llvm.load_library_permanently(mathematics())
    for name, address in symbols_of_code().items():
        if not llvm.address_of_symbol(name):
            llvm.add_symbol(name, address)


def _resolve(name: str) -> None:
    """Check that LLVM finds `name`, because it ends the process otherwise."""
    if llvm.address_of_symbol(name):
        return
    if name in _NEVER_CALLED or name.startswith(_NEVER_CALLED_PREFIX):
        stand_in = function_of_c("abort")
    elif hasattr(ctypes.pythonapi, name):
        stand_in = getattr(ctypes.pythonapi, name)
    else:
        raise RuntimeError(f"the code uses the symbol {name!r}, found neither in this process nor in the C library")
    llvm.add_symbol(name, ctypes.cast(stand_in, ctypes.c_void_p).value)
