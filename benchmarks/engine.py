"""The systems of `systems.py` as sympact models: what a user of sympact writes for them."""

import sympy as sm
from systems import RESTITUTION, Case

from sympact import Contact, HybridModel, Plane


def hybrid_model(case: Case, *, touching: bool = True) -> HybridModel:
    """The model of a case, with frictionless contacts named as their points, or with none if not `touching`."""
    floor = Plane(case.plane_point, case.normal)
    points = case.points if touching else ()
    contacts = [Contact(point, floor, restitution=RESTITUTION, friction=0, name=point.name) for point in points]
    return HybridModel(case.system, contacts)


def parameters(model: HybridModel, case: Case) -> dict[sm.Symbol, float]:
    """The numbers of a case that its model asks for: those of moments about fixed axes, say, drop out."""
    return {symbol: case.parameters[symbol] for symbol in model.parameters}
