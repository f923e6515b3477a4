"""Whether kernels run as plain Python in the whole process, with every access to memory checked."""

import os

__all__ = ["DEBUGGED"]

DEBUGGED = os.environ.get("NUMBA_DISABLE_JIT", "0") not in ("", "0")
"""Whether ``NUMBA_DISABLE_JIT`` requests kernels as plain Python in the whole process, every access checked."""
