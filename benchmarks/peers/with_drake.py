"""Drake: a discrete plant with its SAP solver and point contact, at steps of 1 ms.

Its contacts dissipate and have no restitution: a "near rigid" contact of high stiffness takes all of an impact. For
frictionless problems with restitution it has no setting, so that these are left out.
"""

from __future__ import annotations

from importlib.metadata import version
from time import process_time

import numpy as np
from problems import CHAIN, DIE, DIE_START, ENDS, PILE, Outcome, best, chain_start, main, pile_start, pile_width
from pydrake.geometry import AddContactMaterial, HalfSpace, ProximityProperties, Sphere
from pydrake.math import RigidTransform, RollPitchYaw, RotationMatrix
from pydrake.multibody.plant import AddMultibodyPlant, CoulombFriction, MultibodyPlantConfig
from pydrake.multibody.tree import FixedOffsetFrame, PrismaticJoint, RevoluteJoint, SpatialInertia, UnitInertia
from pydrake.systems.analysis import Simulator
from pydrake.systems.framework import DiagramBuilder

STEP = 1e-3
STIFFNESS = {"die": 1e5, "chain": 1e5, "pile": 1e5}  # N/m


def properties(problem: str, mu: float) -> ProximityProperties:
    """A point contact of high stiffness with Coulomb friction, and the dissipation of a contact without rebound."""
    found = ProximityProperties()
    AddContactMaterial(
        dissipation=20.0, point_stiffness=STIFFNESS[problem], friction=CoulombFriction(mu, mu), properties=found
    )
    return found


def solve(problem: str, setting: str) -> Outcome:
    """One run."""
    began = process_time()
    builder = DiagramBuilder()
    config = MultibodyPlantConfig(time_step=STEP, contact_model="point", discrete_contact_approximation="sap")
    plant, _ = AddMultibodyPlant(config, builder)
    begin, state, form = globals()[problem](plant)
    diagram = builder.Build()
    simulator = Simulator(diagram)
    context = simulator.get_mutable_context()
    own = plant.GetMyMutableContextFromRoot(context)

    def run():
        context.SetTime(0.0)
        begin(own)
        simulator.Initialize()
        simulator.AdvanceTo(ENDS[problem])

    run()
    setup = process_time() - began
    seconds, _ = best(run)
    context.SetTime(0.0)
    begin(own)
    simulator.Initialize()
    t, x = [0.0], [state(own)]
    for k in range(1, round(ENDS[problem] / STEP) + 1):
        simulator.AdvanceTo(k * STEP)
        t.append(k * STEP)
        x.append(state(own))
    told = f"discrete plant, step {1e3 * STEP:g} ms, SAP, point contact of {STIFFNESS[problem]:g} N/m, no restitution"
    return Outcome(told, version("drake"), setup, seconds, [], form, t, x)


def ground(plant, problem: str, mu: float, pose: RigidTransform | None = None) -> None:
    """A half space below the plane z = 0 of a pose."""
    pose = pose or RigidTransform()
    count = plant.num_collision_geometries()
    plant.RegisterCollisionGeometry(plant.world_body(), pose, HalfSpace(), f"wall{count}", properties(problem, mu))


def die(plant):
    """The die: its corners are those of a box."""
    a, m = DIE["a"], DIE["m"]
    plant.mutable_gravity_field().set_gravity_vector([0, 0, -DIE["g"]])
    body = plant.AddRigidBody("die", SpatialInertia(m, [0, 0, 0], UnitInertia.SolidBox(a, a, a)))
    for i, corner in enumerate(np.array(np.meshgrid(*[(-a / 2, a / 2)] * 3)).reshape(3, 8).T):
        plant.RegisterCollisionGeometry(
            body, RigidTransform(corner), Sphere(1e-7), f"corner{i}", properties("die", DIE["mu"])
        )
    ground(plant, "die", DIE["mu"])
    plant.Finalize()
    x = np.array(DIE_START)

    def begin(context):
        turned = rotation_of(x[3:7])
        plant.SetPositions(context, np.concatenate([x[3:7] / np.linalg.norm(x[3:7]), x[:3]]))
        plant.SetVelocities(context, np.concatenate([turned @ x[10:], x[7:10]]))

    def state(context):
        q, v = plant.GetPositions(context), plant.GetVelocities(context)
        return np.concatenate([q[4:], q[:4], v[3:], rotation_of(q[:4]).T @ v[:3]])

    return begin, state, "quaternion"


def rotation_of(quaternion: np.ndarray) -> np.ndarray:
    """The rotation matrix of a quaternion."""
    from problems import rotation

    return rotation(np.asarray(quaternion))


def chain(plant):
    """The chain of rods, with a tiny sphere at each end."""
    n, l, m = CHAIN["n"], CHAIN["l"], CHAIN["m"]
    plant.mutable_gravity_field().set_gravity_vector([0, 0, -CHAIN["g"]])
    light = SpatialInertia(1e-9, [0, 0, 0], UnitInertia(1e-6, 1e-6, 1e-6))
    slide = plant.AddRigidBody("slide", light)
    plant.AddJoint(PrismaticJoint("x", plant.world_frame(), slide.body_frame(), [1, 0, 0]))
    parent = plant.AddRigidBody("lift", light)
    plant.AddJoint(PrismaticJoint("z", slide.body_frame(), parent.body_frame(), [0, 0, 1]))
    frame, size = parent.body_frame(), 1e-7
    for i in range(n):
        inertia = UnitInertia(1e-9, l * l / 12, l * l / 12).ShiftFromCenterOfMass([l / 2, 0, 0])
        rod = plant.AddRigidBody(f"rod{i}", SpatialInertia(m, [l / 2, 0, 0], inertia, skip_validity_check=True))
        plant.AddJoint(RevoluteJoint(f"pin{i}", frame, rod.body_frame(), [0, -1, 0]))
        frame = plant.AddFrame(FixedOffsetFrame(f"end{i}", rod.body_frame(), RigidTransform([l, 0, 0])))
        for k, place in enumerate(([0, 0, 0], [l, 0, 0]) if i == 0 else ([l, 0, 0],)):
            plant.RegisterCollisionGeometry(
                rod, RigidTransform(place), Sphere(size), f"end{i}{k}", properties("chain", CHAIN["mu"])
            )
    ground(plant, "chain", CHAIN["mu"])
    plant.Finalize()
    start = chain_start()

    def begin(context):
        place = np.concatenate([start[:2], np.diff([0.0, *start[2 : 2 + n]])])
        plant.SetPositions(context, place)
        plant.SetVelocities(context, start[2 + n :])

    def state(context):
        q, v = plant.GetPositions(context), plant.GetVelocities(context)
        return np.concatenate([q[:2], np.cumsum(q[2:]), v[:2], np.cumsum(v[2:])])

    return begin, state, "chain"


def pile(plant):
    """The spheres in the box."""
    n, r, m = PILE["n"], PILE["r"], PILE["m"]
    plant.mutable_gravity_field().set_gravity_vector([0, 0, -PILE["g"]])
    for i in range(n):
        body = plant.AddRigidBody(f"ball{i}", SpatialInertia(m, [0, 0, 0], UnitInertia.SolidSphere(r)))
        plant.RegisterCollisionGeometry(body, RigidTransform(), Sphere(r), f"ball{i}", properties("pile", PILE["mu"]))
    width, half = pile_width(), np.pi / 2
    sides = [([0, 0, 0], [0, 0, 0]), ([0, 0, 0], [0, half, 0]), ([width, 0, 0], [0, -half, 0]),
             ([0, 0, 0], [-half, 0, 0]), ([0, width, 0], [half, 0, 0])]  # fmt: skip
    for place, turn in sides:
        ground(plant, "pile", PILE["mu"], RigidTransform(RotationMatrix(RollPitchYaw(*turn)), place))
    plant.Finalize()
    place, v, w = pile_start()

    def begin(context):
        plant.SetPositions(context, np.hstack([np.tile([1.0, 0, 0, 0], (n, 1)), place]).ravel())
        plant.SetVelocities(context, np.hstack([w, v]).ravel())

    def state(context):
        q, u = plant.GetPositions(context).reshape(n, 7), plant.GetVelocities(context).reshape(n, 6)
        return np.concatenate([q[:, 4:], u[:, 3:], u[:, :3]]).ravel()

    return begin, state, "spheres"


if __name__ == "__main__":
    main(solve)
