"""Events of one's own, transitions and discrete states: a ball that bounces, counted, caught and kicked."""

# begin
from sympy import Or, Piecewise, symbols
from sympy.physics.mechanics import Force, Particle, PrismaticJoint, RigidBody, System, dynamicsymbols

from sympact import Contact, Crossing, HybridModel, NormalForce, Plane, Stop, Transition, When

m, g, e = symbols("m g e")
(z, v), (n, flying), t = dynamicsymbols("z v"), dynamicsymbols("n flying"), dynamicsymbols._t


def falling(weight):
    ground, ball = RigidBody("ground"), Particle("ball", mass=m)
    system = System.from_newtonian(ground)
    system.add_joints(PrismaticJoint("height", ground, ball, z, v, joint_axis=ground.z))
    system.add_loads(Force(ball.masscenter, -weight * ground.z))
    floor = Contact(ball.masscenter, Plane(ground.masscenter, ground.z), restitution=e, friction=0, name="floor")
    return system, floor


system, floor = falling(m * g)
numbers = {m: 1.0, g: 9.81, e: 0.8}

# events
model = HybridModel(system, [floor])
events = {"apex": Crossing(v, -1), "low": z < 0.2, "late": Stop(t - 2.5)}
result = model.simulate((0, 9), {z: 1, v: 0}, numbers, events=events)
print(result.events)
apexes = result.events["apex"]
print(apexes.t, [event.x_minus[0] for event in apexes])
print(result.status.name, result.t[-1])


# values
def high(t, x):
    return x[0] - 0.5


high.direction = 1
heavier, ground = falling(m * g * (1 + t))
resting = HybridModel(heavier, [ground])
(force,) = resting.normal_forces
result = resting.simulate((0, 3), {z: 0, v: 0}, numbers, events={"heavy": Crossing(force - 20, 1), "high": high})
print(result.events["heavy"].t)  # 9.81 (1 + t) = 20

# transitions
bounce = Transition(boundary=z < 0, jump={v: -0.8 * v, n: n + 1}, name="bounce")
counted = HybridModel(system, [], discrete=[n], transitions=[bounce])
result = counted.simulate((0, 9), {z: 1, v: 0, n: 0}, {m: 1.0, g: 9.81})
print(result.status.name, result.t_inf, result[n][-1])

# timer
due = dynamicsymbols("due")
alarm = Transition(boundary=Crossing(v, -1), jump={due: t + 0.1}, name="alarm")  # a tenth of a second after each apex
push = Transition(boundary=t - due, jump={v: v - 1}, name="push")
timed = HybridModel(system, [floor], discrete=[due], transitions=[alarm, push])
result = timed.simulate((0, 2), {z: 1, v: 1, due: 9}, numbers)
print([(event.t, event.x_minus[1]) for event in result.events["push"]])

# forces
on = dynamicsymbols("on")
pressing, table = falling(m * g + 10 * t * on)
off = Transition(boundary=NormalForce(table) > 25, jump={on: 0}, name="off")
pressed = HybridModel(pressing, [table], discrete=[on], transitions=[off])
result = pressed.simulate((0, 3), {z: 0, v: 0, on: 1}, numbers)
print(result.events["off"].t, result.normal_force[0, -1])  # 9.81 + 10 t = 25

# accumulation
flight, _ = falling(m * g * Piecewise((1, flying > 0), (0, True)))
rest = Transition(boundary="accumulation", jump={z: 0, v: 0, flying: 0}, name="rest")
stable = HybridModel(flight, [], discrete=[n, flying], transitions=[bounce, rest])
result = stable.simulate((0, 9), {z: 1, v: 0, n: 0, flying: 1}, {m: 1.0, g: 9.81})
print(result.status.name, result.events[-1].kind, result.events[-1].t_inf, result.x[:, -1])

# when
conditions = [z < 0.5, z < 0.2]
each = HybridModel(system, [], discrete=[n], transitions=[When(conditions, reinit={n: n + 1})])
whole = HybridModel(system, [], discrete=[n], transitions=[Transition(boundary=Or(*conditions), jump={n: n + 1})])
once = [one.simulate((0, 0.45), {z: 1, v: 0, n: 0}, {m: 1.0, g: 9.81})[n][-1] for one in (each, whole)]
print(once)

# impact
kicked = HybridModel(system, [floor], transitions=[Transition(boundary=z < 0, jump={v: v - 1}, impact="before")])
hit = kicked.simulate((0, 1), {z: 1, v: 0}, numbers).events[0]
print(hit.kind, hit.contacts, hit.x_minus[1], hit.x_plus[1])

assert abs(apexes[0].x_minus[0] - 0.64) < 1e-8
assert once == [2.0, 1.0]
assert abs(hit.x_plus[1] + 0.8 * (hit.x_minus[1] - 1)) < 1e-12
