"""Machine code: LLVM IR in, addresses out, with object code kept on disk between processes."""

from sympact.native.cache import ObjectCache, default_cache
from sympact.native.object_code import Code, host, kept, load, loaded, object_code

__all__ = ["Code", "ObjectCache", "default_cache", "host", "kept", "load", "loaded", "object_code"]
