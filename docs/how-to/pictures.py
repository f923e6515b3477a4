"""The pictures of a run, and the graphs of a process and of a model."""

# begin
import sympy as sm

from sympact import HybridSystem, Transition
from sympact.models import rod_on_wall

rod = rod_on_wall()
result = rod.simulate()
print(result)
result.plot(units=rod.units, title="A rod slides down a wall").savefig("motion.png")

# panels
x, y, theta, *_ = rod.model.q
figure = result.plot("gaps", "energy", "forces", "impulses", units={y: "m", theta: "rad", "t": "s"})
figure.savefig("contacts.png")

# phase
result.plot("phase", units=rod.units).savefig("phase.png")
result.plot("phase", "states", phase=[(x, y)], states=[x, y], units=rod.units, width=6).savefig("path.png")

# stages
result.plot("stages", "states", states=[theta], units=rod.units).savefig("stages.png")

# modes
result.draw_modes(formulas=True, title="The modes of the run").savefig("modes.png")
rod.model.draw(title="What can happen to a contact").savefig("model.png")

# process
height, speed, g, e, k, m = sm.symbols("y v g e k m")
process = HybridSystem.from_sympy(
    {"free": [speed, -g], "spring": [speed, -g - k * height / m]},
    [
        Transition("free", "free", boundary=height - 3, jump={speed: -e * speed}, name="ceiling"),
        Transition("free", "spring", boundary=-height),
        Transition("spring", "free", boundary=height),
    ],
    states=[height, speed],
    parameters=[g, e, k, m],
)
process.draw(title="A ball between a ceiling and a spring").savefig("process.png")

# end
assert [axes.get_ylabel() for axes in figure.axes[1:]] == [
    "gaps (m)",
    "energy (J)",
    "change (J)",
    "normal force (N)",
    "impulse (N s)",
]
