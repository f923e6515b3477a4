"""The ball between a ceiling and a spring: the first example of the multi-stage framework's document, built anew."""

from __future__ import annotations

import json
from pathlib import Path

from sympact import HybridSystem, Transition

REFERENCE = json.loads((Path(__file__).parent / "reference" / "ball_ceiling_spring.json").read_text())
NUMBERS = {name: float(value) for name, value in REFERENCE["params"].items()}
PATH = tuple({1: "free", 2: "spring"}[stage] for stage in REFERENCE["reference"]["path"])


def plain() -> HybridSystem:
    """The ball as plain functions."""
    m, c, g, k, h, eta = (NUMBERS[name] for name in ("m", "c", "g", "k", "h", "eta"))
    return HybridSystem(
        flows={
            "free": lambda t, x: [x[1], -g - c / m * x[1]],
            "spring": lambda t, x: [x[1], -g - c / m * x[1] - k / m * x[0]],
        },
        transitions=[
            Transition(
                "free", "free", boundary=lambda t, x: x[0] - h, jump=lambda t, x: [x[0], -eta * x[1]], name="top"
            ),
            Transition("free", "spring", boundary=lambda t, x: -x[0]),
            Transition("spring", "free", boundary=lambda t, x: x[0]),
        ],
        states=["y", "v"],
    )


def symbolic() -> tuple[HybridSystem, dict]:
    """The ball as SymPy expressions, and its parameters."""
    import sympy as sm

    y, v = sm.symbols("y v")
    m, c, g, k, h, eta = sm.symbols("m c g k h eta")
    process = HybridSystem.from_sympy(
        flows={"free": [v, -g - c / m * v], "spring": sm.Matrix([v, -g - c / m * v - k / m * y])},
        transitions=[
            Transition("free", "free", boundary=y - h, jump={v: -eta * v}, name="top"),
            Transition("free", "spring", boundary=-y),
            Transition("spring", "free", boundary=y),
        ],
        states=[y, v],
        parameters=[m, c, g, k, h, eta],
    )
    return process, {symbol: NUMBERS[symbol.name] for symbol in (m, c, g, k, h, eta)}
