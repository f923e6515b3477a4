"""A model and its runs as plain numbers: what the script of SymPy, and the mechanics in NumPy, are both made from.

Bodies are "b0", "b1", ..., what moves as the time tells "m0", "m1", ..., and "ground" is at rest. Places are measured
in the frame of what carries them, from its mass centre (a mover's own point, the ground's origin). A `turn` are the
three angles of a body-fixed rotation "XYZ".
"""

from __future__ import annotations

from dataclasses import dataclass, field, fields, is_dataclass

import numpy as np

Triple = tuple[float, float, float]

FREEDOMS = {"pin": 1, "prismatic": 1, "cylindrical": 2, "planar": 3, "spherical": 3, "weld": 0, "free": 6}
"""How many coordinates and speeds each joint has; "free" is none, a body placed by hand."""


@dataclass(frozen=True)
class Body:
    """A rigid body with its joint to `parent`.

    `inertia` are ixx, iyy, izz, ixy, iyz, izx about the mass centre. `hold` is the joint's place on the parent, `grip`
    on the body; `parent_turn` and `child_turn` are those of the joint's intermediate frames. `order` and `space` are
    those of a spherical joint; a free body's speeds are angular velocities along its own axes, or rates of its angles.
    """

    name: str
    parent: str
    joint: str
    mass: float
    inertia: tuple[float, ...]
    hold: Triple = (0.0, 0.0, 0.0)
    grip: Triple = (0.0, 0.0, 0.0)
    parent_turn: Triple = (0.0, 0.0, 0.0)
    child_turn: Triple = (0.0, 0.0, 0.0)
    order: str = "123"
    space: bool = False
    spins: bool = False

    @property
    def coordinates(self) -> tuple[str, ...]:
        """The names of its coordinates."""
        return tuple(f"q{self.name[1:]}_{k}" for k in range(FREEDOMS[self.joint]))

    @property
    def speeds(self) -> tuple[str, ...]:
        """The names of its speeds."""
        return tuple(f"u{self.name[1:]}_{k}" for k in range(FREEDOMS[self.joint]))


@dataclass(frozen=True)
class Mover:
    """A frame with a point that move as the time tells: r = place + sway sin(pace t), turned by tilt sin(beat t)."""

    name: str
    place: Triple
    turn: Triple
    sway: Triple
    pace: float
    tilt: float
    beat: float


@dataclass(frozen=True)
class Spring:
    """A spring with a damper between two places."""

    a: str
    place_a: Triple
    b: str
    place_b: Triple
    stiffness: float
    damping: float
    rest: float


@dataclass(frozen=True)
class Coil:
    """A turning spring with a damper at a pin, and a torque amplitude sin(pace t)."""

    body: str
    stiffness: float
    damping: float
    amplitude: float
    pace: float


@dataclass(frozen=True)
class Push:
    """A force at a place of a body, along a direction that is fixed in the ground: constant, a sine, or an input."""

    body: str
    place: Triple
    direction: Triple
    size: float
    kind: str
    pace: float
    name: str = ""

    def amount(self, t):
        """The force (N) at times."""
        return self.size * (1.0 if self.kind in ("constant", "number") else np.sin(self.pace * t))


@dataclass(frozen=True)
class Drag:
    """A torque on a body against its turning in the ground, and one amplitude sin(pace t) along its own axis."""

    body: str
    damping: float
    axis: Triple
    amplitude: float
    pace: float


@dataclass(frozen=True)
class Shape:
    """What touches, or a surface.

    kind: "point", "ball", "disc", "capsule" touch; "plane", "sphere", "cylinder", "capsule", "implicit", "polygon" are
    touched. `turn` gives local axes, z being the normal or axis. `sizes`: a radius; of a capsule also the distance of
    its ends, which lie at -z and +z; of a polygon its corners in x and y, one after the other; of an implicit surface,
    of the `form` "ellipsoid" its half axes, of "bowl" k1 and k2 in z = k1 x^2 + k2 y^2, of "waves" height and wave
    number in z = a sin(k x) sin(k y + 1).
    """

    kind: str
    on: str
    place: Triple
    turn: Triple = (0.0, 0.0, 0.0)
    sizes: tuple[float, ...] = ()
    inside: bool = False
    form: str = ""


@dataclass(frozen=True)
class Touch:
    """A contact of a shape with a surface; without `rubs` its friction is the number 0."""

    name: str
    body: Shape
    surface: Shape
    rubs: bool
    static: bool = False


@dataclass(frozen=True)
class Stop:
    """A limit sign (q - bound) >= 0 of a coordinate, times a lever if it has one."""

    name: str
    coordinate: str
    sign: int
    bound: float
    lever: float | None = None


@dataclass(frozen=True)
class Tie:
    """A string between two places."""

    name: str
    a: str
    place_a: Triple
    b: str
    place_b: Triple
    length: float


@dataclass(frozen=True)
class Recipe:
    """A model: its bodies (each after its parent), loads and contacts.

    The impact law, the resolution and the rule for Painleve's paradox are as they are written.
    `start` are the coordinates that the contacts were placed for.
    """

    seed: int
    bodies: tuple[Body, ...]
    gravity: Triple
    movers: tuple[Mover, ...] = ()
    loads: tuple[object, ...] = ()
    contacts: tuple[object, ...] = ()
    law: str = "Newton()"
    resolution: str = "Simultaneous()"
    painleve: str = "EndOfRun()"
    start: tuple[float, ...] = ()

    @property
    def coordinates(self) -> tuple[str, ...]:
        """The names of all coordinates."""
        return tuple(name for body in self.bodies for name in body.coordinates)

    @property
    def speeds(self) -> tuple[str, ...]:
        """The names of all speeds."""
        return tuple(name for body in self.bodies for name in body.speeds)

    @property
    def inputs(self) -> tuple[Push, ...]:
        """The loads that are free functions of time."""
        return tuple(load for load in self.loads if isinstance(load, Push) and load.name)


@dataclass(frozen=True)
class Run:
    """A start and the values of the parameters: g, and of each contact e, and where it rubs mu and mus."""

    q: tuple[float, ...]
    u: tuple[float, ...]
    span: float
    numbers: dict[str, float] = field(default_factory=dict)
    rtol: float = 1e-9


def unit(vector) -> tuple[float, ...]:
    """A vector of length 1."""
    vector = np.asarray(vector, dtype=float)
    return tuple(map(float, vector / np.linalg.norm(vector)))


def carriers(thing: object) -> set[str]:
    """The names of the bodies and movers that a load or contact hangs on."""
    found = set()
    for part in fields(thing) if is_dataclass(thing) else ():
        value = getattr(thing, part.name)
        if part.name in ("on", "a", "b", "body") and isinstance(value, str):
            found.add(value)
        elif part.name == "coordinate":
            found.add("b" + value[1:].split("_")[0])
        elif is_dataclass(value):
            found |= carriers(value)
    return found
