"""The systems of `systems.py` as sympact models: what a user of sympact writes for them."""

from systems import RESTITUTION, Case

from sympact import Contact, HybridModel, Plane


def hybrid_model(case: Case) -> HybridModel:
    """The model of a case, with frictionless contacts named as their points."""
    floor = Plane(case.plane_point, case.normal)
    contacts = [Contact(point, floor, restitution=RESTITUTION, friction=0, name=point.name) for point in case.points]
    return HybridModel(case.system, contacts)
