"""LLVM IR of a unit: what numba lowers, without what it adds for arrays that have owners."""

from __future__ import annotations

import re

from sympact.native import object_code
from sympact.native.kernel import FLAGS, KERNELS, Unit, announce, kernel_of

__all__ = ["unit_ir"]

_COUNTED = re.compile(
    r"^ *(?:tail |notail )?call void @NRT_(?:in|de)cref\(.*\n"  # calls
    r"|^define [^@\n]*@NRT_(?:in|de)cref\((?:.*\n)*?^\}\n",  # their definitions
    re.MULTILINE,
)
"""numba's counts of references to arrays: those of kernels have no owner, so that there is nothing to count."""


def unit_ir(unit: Unit) -> str:
    """LLVM IR of the unit, as numba lowers it, under the symbol ``unit``."""
    try:
        import numba
    except ImportError:
        raise ImportError(
            f"this installation has no machine code of the unit {unit.name} for this machine ({object_code.host()}), "
            "and numba, which would make it, is not installed; install a released wheel of sympact, or numba with "
            "pip install 'sympact[kernels]'"
        ) from None
    from sympact.native.lowering._kernels_numba import ToLinked, make_known

    announce()
    function, options = kernel_of(unit), {"error_model": "numpy", "fastmath": FLAGS}
    make_known(KERNELS, **options)
    compiled = numba.cfunc(unit.signature, pipeline_class=ToLinked, **options)(function)
    text = compiled._library.get_llvm_str().replace(compiled._wrapper_name, "unit")
    return _COUNTED.sub("", text)
