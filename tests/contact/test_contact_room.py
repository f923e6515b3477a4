"""Room for the participants of contact problems: it follows their number, and no result depends on it."""

import numpy as np
import pytest
from island_models import balls_in_a_box

from sympact import (
    Energetic,
    HybridModel,
    ImpulseRatio,
    Newton,
    Plastic,
    Poisson,
    Sequential,
    Simultaneous,
    models,
)
from sympact.contact import contact_room
from sympact.contact.contact_room import ROOM, ContactMemory


def memory(n: int) -> ContactMemory:
    """That of n contacts with friction between bodies in a plane, of which each touches every other."""
    n_u = 3 * int(np.sqrt(2 * n))
    sizes = {"n_q": n_u, "n_u": n_u, "n_contacts": n, "n_boundaries": n, "n_rows": 0}
    sizes |= {"n_branch_entries": 0, "n_coefficients": 2}
    return ContactMemory(sizes, ["friction"])


def size(contacts) -> float:
    return sum(block.nbytes for block in contacts.blocks) / 1e6


def test_many_contacts_take_the_memory_of_the_participants():
    """With a row for each contact it would be 25.6 MB for 184 contacts, and 699 MB for 984."""
    assert size(memory(184).contacts) < 2.0
    assert size(memory(984).contacts) < 20.0


def test_room_grows_to_twice_or_to_what_is_asked_but_not_beyond_all_contacts():
    many = memory(100)
    shapes = [many.contacts.problem.delassus.shape]
    for count in (ROOM + 1, 70, 90):
        many.make_room(count)
        shapes.append(many.contacts.problem.delassus.shape)
    assert shapes == [(3 * k, 3 * k) for k in (ROOM, 2 * ROOM, 70, 100)]
    assert not many.contacts.problem.delassus.any()


def stack_with(law):
    """A ball hits a stack of blocks with friction."""
    ready = models.struck_stack()
    model = HybridModel(ready.model.source, ready.model.contacts, impact=law)
    return model.simulate(ready.t_span, ready.start, ready.parameters)


def box():
    """Balls come to rest on each other, on the floor and at the walls."""
    model, start, numbers = balls_in_a_box(3, mu=0.3)
    return model.simulate((0.0, 0.6), start, numbers, rtol=1e-8, atol=1e-10)


def cradle(law, resolution):
    """Touching balls in a row, without friction."""
    ready = models.newtons_cradle(5, 0.0, resolution, law).with_numbers({"e": 0.9}, t_span=(0, 0.8))
    return ready.simulate()


RUNS = {
    "newton": lambda: stack_with(Newton()),
    "poisson": lambda: stack_with(Poisson()),
    "plastic": lambda: stack_with(Plastic()),
    "box": box,
    "at once": lambda: cradle(Newton(), Simultaneous()),
    "in turn": lambda: cradle(Newton(), Sequential()),
    "springs": lambda: cradle(Energetic(), ImpulseRatio(1, 1.5)),
}


@pytest.mark.parametrize("run", RUNS)
def test_runs_that_begin_with_room_for_one_have_the_same_bits(run, monkeypatch):
    usual = RUNS[run]()
    monkeypatch.setattr(contact_room, "ROOM", 1)
    little = RUNS[run]()
    assert little.x.tobytes() == usual.x.tobytes()
    assert little.events.t.tobytes() == usual.events.t.tobytes()
