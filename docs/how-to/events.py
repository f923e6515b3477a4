"""What the events of a run contain: kinds, tables, t_inf, forces and modes."""

# begin
from collections import Counter

from sympact import EventKind
from sympact.models import belt_oscillator, dropped_cube

cube = dropped_cube()
result = cube.simulate()
print(result.status.name, "-", result.message)

# kinds
print(Counter(result.events.kinds()))
impacts = result.events.impacts
first = impacts[0]
of_corner = impacts.of(first.contacts[0])
print(first.contacts, "has", len(of_corner), "impacts, the first at", of_corner.t[:3])
print(first.t, first.contacts, first.impulse, first.energy)
print("upward speed before and after:", first.x_minus[9], first.x_plus[9])

# tables
print(result.table(max_rows=8))
columns = result.events.columns()  # for NumPy; events_dataframe() for pandas, to_csv() for the samples
lost = -sum(columns["energy"])

# t_inf
for event in result.events:
    if event.kind == EventKind.ACCUMULATION:  # or == "accumulation"
        print(f"{event.t:.9f}: at rest from {event.t_inf:.9f} +- {event.t_inf_error:.1g}")

# friction
for event in belt_oscillator().simulate().events[:4]:
    print(f"{event.t:.6f} {event.kind}: {event.source} -> {event.target}")
rough = dropped_cube(friction=0.3).simulate()
hit = rough.events[0]
print(hit.contacts, "normal", hit.impulse, "friction", hit.friction_impulse)
print("of all four corners at the end:", rough.friction_force[:, :, -1].sum(axis=0))  # (contact, direction, sample)

# forces
weights = dict(zip(result.contact_names, result.normal_force[:, -1].round(6).tolist(), strict=True))
print(weights)

# modes
print(result.path)
for mode, of in result.modes.nodes(data=True):
    print(f"{of['time']:.4f} s in {of['visits']} visits: {mode}")
for source, target, of in result.modes.edges(data=True):
    print(f"{source} -> {target}: {of['count']} x {of['kind']}")

assert abs(lost + result.energy[-1] - result.energy[0]) < 1e-6
assert abs(sum(weights.values()) - 9.81) < 1e-5
assert result.path[-1].endswith("(at rest)")
assert abs(hit.friction_impulse[0, 2]) < 1e-12
assert rough.path[-1].endswith("(at rest)")
