"""Of many contacts, flows and projections evaluate those that are closed alone, with the bits of all."""

import numpy as np
from island_models import balls_in_a_box

from sympact.mechanics.derived.compiled import CompiledModel
from sympact.mechanics.islands.islands import islands_of


def thrown(balls: int = 6):
    """Balls that come to touch each other, the floor and the walls of a box, as one run."""
    model, start, numbers = balls_in_a_box(balls, mu=0.3)
    model._made[islands_of] = None
    return model, model.simulate((0.0, 0.75), start, numbers, rtol=1e-8, atol=1e-10)


def test_open_contacts_change_no_bit(monkeypatch):
    model, few = thrown()
    assert all(model.compile().chosen(name) for name in ("impact", "friction"))
    monkeypatch.setattr(CompiledModel, "chosen", lambda self, name: 0)
    _, whole = thrown()
    assert len(whole.events) > 50
    assert [event.contacts for event in few.events] == [event.contacts for event in whole.events]
    assert np.array_equal(few.t, whole.t)
    assert np.array_equal(few.x, whole.x)
    assert few.counts == whole.counts
