"""Exudyn: penalty contacts of spheres with a coefficient of restitution, and explicit steps of Runge and Kutta.

Its contacts that know a restitution join a sphere with a triangle or another sphere. Corners and ends of rods are
spheres, so far above the triangle that gaps are those of their centres; the impact model 2 is the one that Exudyn says
to keep the restitution best. Chains are its kinematic trees, free bodies have its Lie group nodes, so that nothing is
left to constrain, and RK44 serves: of its solvers it took the least time and created the least energy here (the
implicit ones go down to steps of 1e-8 s at impacts, or need tolerances of 1e-6). "usual" is a step of 0.2 ms, "fine" of
0.05 ms with sixteen times the stiffness: stiffness is chosen so that an impact has some ten steps.
"""

from __future__ import annotations

from time import process_time

import exudyn as exu
import numpy as np
from exudyn.itemInterface import (
    MarkerBodyRigid,
    MarkerKinematicTreeRigid,
    MarkerNodeCoordinate,
    NodeGenericData,
    NodeGenericODE2,
    NodePointGround,
    ObjectConnectorCoordinateSpringDamperExt,
    ObjectContactSphereSphere,
    ObjectContactSphereTriangle,
    ObjectKinematicTree,
    SensorBody,
    SensorNode,
)
from exudyn.rigidBodyUtilities import RigidBodyInertia, RotationMatrix2EulerParameters
from problems import (
    BALL,
    CHAIN,
    CORNERS,
    CUBE,
    DIE,
    DIE_START,
    ENDS,
    LINKS,
    PILE,
    Outcome,
    best,
    chain_start,
    main,
    pile_start,
    pile_width,
    rotation,
)

import systems  # isort: skip

STEPS = {"usual": 2e-4, "fine": 5e-5}
STIFFNESS = {"ball": 4e5, "links": 4e5, "cube": 4e5, "chain": 4e5, "die": 2e6, "pile": 4e4}  # N/m at the usual step
SLIP = 0.05  # m/s: where friction is proportional; with less the explicit steps of light bodies are unstable
LARGE = 50.0  # m: the triangles
OUT = exu.OutputVariableType


class World:
    """A model that is being built.

    Parameters
    ----------
    problem, setting : str
    mu, e : float
        Friction and restitution of its contacts.
    """

    def __init__(self, problem: str, setting: str, e: float, mu: float = 0.0) -> None:
        self.mbs = exu.SystemContainer().AddSystem()
        stiffness = STIFFNESS[problem] * (STEPS["usual"] / STEPS[setting]) ** 2
        self.how = {
            "contactStiffness": stiffness,
            "dynamicFriction": mu,
            "frictionProportionalZone": SLIP,
            "restitutionCoefficient": e,
            "impactModel": 2,
        }
        self.ground = self.mbs.CreateGround()
        self.sensors: list = []

    def data(self):
        """Where a contact has its state."""
        return self.mbs.AddNode(NodeGenericData(initialCoordinates=[0.1, 0, 0, 0], numberOfDataCoordinates=4))

    def body(self, mass: float, moments: tuple[float, float, float], x: np.ndarray, gravity: float):
        """A free body by Euler parameters, from place, quaternion, velocity and angular velocity about its own axes."""
        turned = rotation(np.asarray(x[3:7]))
        number = self.mbs.CreateRigidBody(
            nodeType=exu.NodeType.RotationRotationVector,  # explicit steps take it as a Lie group
            referencePosition=list(x[:3]),
            referenceRotationMatrix=turned,
            initialVelocity=list(x[7:10]),
            initialAngularVelocity=list(turned @ x[10:13]),
            inertia=RigidBodyInertia(mass=mass, inertiaTensor=np.diag(moments)),
            gravity=[0, 0, -gravity],
        )
        kinds = (OUT.Position, OUT.RotationMatrix, OUT.Velocity, OUT.AngularVelocityLocal)
        self.sensors.append(
            [self.mbs.AddSensor(SensorBody(bodyNumber=number, storeInternal=True, outputVariableType=k)) for k in kinds]
        )
        return number

    def plane(self, marker, radius: float, point: np.ndarray, normal: np.ndarray) -> None:
        """Contact of a sphere with a large triangle about a point of a plane, from its free side."""
        first = np.cross(normal, [1.0, 0, 0] if abs(normal[0]) < 0.5 else [0, 1.0, 0])
        second = np.cross(normal, first)
        corners = [2 * first, -first + np.sqrt(3) * second, -first - np.sqrt(3) * second]
        wall = self.mbs.AddMarker(MarkerBodyRigid(bodyNumber=self.ground, localPosition=list(point)))
        self.mbs.AddObject(
            ObjectContactSphereTriangle(
                markerNumbers=[marker, wall],
                nodeNumber=self.data(),
                sphereRadius=radius,
                includeEdges=0,
                trianglePoints=exu.Vector3DList([LARGE * one for one in corners]),
                **self.how,
            )
        )

    def floor(self, marker, radius: float) -> None:
        """Contact of a point with the plane z = 0, as a sphere above a triangle that is lower by its radius."""
        self.plane(marker, radius, np.array([0, 0, -radius]), np.array([0, 0, 1.0]))

    def spheres(self, first, second, radius: float) -> None:
        """Contact of two spheres."""
        self.mbs.AddObject(
            ObjectContactSphereSphere(
                markerNumbers=[first, second], nodeNumber=self.data(), spheresRadii=[radius, radius], **self.how
            )
        )

    def tree(self, links: list[dict], gravity: list[float], place: np.ndarray, speeds: np.ndarray):
        """A tree of links, each with joint, offset, mass, centre and moments; its coordinates are sampled."""
        n = len(links)
        node = self.mbs.AddNode(
            NodeGenericODE2(
                numberOfODE2Coordinates=n,
                referenceCoordinates=[0.0] * n,
                initialCoordinates=list(place),
                initialCoordinates_t=list(speeds),
            )
        )
        tree = self.mbs.AddObject(
            ObjectKinematicTree(
                nodeNumber=node,
                gravity=gravity,
                jointTypes=[one["joint"] for one in links],
                linkParents=np.arange(-1, n - 1),
                jointTransformations=exu.Matrix3DList([np.eye(3)] * n),
                jointOffsets=exu.Vector3DList([one["offset"] for one in links]),
                linkInertiasCOM=exu.Matrix3DList([np.diag(one["moments"]) for one in links]),
                linkCOMs=exu.Vector3DList([one["centre"] for one in links]),
                linkMasses=[one["mass"] for one in links],
            )
        )
        self.sensors = [
            [
                self.mbs.AddSensor(SensorNode(nodeNumber=node, storeInternal=True, outputVariableType=kind))
                for kind in (OUT.Coordinates, OUT.Coordinates_t)
            ]
        ]
        return tree

    def end_of(self, tree, link: int, point: list[float]):
        """A point of a link."""
        return self.mbs.AddMarker(MarkerKinematicTreeRigid(objectNumber=tree, linkNumber=link, localPosition=point))

    def sampled(self) -> tuple[np.ndarray, list[list[np.ndarray]]]:
        """Times, and what was sampled of each body."""
        stored = [[self.mbs.GetSensorStoredData(one) for one in own] for own in self.sensors]
        return stored[0][0][:, 0], [[one[:, 1:] for one in own] for own in stored]


def free_box(problem: str, setting: str, numbers: dict, x: np.ndarray):
    """A box above a plane: spheres at its corners."""
    world, a, m = World(problem, setting, numbers["e"], numbers.get("mu", 0.0)), numbers["a"], numbers["m"]
    body = world.body(m, (m * a * a / 6,) * 3, x, numbers["g"])
    for corner in a * CORNERS:
        world.floor(world.mbs.AddMarker(MarkerBodyRigid(bodyNumber=body, localPosition=list(corner))), 0.1 * a)
    return world, "quaternion", boxes


def boxes(bodies: list[list[np.ndarray]]) -> np.ndarray:
    """Place, quaternion, velocity and angular velocity of one body."""
    place, turned, v, w = bodies[0]
    turns = np.array([RotationMatrix2EulerParameters(one.reshape(3, 3)) for one in turned]).reshape(-1, 4)
    return np.hstack([place, turns, v, w])


def cube(setting: str):
    """The tumbling cube."""
    start = np.array([0, 0, 10, *systems.cube_quaternion(), 1, 1, 0, *systems.cube_body_spin()])
    return free_box("cube", setting, CUBE, start)


def die(setting: str):
    """The die."""
    return free_box("die", setting, DIE, np.array(DIE_START))


def ball(setting: str):
    """The ball on a slide; the spring is the lower limit stop of a connector, whose stiffness acts on one side."""
    world, size = World("ball", setting, BALL["eta"]), 1.0
    link = {
        "joint": exu.JointType.PrismaticZ,
        "offset": [0, 0, 0],
        "mass": BALL["m"],
        "centre": [0, 0, 0],
        "moments": [1, 1, 1],
    }
    tree = world.tree([link], [0, 0, -BALL["g"]], np.zeros(1), np.array([BALL["v"]]))
    top = np.array([0, 0, BALL["h"] + size])
    world.plane(world.end_of(tree, 0, [0, 0, 0]), size, top, np.array([0, 0, -1.0]))
    fixed = world.mbs.AddMarker(MarkerNodeCoordinate(nodeNumber=world.mbs.AddNode(NodePointGround()), coordinate=0))
    node = world.mbs.GetObject(tree)["nodeNumber"]
    moving = world.mbs.AddMarker(MarkerNodeCoordinate(nodeNumber=node, coordinate=0))
    state = world.mbs.AddNode(NodeGenericData(initialCoordinates=[0, 0, 0], numberOfDataCoordinates=3))
    world.mbs.AddObject(
        ObjectConnectorCoordinateSpringDamperExt(
            markerNumbers=[fixed, moving],
            nodeNumber=state,
            damping=BALL["c"],
            useLimitStops=True,
            limitStopsLower=0.0,
            limitStopsUpper=1e3,
            limitStopsStiffness=BALL["k"],
        )
    )
    return world, "ball", lambda bodies: np.hstack(bodies[0])


def links(setting: str):
    """Two links with hinges about x from N.y, which points down: here -z."""
    world, l, m, size = World("links", setting, LINKS["e"]), LINKS["l"], LINKS["m"], 0.05
    link = {"joint": exu.JointType.RevoluteX, "mass": m, "centre": [0, 0, -l / 2], "moments": [m * l * l / 3] * 3}
    both = [link | {"offset": [0, 0, 0]}, link | {"offset": [0, 0, -l]}]
    tree = world.tree(both, [0, 0, -LINKS["g"]], np.array([np.pi / 2, 0.0]), np.zeros(2))
    world.plane(world.end_of(tree, 1, [0, 0, -l]), size, np.array([0, 0, -LINKS["h"] - size]), np.array([0, 0, 1.0]))
    return world, "links", lambda bodies: np.hstack(bodies[0])


def chain(setting: str):
    """The chain of rods on two slides; its angles are relative ones here, about -y, as heights increase with them."""
    world, n, l, m = World("chain", setting, CHAIN["e"], CHAIN["mu"]), CHAIN["n"], CHAIN["l"], CHAIN["m"]
    size, none = 0.03, {"mass": 1e-9, "centre": [0, 0, 0], "moments": [1e-12] * 3, "offset": [0, 0, 0]}
    rod = {"joint": exu.JointType.RevoluteY, "mass": m, "centre": [l / 2, 0, 0], "moments": [m * l * l / 12] * 3}
    parts = [none | {"joint": exu.JointType.PrismaticX}, none | {"joint": exu.JointType.PrismaticZ}]
    parts += [rod | {"offset": [l if i else 0, 0, 0]} for i in range(n)]
    start = chain_start()
    place = np.concatenate([start[:2], -np.diff([0.0, *start[2 : 2 + n]])])
    tree = world.tree(parts, [0, 0, -CHAIN["g"]], place, start[2 + n :])
    for i in range(n):
        for point in ([0, 0, 0], [l, 0, 0]) if i == 0 else ([l, 0, 0],):
            world.floor(world.end_of(tree, 2 + i, point), size)

    def states(bodies):
        q, u = bodies[0]
        return np.hstack([q[:, :2], -np.cumsum(q[:, 2:], axis=1), u[:, :2], -np.cumsum(u[:, 2:], axis=1)])

    return world, "chain", states


def pile(setting: str):
    """The spheres in the box."""
    world, (place, v, w), n, r, m = (
        World("pile", setting, PILE["e"], PILE["mu"]),
        pile_start(),
        *(PILE[name] for name in ("n", "r", "m")),
    )
    width, markers = pile_width(), []
    walls = [([0, 0, 0], [0, 0, 1.0])]
    for axis in (np.array([1.0, 0, 0]), np.array([0, 1.0, 0])):
        walls += [([0, 0, 0], axis), (width * axis, -axis)]
    for i in range(n):
        state = np.array([*place[i], 1.0, 0, 0, 0, *v[i], *w[i]])
        body = world.body(m, (0.4 * m * r * r,) * 3, state, PILE["g"])
        markers.append(world.mbs.AddMarker(MarkerBodyRigid(bodyNumber=body)))
        for point, normal in walls:
            world.plane(markers[i], r, np.array(point, dtype=float), np.array(normal, dtype=float))
        for j in range(i):
            world.spheres(markers[i], markers[j], r)

    def states(bodies):
        return np.hstack([np.hstack([own[k] for own in bodies]) for k in (0, 2, 3)])

    return world, "spheres", states


def settings_of(problem: str, setting: str, *, samples: bool):
    """Steps, and whether sensors write each of them."""
    found, step = exu.SimulationSettings(), STEPS[setting]
    found.timeIntegration.endTime = ENDS[problem]
    found.timeIntegration.numberOfSteps = round(ENDS[problem] / step)
    found.timeIntegration.verboseMode = 0
    found.solution.file.write = False
    found.solution.sensors.writePeriod = step if samples else 2 * ENDS[problem]
    return found


def solve(problem: str, setting: str) -> Outcome:
    """One run of fixed steps."""
    began = process_time()
    world, form, states = globals()[problem](setting)
    world.mbs.Assemble()
    quick, full = (settings_of(problem, setting, samples=one) for one in (False, True))
    setup = process_time() - began

    def run(how=quick):
        world.mbs.SolveDynamic(how, solverType=exu.DynamicSolverType.RK44)

    seconds, _ = best(run)
    run(full)
    t, bodies = world.sampled()
    stiffness = world.how["contactStiffness"]
    told = f"step {1e3 * STEPS[setting]:g} ms, RK44, contacts of {stiffness:.2g} N/m with impact model 2"
    return Outcome(told, exu.__version__, setup, seconds, [], form, t, states(bodies))


if __name__ == "__main__":
    main(solve)
