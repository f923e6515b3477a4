"""Kernels in LLVM IR, by numba, which is imported only where something is compiled."""
