"""Compiled units: kernels written in Python that the loop reaches by address.

A *kernel* is a function over numbers and views of memory, without allocation, exceptions or Python objects. A *unit* is
a kernel with a C signature. numba compiles a unit to LLVM IR once per machine; `sympact.native` stores the object code
as for any model, so that a later process loads it in milliseconds and never imports numba. Under
``NUMBA_DISABLE_JIT=1`` the same functions run as Python: slow, but accessible to coverage and a debugger. A caller of
the address of a unit then calls the Python function itself (`function_at`), so that an exception in it, which would end
in ctypes, ends the run; `sympact.native.addresses` checks that no kernel accesses memory outside of its arrays.
"""

from __future__ import annotations

import ctypes
import hashlib
import importlib
import importlib.metadata
import os
import re
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path
from typing import Any

import numpy as np

from sympact import native
from sympact.native import shipped

__all__ = ["LEVEL", "LazyUnit", "Unit", "announce", "function_at", "interpreted", "kernel"]

_C_TYPES: dict[str, Any] = {"int64": ctypes.c_int64, "float64": ctypes.c_double, "void": None}
_FLAGS = {"contract", "nsz"}
LEVEL = 2
"""The optimisation of machine code of units."""
_IMPORT = re.compile(r"^ *from (sympact[\w.]*) import (\([^)]*\)|[^\n]+)", re.MULTILINE)
_COUNTED = re.compile(
    r"^ *(?:tail |notail )?call void @NRT_(?:in|de)cref\(.*\n"  # calls
    r"|^define [^@\n]*@NRT_(?:in|de)cref\((?:.*\n)*?^\}\n",  # their definitions
    re.MULTILINE,
)
"""numba's counts of references to arrays: those of kernels have no owner, so that there is nothing to count."""
_lock = threading.RLock()
_as_python: dict[int, Callable] = {}  # the interpreted units by their addresses
_lost = threading.local()  # an exception of one that C code has called


class LazyUnit:
    """A unit ``int64(int64)`` that few runs need: it is compiled on its first call, also during a run.

    Parameters
    ----------
    unit : Unit
    """

    def __init__(self, unit: Unit) -> None:
        self.unit = unit
        self._stub = _prototype(unit.signature)(self._call)

    def address(self) -> int:
        """The address of a stub that calls the unit; that of the unit itself where it needs no compilation."""
        if not self.calls_python:
            return self.unit.address()
        return ctypes.cast(self._stub, ctypes.c_void_p).value or 0

    @cached_property
    def calls_python(self) -> bool:
        """Whether a call goes through Python: the unit has to be compiled."""
        return not self.unit.kept()

    def _call(self, data: int) -> int:
        return self.unit.callable()(data)


def interpreted() -> bool:
    """True when ``NUMBA_DISABLE_JIT`` requests kernels as plain Python."""
    return os.environ.get("NUMBA_DISABLE_JIT", "0") not in ("", "0")


def kernel(function: Callable) -> Callable:
    """Mark a function as kernel code: compiled into the unit that calls it, or left as it is when `interpreted`.

    Floating point follows IEEE but for contraction (a*b + c in one rounding) and the sign of zero; a NaN stays a NaN.
    """
    if interpreted():
        return function
    import numba

    inner = {"no_cpython_wrapper": True, "no_cfunc_wrapper": True}
    return numba.njit(error_model="numpy", fastmath=_FLAGS, **inner)(function)


@dataclass(frozen=True)
class Unit:
    """A kernel with a C signature, found by name so that its module is imported only when it must be compiled.

    Parameters
    ----------
    module, function : str
        The location of the kernel.
    signature : str
        Types as in C, the result first: ``"int64(float64, int64)"``. Addresses are ``int64``.

    Examples
    --------
    >>> Unit("sympact.integrate.loop.loop_kernel", "run", "int64(int64)").name
    'sympact.integrate.loop.loop_kernel.run'
    """

    module: str
    function: str
    signature: str = "int64(int64)"

    @property
    def name(self) -> str:
        """The location of the kernel, as one string."""
        return f"{self.module}.{self.function}"

    def address(self) -> int:
        """The address of the machine code; compiled on first use on a machine, which may take seconds."""
        with _lock:
            return _address(self)

    def kept(self) -> bool:
        """Whether its machine code is in memory or on disk, so that nothing has to be compiled."""
        return interpreted() or shipped.has(_identity(self)) or native.kept(**_settings(self))

    def emit(self) -> str:
        """LLVM IR of the unit, which numba makes and optimises, under the symbol ``unit``.

        Raises
        ------
        ImportError
            If numba is not installed.
        """
        return _emit(self)

    @property
    def identity(self) -> str:
        """Its name, its signature and a digest of its sources."""
        return _identity(self)

    def callable(self) -> Callable:
        """The unit as a ctypes function, which releases the GIL while it runs, or as Python where it is interpreted."""
        with _lock:
            return _callable(self)


def function_at(prototype: Callable, address: int) -> Callable:
    """The C function at an address; where units are interpreted, the Python function of the unit at the address."""
    function = _as_python.get(int(address))
    if function is not None:
        return function
    return _surfacing(prototype(int(address))) if interpreted() else prototype(int(address))


@cache
def _address(unit: Unit) -> int:
    if not interpreted():
        return _machine_code(unit).address("unit")
    address = ctypes.cast(_twin(unit), ctypes.c_void_p).value or 0
    _as_python[address] = _kernel_of(unit)
    return address


@cache
def _callable(unit: Unit) -> Callable:
    if not interpreted():
        return _prototype(unit.signature)(_address(unit))
    return _checked(_kernel_of(unit))


def _kernel_of(unit: Unit) -> Callable:
    return getattr(importlib.import_module(unit.module), unit.function)


def _checked(function: Callable) -> Callable:
    """An interpreted unit as called from outside of kernels: IEEE arithmetic, and a check of the guard words."""
    from sympact.native.addresses import check

    def call(*arguments: float) -> int | None:
        with np.errstate(all="ignore"):
            answer = function(*arguments)
        check()
        return None if answer is None else int(answer)

    return call


def _surfacing(call: Callable) -> Callable:
    """A C function that may call interpreted units: their exceptions are raised on its return."""

    def called(*arguments: float) -> int | None:
        answer = call(*arguments)
        error, _lost.raised = getattr(_lost, "raised", None), None
        if error is not None:
            raise error
        return answer

    return called


@cache
def _twin(unit: Unit):
    """A C callback that runs the kernel as Python, for C code that has its address; kept alive by this cache."""
    function, empty = _kernel_of(unit), None if unit.signature.startswith("void") else 0

    def call(*arguments: float) -> int | None:
        try:
            return function(*arguments)
        except BaseException as error:
            _lost.raised = error
            return empty

    return _prototype(unit.signature)(call)


@cache
def _machine_code(unit: Unit) -> native.Code:
    content = shipped.find(_identity(unit))
    if content is not None:
        return native.loaded(content)
    return native.load(lambda: _emit(unit), **_settings(unit))


def _identity(unit: Unit) -> str:
    return f"{unit.name} {unit.signature} {_sources(unit.module)}"


def _settings(unit: Unit) -> dict:
    """The identity of the unit in the cache, and its compilation."""
    return {"key": f"{_identity(unit)} numba {_numba_version()}", "level": LEVEL, "passes": False}


@cache
def _numba_version() -> str:
    try:
        return importlib.metadata.version("numba")
    except importlib.metadata.PackageNotFoundError:
        return "none"


def _prototype(signature: str):
    result, arguments = signature.rstrip(")").split("(")
    return ctypes.CFUNCTYPE(_C_TYPES[result], *(_C_TYPES[a.strip()] for a in arguments.split(",")))


def _emit(unit: Unit) -> str:
    """LLVM IR of the unit, optimised by numba, under the symbol ``unit``."""
    try:
        import numba
    except ImportError:
        raise ImportError(
            f"this installation has no machine code of the unit {unit.name} for this machine ({native.host()}), and "
            "numba, which would make it, is not installed; install a released wheel of sympact, or numba with "
            "pip install 'sympact[kernels]'"
        ) from None
    announce()
    function = _kernel_of(unit)
    function = getattr(function, "py_func", function)
    with _scalar_code(numba.config):
        compiled = numba.cfunc(unit.signature, error_model="numpy", fastmath=_FLAGS)(function)
    text = compiled._library.get_llvm_str().replace(compiled._wrapper_name, "unit")
    return _COUNTED.sub("", text)


@contextmanager
def _scalar_code(config) -> Iterator[None]:
    """Loops over a dozen states gain nothing from vectors: their checks for overlap cost more, also in compile time."""
    before = config.LOOP_VECTORIZE, config.SLP_VECTORIZE
    config.LOOP_VECTORIZE = config.SLP_VECTORIZE = 0
    try:
        yield
    finally:
        config.LOOP_VECTORIZE, config.SLP_VECTORIZE = before


@cache
def announce() -> None:
    """Print, once in a process, the reason for the delay."""
    text = "sympact: first use on this machine, compiling the integrator (up to a minute or two, once)."
    print(text, file=sys.stderr, flush=True)


@cache
def _sources(module: str) -> str:
    """A digest of the sources of a unit: its module, those that it imports, and so on."""
    known, waiting = {}, [module]
    while waiting:
        name = waiting.pop()
        if name not in known:
            known[name], imported = _read(name)
            waiting += imported
    digest = hashlib.sha256()
    for name in sorted(known):
        digest.update(name.encode() + b"\0" + known[name])
    return digest.hexdigest()


@cache
def _read(module: str) -> tuple[bytes, tuple[str, ...]]:
    """The text of a module of the package, and the modules of the package that it imports."""
    package = Path(__file__).parents[2]
    file = package / f"{module.replace('.', '/')}.py"
    if not file.exists():
        return b"", ()
    text, found = file.read_bytes(), []
    for origin, names in _IMPORT.findall(text.decode()):
        parts = [name.split(" as ")[0].strip() for name in names.strip("()\n").split(",")]
        inside = [f"{origin}.{name}" for name in parts if (package / origin.replace(".", "/") / f"{name}.py").exists()]
        found += inside or [origin]
    return text, tuple(found)
