"""The versions and the machine code of this installation: what the bits of a result depend on."""

from __future__ import annotations

import importlib.metadata
import platform
import sys
from dataclasses import dataclass, fields

import llvmlite.binding as llvm

from sympact.native import shipped
from sympact.native.compilation import has_numba, keeps_what_others_compile
from sympact.native.engine import default_engine
from sympact.native.kernel import Unit, interpreted
from sympact.native.processor import host_target
from sympact.native.system.platform_calls import mathematics
from sympact.version import __version__

__all__ = ["Installation", "about"]

LOOP = Unit("sympact.integrate.loop.loop_kernel", "run")
"""The unit that every run calls."""


@dataclass(frozen=True)
class Installation:
    """The versions and the machine code of this installation; ``print`` shows them as a table.

    Results of the same script have the same bits where all of these agree.

    Attributes
    ----------
    sympact, python, numpy, sympy, llvm : str
        Versions.
    engine : str
        How a run that starts now is evaluated: the level of the processor that its machine code is made for, such as
        ``linux-x86-64-v3``, or "interpreted".
    loop : str
        The origin of the loop's machine code: "shipped" with the installation, "compiled" on this machine, or "none"
        where there is none yet.
    mathematics : str
        The library of sine, cosine and the like, with its version where it has one.
    """

    sympact: str
    engine: str
    loop: str
    mathematics: str
    python: str
    numpy: str
    sympy: str
    llvm: str

    def __str__(self) -> str:
        return "\n".join(f"{one.name:<12} {getattr(self, one.name)}" for one in fields(self))


def about() -> Installation:
    """The versions and the machine code of this installation, for reports of errors and of results.

    Examples
    --------
    >>> import sympact
    >>> print(sympact.about())  # doctest: +ELLIPSIS
    sympact      ...
    engine       ...
    loop         ...
    mathematics  ...
    """
    library = " ".join(filter(None, platform.libc_ver())) or mathematics()
    return Installation(
        sympact=__version__,
        engine=_engine(),
        loop="shipped" if shipped.has(LOOP.identity) else "compiled" if LOOP.kept() else "none",
        mathematics=library,
        python=sys.version.split()[0],
        numpy=importlib.metadata.version("numpy"),
        sympy=importlib.metadata.version("sympy"),
        llvm=".".join(map(str, llvm.llvm_version_info)),
    )


def _engine() -> str:
    """The engine of a run that starts now, for all that is known of it."""
    chosen = default_engine()
    waits = chosen == "compiled" or (has_numba() and not keeps_what_others_compile())
    without = interpreted() or chosen == "interpreted" or not (LOOP.kept() or waits)
    return "interpreted" if without else host_target().name
