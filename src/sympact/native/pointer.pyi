"""What the kernels see of `pointer`: addresses are integers, views are float64 or int64 arrays."""

from collections.abc import Callable
from typing import Any, TypeVar

from numpy import float64, int64
from numpy.typing import NDArray

from sympact.native.memory import Memory

__all__: list[str]
_views: list[type[Memory]]
AnyMemory = TypeVar("AnyMemory", bound=Memory)

def reals(address: int, n: int) -> NDArray[float64]: ...
def reals2(address: int, m: int, n: int) -> NDArray[float64]: ...
def wholes(address: int, n: int) -> NDArray[int64]: ...
def leading(array: NDArray[Any], n: int) -> NDArray[Any]: ...
def leading2(array: NDArray[Any], m: int, n: int) -> NDArray[Any]: ...
def row_of(array: NDArray[Any], i: int) -> NDArray[Any]: ...
def view(declaration: type[AnyMemory]) -> Callable[[int], AnyMemory]: ...
def call_flow(address: int, t: float, x: NDArray[float64], data: int, out: NDArray[float64]) -> None: ...
def call_boundary(
    address: int, t: float, x: NDArray[float64], xdot: NDArray[float64], data: int, out: NDArray[float64]
) -> None: ...
def call_chosen(
    address: int,
    t: float,
    x: NDArray[float64],
    xdot: NDArray[float64],
    data: int,
    out: NDArray[float64],
    chosen: NDArray[int64],
) -> None: ...
def call_transition(
    address: int,
    t: float,
    x: NDArray[float64],
    fired: NDArray[float64],
    gaps: NDArray[float64],
    data: int,
    record: NDArray[float64],
) -> int: ...
def call_unit(address: int, frame: int) -> int: ...
