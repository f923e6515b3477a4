"""The processor that machine code is made for: a level of its family, so that all processors of it run the same bits.

The levels of x86-64 are those of its System V ABI, "Micro-Architecture Levels": v2 since 2009, v3 (with AVX2 and the
fused product) since 2013. For aarch64 there is one level, the first version of the architecture.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from functools import cache

import llvmlite.binding as llvm

__all__ = ["TARGETS", "Target", "host_target"]


@dataclass(frozen=True)
class Target:
    """A processor level under an operating system.

    Attributes
    ----------
    name : str
        Such as ``linux-x86-64-v3``.
    triple : str
        LLVM's name of processor family and system, which decides the format of object code.
    processor : str
        LLVM's name of the level.
    features : str
        Further features of the processor, where no level describes it.
    """

    name: str
    triple: str
    processor: str
    features: str = ""

    @property
    def has_fused_product(self) -> bool:
        """Whether it has an instruction for a b + c rounded once."""
        return self.processor in _FUSED or "+fma" in self.features.split(",")

    def machine(self, level: int) -> llvm.TargetMachine:
        """LLVM's code generator for it, at an optimisation level from 0 to 3."""
        _initialise()
        target = llvm.Target.from_triple(self.triple)
        return target.create_target_machine(cpu=self.processor, features=self.features, opt=level, jit=True)


TARGETS = {
    target.name: target
    for target in (
        Target("linux-x86-64-v3", "x86_64-unknown-linux-gnu", "x86-64-v3"),
        Target("linux-x86-64-v2", "x86_64-unknown-linux-gnu", "x86-64-v2"),
        Target("linux-aarch64", "aarch64-unknown-linux-gnu", "generic"),
        Target("macos-arm64", "arm64-apple-darwin", "apple-m1"),
        Target("windows-x86-64-v3", "x86_64-pc-windows-msvc", "x86-64-v3"),
        Target("windows-x86-64-v2", "x86_64-pc-windows-msvc", "x86-64-v2"),
    )
}
"""The targets that wheels have machine code for."""

_NEEDED = {
    "x86-64-v3": {"avx", "avx2", "bmi", "bmi2", "f16c", "fma", "lzcnt", "movbe"},
    "x86-64-v2": {"cx16", "popcnt", "sse3", "sse4.1", "sse4.2", "ssse3"},
}
_FUSED = {"x86-64-v3", "generic", "apple-m1"}
_SYSTEMS = {"linux": "linux", "darwin": "macos", "windows": "windows"}


def host_target() -> Target:
    """The best target of this machine; ``SYMPACT_PROCESSOR`` takes a lower level, such as ``x86-64-v2``.

    Raises
    ------
    ValueError
        If this processor does not have the requested level.
    """
    return _host_target(os.environ.get("SYMPACT_PROCESSOR", ""))


@cache
def _host_target(wanted: str) -> Target:
    triple = llvm.get_process_triple()
    found = [target for target in TARGETS.values() if _runs(target, triple)]
    if wanted:
        found = [target for target in found if target.processor == wanted]
        if not found:
            levels = [target.processor for target in TARGETS.values() if _runs(target, triple)]
            raise ValueError(
                f"SYMPACT_PROCESSOR is {wanted!r}, expected a level that this processor has, one of "
                f"{', '.join(levels) or 'none'}, or nothing for the best of them"
            )
    if found:
        return Target(found[0].name, triple, found[0].processor)
    processor = llvm.get_host_cpu_name()
    return Target(f"{triple}-{processor}", triple, processor, llvm.get_host_cpu_features().flatten())


def _runs(target: Target, triple: str) -> bool:
    """Whether code for a target runs on this processor and under its system."""
    family = {"arm64": "aarch64"}.get(triple.split("-")[0], triple.split("-")[0])
    own = {"arm64": "aarch64"}.get(target.triple.split("-")[0], target.triple.split("-")[0])
    system = next((name for part, name in _SYSTEMS.items() if part in triple), "")
    needed = _NEEDED.get(target.processor, set())
    return family == own and target.name.startswith(f"{system}-") and needed <= _features()


@cache
def _features() -> frozenset[str]:
    """The features of this processor."""
    return frozenset(name for name, present in llvm.get_host_cpu_features().items() if present)


@cache
def _initialise() -> None:
    llvm.initialize_all_targets()
    llvm.initialize_all_asmprinters()
