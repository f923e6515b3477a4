"""Friction that changes with slip and place: a mass on a belt, dry and with a wet part."""

# begin
import numpy as np
from matplotlib.figure import Figure
from sympy import Float, Piecewise, exp
from sympy.physics.mechanics import Force, Particle, Point, ReferenceFrame, System, dynamicsymbols

from sympact import Contact, HybridModel, Plane, slip_speed

x, y, v_x, v_y = dynamicsymbols("x y v_x v_y")
N, O = ReferenceFrame("N"), Point("O")
mass = Particle("mass", O.locatenew("P", x * N.x + y * N.y), 1)
system = System(N, O)
system.add_bodies(mass)
system.add_coordinates(x, y)
system.add_speeds(v_x, v_y)
system.add_kdes(v_x - x.diff(), v_y - y.diff())
system.add_loads(Force(mass.masscenter, -9.81 * N.y - 20 * x * N.x))  # N: weight, and a spring of 20 N/m
belt = Plane(O.locatenew("belt", 0.2 * dynamicsymbols._t * N.x), N.y)  # 0.2 m/s

stribeck = Float("0.3") + 0.1 * exp(-slip_speed / 0.2)
frictions = {"dry": stribeck, "wet beyond 0.15 m": Piecewise((stribeck / 2, x > Float("0.15")), (stribeck, True))}
runs = {}
for name, friction in frictions.items():
    contact = Contact(mass.masscenter, belt, restitution=0, friction=friction, name="mass")
    runs[name] = HybridModel(system, [contact]).simulate((0, 20), [0, 0, 0.2, 0], {})
    print(name, runs[name].status.name, len(runs[name].events), "events")

figure = Figure(figsize=(6, 3.6), layout="constrained")
axes = figure.add_subplot()
times = np.linspace(10, 20, 2000)
for name, result in runs.items():
    axes.plot(result(times)[0], result(times)[2], label=name)
axes.set(xlabel="x (m)", ylabel="$v_x$ (m/s)")
figure.legend(loc="outside upper center", ncols=2)
figure.savefig("friction.png", dpi=120)
slips = [event.t for event in runs["dry"].events if event.kind == "slip"]
assert np.ptp(np.diff(slips)) < 1e-6  # a limit cycle
