"""A four-bar: assembled from guesses, with what is to be kept, and started from there."""

# begin
import sympy as sm
from sympy.physics.mechanics import LagrangesMethod, dynamicsymbols

from sympact import HybridModel

t = dynamicsymbols._t
crank, rod, rocker = dynamicsymbols("crank rod rocker")  # the directions of three bars, from the ground
a, b, c, d, m, g = sm.symbols("a b c d m g", positive=True)  # lengths, mass per length, gravity
height, kinetic, x, y = 0, 0, 0, 0
for angle, length in ((crank, a), (rod, b), (rocker, c)):
    mid_x, mid_y = x + length * sm.cos(angle) / 2, y + length * sm.sin(angle) / 2
    speed = mid_x.diff(t) ** 2 + mid_y.diff(t) ** 2 + length**2 * angle.diff(t) ** 2 / 12
    kinetic, height = kinetic + m * length * speed / 2, height + m * length * mid_y
    x, y = x + length * sm.cos(angle), y + length * sm.sin(angle)
loop = [x - d, y]  # the last bar ends at the second pivot of the ground
model = HybridModel(LagrangesMethod(kinetic - g * height, [crank, rod, rocker], hol_coneqs=loop), [])
numbers = {a: 1.0, b: 2.0, c: 1.5, d: 2.0, m: 1.0, g: 9.81}

# closest
rough = {crank: 1.0, rod: 0.5, rocker: -1.0, **dict.fromkeys(model.u, 0.0)}
closest = model.assemble(rough, numbers)
print(closest)
print(closest.change, closest.freedoms)

# keep
kept = model.assemble(rough, numbers, keep=[crank])
print(kept[crank], kept[rod], kept[rocker])
heavy = model.assemble(rough, numbers, keep={crank: 100.0})

# guess
turning = model.assemble({crank: 1.0, crank.diff(t): 3.0}, numbers)
print(turning)

# two
up = model.assemble({crank: 1.0, rod: 0.7, rocker: -1.3}, numbers)
down = model.assemble({crank: 1.0, rod: -1.9, rocker: 0.2}, numbers)
print(up[rod], down[rod])

# run
result = model.simulate((0.0, 2.0), turning, numbers, consistent="refuse")
print(result.status, result.settings["start_change"])
try:
    model.simulate((0.0, 2.0), rough, numbers, consistent="refuse")
except ValueError as error:
    print(error)
