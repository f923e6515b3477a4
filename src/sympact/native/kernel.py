"""Compiled units: kernels written in Python that the loop reaches by address.

A *kernel* is a function over numbers and views of memory, without allocation, exceptions or Python objects. A *unit* is
a kernel with a C signature. numba compiles a unit to LLVM IR once per machine; `sympact.native` stores the object code
as for any model, so that a later process loads it in milliseconds and never imports numba.

The same functions run as Python, some hundred times slower, on the same memory: in runs that `sympact.native.engine`
starts before there is machine code, and in the whole process under ``NUMBA_DISABLE_JIT=1``, for coverage and debuggers.
A caller of the address of a unit then calls the Python function itself (`function_at`), so that an exception in it,
which would end in ctypes, ends the run. Under ``NUMBA_DISABLE_JIT=1`` `sympact.native.addresses` also checks that no
kernel accesses memory outside of its arrays.
"""

from __future__ import annotations

import ctypes
import hashlib
import importlib
import importlib.metadata
import logging
import re
import threading
from collections.abc import Callable, Iterable
from contextvars import ContextVar
from dataclasses import dataclass
from functools import cache, lru_cache, partial
from pathlib import Path
from typing import Any, Protocol

import numpy as np

from sympact.native import object_code, shipped
from sympact.native.addresses import check
from sympact.native.cached import cached_property
from sympact.native.debugging import DEBUGGED
from sympact.on_request import on_request

__all__ = [
    "FLAGS",
    "KERNELS",
    "LEVEL",
    "LOG",
    "PRESENT",
    "LazyUnit",
    "Unit",
    "announce",
    "function_at",
    "interpreted",
    "kernel",
    "kernel_of",
    "machine_addresses",
]

LOG = logging.getLogger("sympact")
"""Messages about compilation: Python prints them on standard error, unless ``logging`` is configured otherwise."""

_C_TYPES: dict[str, Any] = {"int64": ctypes.c_int64, "float64": ctypes.c_double, "void": None}
FLAGS = {"contract", "nsz"}
LEVEL = 2
"""The optimisation of machine code of units."""
_MAKER = "sympact.native.lowering.unit_ir"
"""The module that makes LLVM IR of units by numba."""
_IMPORT = re.compile(r"^ *from (sympact[\w.]*) import (\([^)]*\)|[^\n]+)", re.MULTILINE)


class Evaluation(Protocol):
    """What decides how units are evaluated."""

    interpreted: bool


PRESENT: ContextVar[Evaluation | None] = ContextVar("engine", default=None)
"""The engine of this thread; without one units are machine code."""

_lock = threading.RLock()
KERNELS: list[Callable] = []  # those that are not registered with numba yet
_python_at: dict[int, Callable] = {}  # the interpreted units by their addresses
_machine_for: dict[int, Callable[[], int]] = {}  # the address of the machine code by that of the interpreted unit
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
        if not interpreted():
            return self._stub_address() if self.calls_python else self.unit.address()
        address = self.unit.address()
        _machine_for[address] = self._stub_address
        return address

    def _stub_address(self) -> int:
        return ctypes.cast(self._stub, ctypes.c_void_p).value or 0

    @cached_property
    def calls_python(self) -> bool:
        """Whether a call goes through Python: the unit has to be compiled."""
        return not self.unit.kept()

    def _call(self, data: int) -> int:
        return _machine_callable(self.unit)(data)


def interpreted() -> bool:
    """Whether units are evaluated as Python here: in the whole process, or by the `PRESENT` engine."""
    engine = PRESENT.get()
    return DEBUGGED or (engine is not None and engine.interpreted)


def kernel(function: Callable) -> Callable:
    """Mark a function as kernel code, which is compiled into the units that call it; called here it runs as Python.

    Floating point follows IEEE but for contraction (a*b + c in one rounding) and the sign of zero; a NaN stays a NaN.
    """
    KERNELS.append(function)
    return function


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
        """The address of the machine code, compiled on first use on a machine, which may take seconds.

        Where units are `interpreted` that of a C function that calls the kernel as Python.
        """
        with _lock:
            return _python_address(self) if interpreted() else _machine_address(self)

    def machine_address(self) -> int:
        """The address of the machine code, also where units are `interpreted`."""
        with _lock:
            return _machine_address(self)

    def kept(self) -> bool:
        """Whether its machine code is in memory or on disk, so that nothing has to be compiled."""
        return shipped.has(_identity(self)) or object_code.kept(**_settings(self))

    def emit(self) -> str:
        """LLVM IR of the unit, which numba makes, under the symbol ``unit``.

        Raises
        ------
        ImportError
            If numba is not installed.
        """
        return on_request("unit_ir")(self)

    @property
    def identity(self) -> str:
        """Its name, its signature and a digest of its sources."""
        return _identity(self)

    def callable(self) -> Callable:
        """The unit as a ctypes function, which releases the GIL while it runs, or as Python where it is interpreted."""
        with _lock:
            return _python_callable(self) if interpreted() else _machine_callable(self)


def function_at(prototype: Callable, address: int) -> Callable:
    """The C function at an address; where units are interpreted, the Python function of the unit at the address."""
    function = _python_at.get(int(address))
    if function is not None:
        return function
    return _surfacing(prototype, int(address)) if interpreted() else prototype(int(address))


def machine_addresses(addresses: Iterable[int]) -> dict[int, int]:
    """For those of the addresses that are of interpreted units, the addresses of their machine code."""
    with _lock:
        return {address: _machine_for[address]() for address in addresses if address in _machine_for}


@cache
def _machine_address(unit: Unit) -> int:
    return _machine_code(unit).address("unit")


@cache
def _python_address(unit: Unit) -> int:
    address = ctypes.cast(_twin(unit), ctypes.c_void_p).value or 0
    _python_at[address] = kernel_of(unit)
    _machine_for[address] = partial(_machine_address, unit)
    return address


@cache
def _machine_callable(unit: Unit) -> Callable:
    with _lock:
        return _prototype(unit.signature)(_machine_address(unit))


@cache
def _python_callable(unit: Unit) -> Callable:
    return _checked(kernel_of(unit))


def kernel_of(unit: Unit) -> Callable:
    """The Python function of a unit."""
    return getattr(importlib.import_module(unit.module), unit.function)


def _checked(function: Callable) -> Callable:
    """An interpreted unit as called from outside of kernels: IEEE arithmetic, and a check of the guard words."""

    def call(*arguments: float) -> int | None:
        with np.errstate(all="ignore"):
            answer = function(*arguments)
        check()
        return None if answer is None else int(answer)

    return call


@lru_cache(maxsize=4096)
def _surfacing(prototype: Callable, address: int) -> Callable:
    """A C function that may call interpreted units: their exceptions are raised on its return."""
    call = prototype(address)

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
    function, empty = kernel_of(unit), None if unit.signature.startswith("void") else 0

    def call(*arguments: float) -> int | None:
        try:
            return function(*arguments)
        except BaseException as error:
            _lost.raised = error
            return empty

    return _prototype(unit.signature)(call)


@cache
def _machine_code(unit: Unit) -> object_code.Code:
    content = shipped.find(_identity(unit))
    if content is not None:
        return object_code.loaded(content)
    return object_code.load(lambda: on_request("unit_ir")(unit), **_settings(unit))


def _identity(unit: Unit) -> str:
    return f"{unit.name} {unit.signature} {_sources(unit.module, _MAKER)}"


def _settings(unit: Unit) -> dict:
    """The identity of the unit in the cache, and its compilation."""
    return {"key": f"{_identity(unit)} numba {_numba_version()}", "level": LEVEL}


@cache
def _numba_version() -> str:
    try:
        return importlib.metadata.version("numba")
    except importlib.metadata.PackageNotFoundError:
        return "none"


def _prototype(signature: str):
    result, arguments = signature.rstrip(")").split("(")
    return ctypes.CFUNCTYPE(_C_TYPES[result], *(_C_TYPES[a.strip()] for a in arguments.split(",")))


@cache
def announce() -> None:
    """Give, once in a process, the reason for the delay."""
    LOG.warning("sympact: first use on this machine, compiling the integrator (up to a minute or two, once).")


@cache
def _sources(*modules: str) -> str:
    """A digest of the sources of a unit: its module, what makes code of it, those that they import, and so on."""
    known, waiting = {}, list(modules)
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
