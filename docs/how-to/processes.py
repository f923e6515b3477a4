"""Processes of stages: own states, discrete time, sliding, products, nests."""

# begin
from sympy import exp, sign, symbols

from sympact import Count, Crossing, DiscreteTime, HybridSystem, Minimum, Nested, Stop, Transition

y, v, T, t = symbols("y v T t")
stone = HybridSystem.from_sympy(
    {"air": {y: v, v: -9.81}, "water": {y: v, v: -2 * v - 3, T: (10 - T) / 5}},
    [Transition("air", "water", boundary=-y, jump={v: v / 2, T: 60})],
)
result = stone.simulate((0, 3), {y: 2, v: 0}, start="air")
print(result["T"][[0, -1]])  # NaN in the air, where the stone has no temperature

# linear
water = stone.stage("water")
print(water.linear, water.time_invariant)
print(water.A, water.b)

# mixed


def drag(t, x):
    """A flow of the stage's own states, here height and speed."""
    return [x[1], -9.81 - 0.1 * x[1] * abs(x[1])]


same = HybridSystem.from_sympy(
    {"air": drag, "water": {y: v, v: -2 * v - 3, T: (10 - T) / 5}},
    [Transition("air", "water", boundary=lambda t, x: -x[0], jump={v: v / 2, T: 60})],
    states={"air": [y, v], "water": [y, v, T]},
)
print(same.simulate((0, 3), {y: 2, v: 0}, start="air").events)

# discrete
n, k = symbols("n k")
halving = HybridSystem.from_sympy(
    {"count": DiscreteTime({n: n / 2 + k}, every=0.1, index=k), "wait": {n: -n}},
    [Transition("count", "wait", boundary=n - 10), Transition("wait", "count", boundary=1 - n)],
    states=[n],
)
result = halving.simulate((0, 5), {n: 0}, start="count")
print(result.events)

# sliding
x = symbols("x")
relay = HybridSystem.from_sympy({"relay": [t / 2 - sign(x)]}, [], states=[x], sliding="filippov")
result = relay.simulate((0, 4), {x: 0.5}, start="relay")
print(result.events)

# product
both = relay * halving
result = both.simulate((0, 4), {x: 0.5, n: 0}, start="relay, count")
print(result.path[:4])

# nested
gears = HybridSystem.from_sympy(
    {"low": [4 * exp(-v / 8)], "high": [2 * exp(-v / 20)]},
    [Transition("low", "high", boundary=v - 8, name="up"), Transition("high", "low", boundary=6 - v, name="down")],
    states=[v],
)
car = HybridSystem.from_sympy(
    {"drive": Nested(gears, start="low"), "brake": [-5]},
    [Transition("drive", "brake", boundary=v - 12), Transition("brake", "drive", boundary=4 - v)],
    states=[v],
)
result = car.simulate((0, 12), {v: 0}, start="drive")
print(result.events)

# events
level = {"half way": y - 1, "warm": Crossing(T - 50, -1), "deep": Stop(y < -3)}
result = stone.simulate(
    (0, 9), {y: 2, v: 0}, start="air", events=level, observe={"deepest": Minimum(y), "entries": Count("air -> water")}
)
print(result.events)
print(result.status.name, result.observed["deepest"].value, result.observed["entries"].value)


# solve_ivp
def still(t, x):
    return x[1]


still.terminal, still.direction = True, 1
swing = HybridSystem({"swing": lambda t, x: [x[1], -x[0]]}, [])
print(swing.simulate((0, 9), [1, 0], start="swing", events=[still, lambda t, x: x[0] - 0.5]).events)
# end

result = car.simulate((0, 12), {v: 0}, start="drive")
assert result.path[:4] == ("drive.low", "drive.high", "brake", "drive.low")
assert both.states == (x, n)
assert abs(relay.simulate((0, 4), {x: 0.5}, start="relay")(4.0)[0] - 1) < 1e-6
