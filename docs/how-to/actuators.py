"""All actuators and pathways of SymPy in one row of mechanisms, with what has a closed form compared."""

# begin
import warnings
from math import sqrt

import numpy as np
import sympy as sm
from scipy.special import ellipk
from sympy.physics.biomechanics import FirstOrderActivationDeGroote2016, MusculotendonDeGroote2016
from sympy.physics.mechanics import (
    CoulombKineticFriction,
    DuffingSpring,
    Force,
    ForceActuator,
    LinearDamper,
    LinearPathway,
    LinearSpring,
    ObstacleSetPathway,
    Particle,
    PathwayBase,
    Point,
    ReferenceFrame,
    System,
    TorqueActuator,
    WrappingCylinder,
    WrappingPathway,
    dynamicsymbols,
)

from sympact import HybridModel, SympactWarning

t = dynamicsymbols._t
m, g, l, r, k, k3, c, F, mu = sm.symbols("m g l r k k3 c F mu", positive=True)
NUMBERS = {m: 1, g: 9.81, l: 1, r: 0.3, k: 40, k3: 200, c: 40, F: 8, mu: 0.3}


class Tackle(PathwayBase):
    """A pathway of our own: a rope that runs three times between two blocks, as long as three times their distance."""

    @property
    def length(self):
        """Of the rope."""
        start, end = self.attachments
        return 3 * end.pos_from(start).magnitude()

    @property
    def extension_velocity(self):
        """Its derivative."""
        return self.length.diff(t)

    def to_loads(self, force):
        """Three times the force in the rope on each block; the loads have the power F L'."""
        start, end = self.attachments
        pull = 3 * force * end.pos_from(start).normalize()
        return [Force(start, -pull), Force(end, pull)]


class Row:
    """Mechanisms side by side, at a distance of 0.8 m."""

    def __init__(self):
        self.N, self.O = ReferenceFrame("N"), Point("O")
        self.system = System(self.N, self.O)
        self.start, self.count = {}, 0

    def stand(self, name):
        """A fixed point for the next mechanism."""
        point = self.O.locatenew(f"{name}_top", 0.8 * self.count * self.N.x)
        self.count += 1
        return point

    def body(self, name, point, q, u, place, speed, weight=True):
        """A particle at a point that one coordinate moves."""
        self.system.add_bodies(Particle(name, point, m))
        self.system.add_coordinates(q)
        self.system.add_speeds(u)
        self.system.add_kdes(u - q.diff())
        if weight:
            self.system.add_loads(Force(point, -m * g * self.N.y))
        self.start |= {q: place, u: speed}

    def weight(self, name, place=0.8, speed=0.0, weight=True):
        """A weight at the distance q below its stand; returns the stand, the weight and its coordinates."""
        q, u = dynamicsymbols(f"q_{name} u_{name}")
        top = self.stand(name)
        bob = top.locatenew(name, -q * self.N.y)
        self.body(name, bob, q, u, place, speed, weight)
        return top, bob, q, u


def build():
    """The model, its start and the activation of the muscle."""
    row = Row()
    add, N = row.system.add_actuators, row.N
    add(LinearSpring(k, LinearPathway(*row.weight("spring")[:2]), l))
    add(LinearDamper(c, LinearPathway(*row.weight("damper", 0.3)[:2])))
    add(DuffingSpring(k, k3, LinearPathway(*row.weight("duffing", 0.4, weight=False)[:2])))
    top, bob, _, _ = row.weight("pulley", 0.7)
    add(LinearSpring(k, ObstacleSetPathway(top.locatenew("foot", -0.4 * N.x - l * N.y), top, bob), 3 * l / 2))
    top, bob, _, _ = row.weight("tackle", 1.0)
    add(LinearSpring(k / 9, Tackle(top, bob), 3 * l))
    add(ForceActuator(F * sm.cos(3 * t), LinearPathway(top, bob)))
    top, bob, _, _ = row.weight("friction", 0.5, 0.2, weight=False)
    add(CoulombKineticFriction(mu, m * g, LinearPathway(top, bob)))
    row.system.add_loads(Force(bob, -9 * sm.cos(3 * t) * N.y))
    top, bob, _, _ = row.weight("muscle", 0.42)
    activation = FirstOrderActivationDeGroote2016.with_defaults("muscle")
    sizes = {
        "tendon_slack_length": sm.Float(0.2),
        "peak_isometric_force": sm.Integer(60),
        "optimal_fiber_length": sm.Float(0.2),
        "maximal_fiber_velocity": sm.Integer(2),
        "optimal_pennation_angle": sm.Float(0.1),
        "fiber_damping_coefficient": sm.Float(0.1),
    }
    muscle = MusculotendonDeGroote2016.with_defaults("muscle", LinearPathway(top, bob), activation, **sizes)
    add(muscle)
    row.start[activation.a] = 0.3
    drum = row.stand("drum")
    q, u = dynamicsymbols("q_drum u_drum")
    A = N.orientnew("A", "Axis", (q, N.z))
    A.set_ang_vel(N, u * N.z)
    row.body("pendulum", drum.locatenew("pendulum", -0.8 * A.x), q, u, 2.5, 0.0)
    ends = drum.locatenew("drum_start", -r * N.x), drum.locatenew("drum_end", -r * A.x)
    add(LinearSpring(-k, WrappingPathway(*ends, WrappingCylinder(r, drum, N.z)), r))
    add(TorqueActuator(-u / 5, N.z, A, N))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", SympactWarning)  # the spring round the drum, see above
        model = HybridModel(row.system, [])
    return model, row.start, {activation.e: sm.Rational(1, 2) + sm.sin(4 * t) / 3}


# run
model, start, excitation = build()
numbers = {key: value for key, value in NUMBERS.items() if key in model.parameters}
result = model.simulate((0, 4), start, numbers, inputs=excitation, rtol=1e-10, atol=1e-12)
print(result.table())
animation = result.animate(title="Actuators of SymPy", units={"length": "m", "t": "s"})
animation.figure(1.2).savefig("actuators.png", dpi=150)

# formulas
at = {str(letter.func): result.x[i] for i, letter in enumerate(model.x)}
mass, weight, end = NUMBERS[m], NUMBERS[m] * NUMBERS[g], result.t[-1]
low = NUMBERS[l] + weight / NUMBERS[k]
assert abs(at["q_spring"][-1] - low - (0.8 - low) * np.cos(sqrt(NUMBERS[k] / mass) * end)) < 1e-8
slow, fade = weight / NUMBERS[c], mass / NUMBERS[c]
assert abs(at["q_damper"][-1] - 0.3 - slow * (end - fade * (1 - np.exp(-end / fade)))) < 1e-8
top = NUMBERS[k] + NUMBERS[k3] * 0.4**2
period = 4 * ellipk(NUMBERS[k3] * 0.4**2 / 2 / top) / sqrt(top / mass)
assert abs(result(period)[list(at).index("q_duffing")] - 0.4) < 1e-8
