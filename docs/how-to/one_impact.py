"""One impact of a model under several laws, without a run."""

# begin
from sympact import Energetic, Newton, Plastic, Poisson
from sympact.models import rocking_block

block = rocking_block(friction=0.4)
result = block.simulate()
hit = next(event for event in result.events if event.kind == "impact")

# laws
for law in (Newton(), Poisson(), Energetic(), Plastic()):
    event = block.model.impact(hit.t, hit.x_minus, block.parameters, law=law)
    print(f"{law!r:<12} {event.contacts} impulse {event.impulse} N s, energy {event.energy:.6f} J")

# compare
print(block.model.compare_impacts(hit.t, hit.x_minus, block.parameters, length=result.settings["length"]))

again = block.model.impact(hit.t, hit.x_minus, block.parameters)
assert abs(again.x_plus - hit.x_plus).max() < 1e-9
