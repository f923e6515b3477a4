"""Room for the participants of a problem: it grows with their number.

The matrices of a problem have a row for each participant, or three. Most contacts of many are open, so that these have
room for few, and for twice as many, at least, whenever there are more: see `sympact.contact.contact_room`.
"""

from sympact.native.kernel import kernel
from sympact.native.pointer import call_unit


@kernel
def make_room(contacts):
    """Room for the participants; what the matrices contain is lost if they grow. False where there is no more memory.

    Called before they are assembled. Without more memory only those stay participants that have room.
    """
    problem = contacts.problem
    if problem.count > problem.n_places:
        call_unit(contacts.model.make_room, contacts.address)
        if problem.count > problem.n_places:
            problem.count = problem.n_places
            return False
    return True
