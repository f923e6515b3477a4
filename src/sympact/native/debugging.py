"""Whether kernels run as plain Python in the whole process, with every access to memory checked."""

import os

__all__ = ["debugged"]

_DEBUGGED = os.environ.get("NUMBA_DISABLE_JIT", "0") not in ("", "0")


def debugged() -> bool:
    """Whether ``NUMBA_DISABLE_JIT`` requests kernels as plain Python in the whole process, every access checked."""
    return _DEBUGGED
