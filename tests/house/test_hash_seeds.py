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
from sympact.graph import graph_hash
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
@pytest.mark.parametrize("what", ["graphs of models", "flows", "switches"])
def test_what_is_made_does_not_depend_on_the_hash_seed(seed, what):
    first, other = (printed(one)[what] for one in ("0", seed))
    assert first
    assert other == first
