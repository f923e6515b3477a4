"""Nothing depends on the order of sets: other processes, whose strings have other hashes, make the same graphs."""

from __future__ import annotations

import os
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest
from quick_members import members

PROGRAM = """
import sympy as sm
from mechanics_oracle import chain, cube
from switch_models import dropped

from sympact import Contact, HybridModel, Plane
from sympact.graph import FromSympy, Function, Graph, graph_hash
from sympact.mechanics.derived.compiled_functions import flow_function
from sympact.models import tumbling_cube, two_links

graphs = []
for system, points in (chain(3, "spatial"), cube("quaternion")):
    floor = Plane(system.fixed_point, system.y)
    model = HybridModel(system, [Contact(P, floor, restitution=sm.Symbol("e"), friction=0) for P in points])
    graphs += [graph_hash(model.derivation.graph, model.functions), model.parameters]
print("graphs of models", graphs, sep=": ")

derivations = [ready.model.derivation for ready in (tumbling_cube(), two_links())]
print("flows", [graph_hash(one.graph, [flow_function(one)]) for one in derivations], sep=": ")

x, v, c, t = sm.symbols("x v c t")
chosen = sm.Piecewise((1, sm.And(x > v, v > 1)), (2, x < 3), (0, True))
model = dropped(-c * v * sm.Abs(v) + sm.Max(0, -x, v - t, x * v) - chosen)
switches = [switch.names for switch in model.derivation.switches]
assert any("u > 0" in names for names in switches)
print("switches", model.compile().hash, switches, sep=": ")

q = [sm.Function(f"q{i}")(t) for i in range(3)]
k, m = sm.symbols("k m", positive=True)
graph = Graph()
symbols = {s: graph.input("x", i) for i, s in enumerate(q)} | {k: graph.input("p", 0), m: graph.input("p", 1)}
energy = sum(m * (sm.sin(a) * b - k)**2 / (1 + sm.Max(a, b, k)) for a in q for b in q)
energy += sm.Piecewise((k * q[0], sm.And(q[0] > 0, q[1] < k, sm.Ne(q[2], m))), (m, True))
nodes = tuple(map(FromSympy(graph, symbols), [energy, *(energy.diff(each) for each in q)]))
found = graph_hash(graph, [Function("f", nodes, ("t", "x", "p"))])
assert len(found) == 64
print("expressions of sympy", found, sep=": ")
"""


@cache
def printed(seed: str) -> dict[str, str]:
    """What a process with this seed prints, by the first words of a line."""
    folders = os.pathsep.join([str(Path(__file__).parents[1]), *sys.path])
    environment = {**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": folders}
    command = [sys.executable, "-c", PROGRAM]
    lines = subprocess.run(command, env=environment, stdout=subprocess.PIPE, text=True, check=True).stdout.splitlines()
    return dict(line.split(": ", 1) for line in lines)


@pytest.mark.parametrize("seed", members(["1", "77"], slow=["77"]))
@pytest.mark.parametrize("what", ["graphs of models", "flows", "switches", "expressions of sympy"])
def test_what_is_made_does_not_depend_on_the_hash_seed(seed, what):
    first, other = (printed(one)[what] for one in ("0", seed))
    assert first
    assert other == first
