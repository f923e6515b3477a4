"""Machine code: LLVM IR in, addresses out, with object code kept on disk between processes."""

from sympact.native.cache import ObjectCache, default_cache
from sympact.native.object_code import Code, compile_ir, host, kept, load, loaded

__all__ = ["Code", "ObjectCache", "compile_ir", "default_cache", "host", "kept", "load", "loaded"]
