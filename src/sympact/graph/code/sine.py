"""Sine and cosine of four angles at once, in LLVM IR.

An angle x = n pi/2 + r is reduced to |r| <= pi/4 by subtracting n times three parts of pi/2, the idea of Cody and
Waite (Software Manual for the Elementary Functions, 1980). With |n| <= 2^20 every step but one is exact: the first part
has all 53 bits, and the fused product cancels the leading ones; the second has 33 bits, so that its products with n
are doubles. What the one rounding loses is known, and the rest w of the reduced angle r + w is carried on:

    sin(r + w) = r + (z r P(z) + w (1 - z/2)),             z = r^2
    cos(r + w) = h + (z^2 Q(z) - w r + (1 - h - r^2/2)),   h = 1 - r^2/2, rounded

P and Q are minimax polynomials of degree 5 for |r| <= pi/4, found by Remez exchange, one coefficient after the other
rounded to a double and the remaining ones fitted again. They leave relative errors of 2^-57.8 in the sine and 2^-63.9
in the cosine. Results are within 1 unit in the last place; the sine is odd and the cosine even in every bit.

Angles from 2^20 on, infinities and NaN go to the C library. What a lane gives does not depend on the other lanes.
"""

from __future__ import annotations

import struct
from collections import defaultdict
from collections.abc import Iterable, Iterator
from functools import cache
from itertools import islice
from string import Template

from sympact.graph.nodes.operations import LEAVES
from sympact.native.processor import host_target

__all__ = ["LANES", "SINE_COSINE", "has_fused_product", "sine_batches"]

LANES = 4
_SINE = (
    *(-0.1666666666666663, 0.00833333333332184, -0.0001984126982935851),
    *(2.7557313538498483e-06, -2.5050734385276395e-08, 1.5895432973634764e-10),
)
_COSINE = (
    *(0.041666666666666595, -0.0013888888888873342, 2.4801587289002076e-05),
    *(-2.755731421703596e-07, 2.0875705395290323e-09, -1.1358749181413677e-11),
)
_NUMBERS = {
    "limit": 2.0**20,
    # Added to a number, it leaves the nearest integer, the even one of two, in the lowest bits.
    "shift": 1.5 * 2.0**52,
    "two_over_pi": 0.6366197723675814,
    "minus_first": -1.5707963267948966,
    "minus_second": -6.12323399538461e-17,
    "minus_third": -3.5215598651832e-27,
    "one": 1.0,
    "minus_half": -0.5,
    **{f"p{k}": number for k, number in enumerate(_SINE)},
    **{f"q{k}": number for k, number in enumerate(_COSINE)},
}

# One operation on all lanes a line: name of the result, operation, operands.
_NEAR = """
k fma x two_over_pi shift
n fsub k shift
r1 fma n minus_first x
r fma n minus_second r1
r.lost fsub r1 r
w1 fma n minus_second r.lost
w fma n minus_third w1
z fmul r r
z2 fmul z z
zr fmul z r

p01 fma z p1 p0
p23 fma z p3 p2
p45 fma z p5 p4
p25 fma z2 p45 p23
p fma z2 p25 p01
slope fma z minus_half one
sine.w fmul w slope
sine.rest fma zr p sine.w
sine.r fadd r sine.rest

q01 fma z q1 q0
q23 fma z q3 q2
q45 fma z q5 q4
q25 fma z2 q45 q23
q fma z2 q25 q01
r.minus_half fmul r minus_half
h fma r.minus_half r one
h.lost fsub one h
h.rest fma r.minus_half r h.lost
wr fmul w r
cosine.w fsub h.rest wr
cosine.rest fma z2 q cosine.w
cosine.r fadd h cosine.rest
"""

# n mod 4 decides which of the two is the sine, and the signs.
_QUADRANTS = """
  %n.bits = bitcast <4 x double> %k to <4 x i64>
  %n.odd = shl <4 x i64> %n.bits, splat (i64 63)
  %exchange = icmp slt <4 x i64> %n.odd, zeroinitializer
  %n.next = add <4 x i64> %n.bits, splat (i64 1)
  %sine.two = and <4 x i64> %n.bits, splat (i64 2)
  %cosine.two = and <4 x i64> %n.next, splat (i64 2)
  %sine.sign = shl <4 x i64> %sine.two, splat (i64 62)
  %cosine.sign = shl <4 x i64> %cosine.two, splat (i64 62)
  %sine.size = select <4 x i1> %exchange, <4 x double> %cosine.r, <4 x double> %sine.r
  %cosine.size = select <4 x i1> %exchange, <4 x double> %sine.r, <4 x double> %cosine.r
  %sine.size.bits = bitcast <4 x double> %sine.size to <4 x i64>
  %cosine.size.bits = bitcast <4 x double> %cosine.size to <4 x i64>
  %sine.bits = xor <4 x i64> %sine.size.bits, %sine.sign
  %cosine.bits = xor <4 x i64> %cosine.size.bits, %cosine.sign
  %sine = bitcast <4 x i64> %sine.bits to <4 x double>
  %cosine = bitcast <4 x i64> %cosine.bits to <4 x double>
"""
_IS_NEAR = """
  %size = call <4 x double> @llvm.fabs.v4f64(<4 x double> %x)
  %near = fcmp olt <4 x double> %size, $limit
"""

_FAR = """
define internal {<4 x double>, <4 x double>} @sine.cosine.far(
    <4 x double> %x, <4 x double> %sine, <4 x double> %cosine) noinline cold nounwind {
$is_near
  %library.sine = call <4 x double> @llvm.sin.v4f64(<4 x double> %x)
  %library.cosine = call <4 x double> @llvm.cos.v4f64(<4 x double> %x)
  %s = select <4 x i1> %near, <4 x double> %sine, <4 x double> %library.sine
  %c = select <4 x i1> %near, <4 x double> %cosine, <4 x double> %library.cosine
  %half = insertvalue {<4 x double>, <4 x double>} poison, <4 x double> %s, 0
  %both = insertvalue {<4 x double>, <4 x double>} %half, <4 x double> %c, 1
  ret {<4 x double>, <4 x double>} %both
}
"""
_TEXT = """
declare <4 x double> @llvm.fma.v4f64(<4 x double>, <4 x double>, <4 x double>)
declare <4 x double> @llvm.fabs.v4f64(<4 x double>)
declare <4 x double> @llvm.sin.v4f64(<4 x double>)
declare <4 x double> @llvm.cos.v4f64(<4 x double>)
$far
define internal {<4 x double>, <4 x double>} @sine.cosine(double %x0, double %x1, double %x2, double %x3) nounwind {
  %x.0 = insertelement <4 x double> poison, double %x0, i64 0
  %x.01 = insertelement <4 x double> %x.0, double %x1, i64 1
  %x.012 = insertelement <4 x double> %x.01, double %x2, i64 2
  %x = insertelement <4 x double> %x.012, double %x3, i64 3
$near$quadrants$is_near
  %near.bits = bitcast <4 x i1> %near to i4
  %all.near = icmp eq i4 %near.bits, -1
  br i1 %all.near, label %done, label %beyond
done:
  %half = insertvalue {<4 x double>, <4 x double>} poison, <4 x double> %sine, 0
  %both = insertvalue {<4 x double>, <4 x double>} %half, <4 x double> %cosine, 1
  ret {<4 x double>, <4 x double>} %both
beyond:
  %far = call {<4 x double>, <4 x double>} @sine.cosine.far(
    <4 x double> %x, <4 x double> %sine, <4 x double> %cosine)
  ret {<4 x double>, <4 x double>} %far
}
"""


def _literal(number: float) -> str:
    bits = struct.unpack("<Q", struct.pack("<d", number))[0]
    return "<" + ", ".join([f"double 0x{bits:016X}"] * LANES) + ">"


def _operation(line: str) -> str:
    name, op, *operands = line.split()
    values = [_literal(_NUMBERS[operand]) if operand in _NUMBERS else f"%{operand}" for operand in operands]
    if op == "fma":
        arguments = ", ".join(f"<4 x double> {value}" for value in values)
        return f"  %{name} = call <4 x double> @llvm.fma.v4f64({arguments})"
    return f"  %{name} = {op} <4 x double> {', '.join(values)}"


def _text() -> str:
    near = "\n".join(_operation(line) for line in _NEAR.splitlines() if line)
    is_near = Template(_IS_NEAR).substitute(limit=_literal(_NUMBERS["limit"]))
    far = Template(_FAR).substitute(is_near=is_near)
    return Template(_TEXT).substitute(near=near, quadrants=_QUADRANTS, is_near=is_near, far=far)


# {sine, cosine} @sine.cosine(x0, x1, x2, x3). The angles come one by one: a load of all as a vector would wait for the
# stores of single numbers before it, which made whole runs up to a quarter slower.
SINE_COSINE = _text()


@cache
def has_fused_product() -> bool:
    """Whether this machine has an instruction for a b + c rounded once; else the C library's functions are used."""
    return host_target().has_fused_product


def sine_batches(rows: list[list], positions: Iterable[int]) -> dict[int, dict[int, list[int]]]:
    """Which sines and cosines are computed together: those of angles below which equally many of them are nested.

    Parameters
    ----------
    rows : list of list
        The nodes of a table.
    positions : iterable of int
        Those computed together, in order of evaluation; nodes below them count as there already.

    Returns
    -------
    dict
        The batch of every sine and cosine: for at most `LANES` angles, the positions of what is wanted of each.

    Examples
    --------
    >>> rows = [["input", "x", 0], ["sin", 0], ["cos", 0], ["input", "x", 1], ["cos", 3], ["sin", 1]]
    >>> sine_batches(rows, range(6))[2]
    {0: [1, 2], 3: [4]}
    >>> sine_batches(rows, range(6))[5]
    {1: [5]}
    """
    depths: dict[int, int] = {}
    levels: dict[int, dict[int, list[int]]] = defaultdict(lambda: defaultdict(list))
    for position in positions:
        op, *args = rows[position]
        depth = 0 if op in LEAVES else max(depths.get(arg, 0) for arg in args)
        if op in ("sin", "cos"):
            levels[depth][args[0]].append(position)
            depth += 1
        depths[position] = depth
    batches = (batch for angles in levels.values() for batch in _parted(angles))
    return {position: batch for batch in batches for wanted in batch.values() for position in wanted}


def _parted(angles: dict[int, list[int]]) -> Iterator[dict[int, list[int]]]:
    items = iter(angles.items())
    while part := dict(islice(items, LANES)):
        yield part
