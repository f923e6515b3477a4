"""The versions and the machine code of this installation: what the bits of a result depend on."""

from __future__ import annotations

import importlib.metadata
import platform
import sys
from dataclasses import dataclass, fields

import llvmlite.binding as llvm

from sympact import __version__
from sympact.native import shipped
from sympact.native.kernel import interpreted
from sympact.native.processor import host_target
from sympact.native.system.platform_calls import mathematics

__all__ = ["Installation", "about", "engine"]


@dataclass(frozen=True)
class Installation:
    """The versions and the machine code of this installation; ``print`` shows them as a table.

    Results of the same script have the same bits where all of these agree.

    Attributes
    ----------
    sympact, python, numpy, sympy, llvm : str
        Versions.
    engine : str
        The level of the processor that machine code is made for, such as ``linux-x86-64-v3``; "interpreted" where the
        loop runs as Python.
    loop : str
        The origin of the loop's machine code: "shipped" with the installation, or "compiled" on this machine.
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
        engine=engine(),
        loop="shipped" if shipped.any_for_this_machine() else "compiled",
        mathematics=library,
        python=sys.version.split()[0],
        numpy=importlib.metadata.version("numpy"),
        sympy=importlib.metadata.version("sympy"),
        llvm=".".join(map(str, llvm.llvm_version_info)),
    )


def engine() -> str:
    """The level of the processor that machine code is made for, or "interpreted"."""
    return "interpreted" if interpreted() else host_target().name
