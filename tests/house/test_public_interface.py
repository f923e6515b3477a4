"""What a user can reach and get wrong: every fault is told in a sentence that names it, before any long work."""

from __future__ import annotations

import math
import signal
import subprocess
import sys
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import pytest
from sympy import Expr, Matrix, Symbol, symbols
from sympy.physics.mechanics import Particle, Point, ReferenceFrame, RigidBody, System, dynamicsymbols, inertia
from trajectory import accumulations

import sympact
from sympact import Contact, HybridModel, HybridSystem, Plane, Status, Transition

LOADED = dir(sympact)


@dataclass(frozen=True)
class Ball:
    """A ball above a floor, the smallest model with a contact."""

    model: HybridModel
    y: Expr
    v: Expr
    m: Symbol
    g: Symbol
    e: Symbol

    @property
    def start(self) -> dict[Expr, float]:
        return {self.y: 1.0, self.v: 0.0}

    @property
    def parameters(self) -> dict[Symbol, float]:
        return {self.m: 1.0, self.g: 9.8, self.e: 0.5}

    def simulate(self, x0=None, parameters=None, t_span=(0, 0.5), **options):
        x0, parameters = self.start if x0 is None else x0, self.parameters if parameters is None else parameters
        return self.model.simulate(t_span, x0, parameters, **options)


def falling(mass: Expr, height: Expr, speed: Expr, gravity: Expr) -> tuple[System, ReferenceFrame, Point, Point]:
    """The System of a particle that moves along N.y, with its frame, its origin and the particle's point."""
    N, O, P = ReferenceFrame("N"), Point("O"), Point("P")
    P.set_pos(O, height * N.y)
    system = System(N, O)
    system.add_bodies(Particle("ball", P, mass))
    system.add_coordinates(height)
    system.add_speeds(speed)
    system.add_kdes(speed - height.diff())
    system.apply_uniform_gravity(-gravity * N.y)
    return system, N, O, P


@cache
def ball() -> Ball:
    m, g, e = symbols("m g e")
    y, v = dynamicsymbols("y v")
    system, N, O, P = falling(m, y, v, g)
    return Ball(HybridModel(system, [Contact(P, Plane(O, N.y), restitution=e, friction=0)]), y, v, m, g, e)


def unquoted(error: pytest.ExceptionInfo) -> str:
    """What an error says, without quotation marks."""
    return str(error.value).replace("'", "")


def test_every_public_name_is_there_and_listed():
    for name in sympact.__all__:
        assert getattr(sympact, name) is not None
    assert set(sympact.__all__) <= set(LOADED)


def test_the_ready_made_models_are_there_after_the_import_alone():
    command = "import sympact; print(sympact.models.bouncing_ball.__name__)"
    done = subprocess.run([sys.executable, "-c", command], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "bouncing_ball"


def test_an_unknown_name_is_refused_with_those_that_resemble_it_or_else_with_all():
    with pytest.raises(AttributeError, match=r"no attribute 'Contakt'; did you mean 'Contact'\?"):
        sympact.Contakt  # noqa: B018
    with pytest.raises(AttributeError, match="no attribute 'Zzyzx'; its public names are Assembly, Ball, BallClosure"):
        sympact.Zzyzx  # noqa: B018


def test_missing_and_unknown_parameters_are_listed_together():
    one, k = ball(), Symbol("k")
    with pytest.raises(ValueError, match="missing") as error:
        one.simulate(parameters={one.m: 1.0, k: 2.0})
    assert "parameters do not match the model: missing [e, g], unknown [k]" in unquoted(error)


def test_missing_and_unknown_states_are_listed_together():
    one, w = ball(), dynamicsymbols("w")
    with pytest.raises(ValueError, match="missing") as error:
        one.simulate(x0={one.y: 1.0, w: 0.0})
    assert "missing [v(t)], unknown [w(t)]" in unquoted(error)


@pytest.mark.parametrize("x0", [[1.0], [1.0, 0.0, 0.0], [[1.0, 0.0]]])
def test_a_start_of_the_wrong_shape_is_refused(x0):
    with pytest.raises(ValueError, match=r"x0 .*\(2,\)"):
        ball().simulate(x0=x0)


def test_numbers_that_are_not_finite_are_named():
    one = ball()
    with pytest.raises(ValueError, match=r"v\(t\)"):
        one.simulate(x0={one.y: 1.0, one.v: math.nan})
    with pytest.raises(ValueError, match=r"\bg\b.* inf"):
        one.simulate(parameters={**one.parameters, one.g: math.inf})


def test_a_start_below_the_ground_says_by_how_much():
    one = ball()
    with pytest.raises(ValueError, match=r"P on O.*0\.25"):
        one.simulate(x0={one.y: -0.25, one.v: 0.0})


@pytest.mark.parametrize("e", [-0.1, 1.5])
def test_restitution_lies_between_0_and_1(e):
    one = ball()
    with pytest.raises(ValueError, match=rf"restitution .*P on O.* {e}"):
        one.simulate(parameters={**one.parameters, one.e: e})
    N, O = ReferenceFrame("N"), Point("O")
    with pytest.raises(ValueError, match=rf"restitution .* is {e}0*, expected a number from 0"):
        Contact(Point("P"), Plane(O, N.y), restitution=e, friction=0)


def test_a_normal_is_a_unit_vector():
    N = ReferenceFrame("N")
    with pytest.raises(ValueError, match=r"N\.x \+ N\.y .* has the length 1\.41421, expected 1"):
        Plane(Point("O"), N.x + N.y)


def test_a_point_without_a_place_is_named():
    y, v = dynamicsymbols("y v")
    system, N, O, _ = falling(Symbol("m"), y, v, Symbol("g"))
    with pytest.raises(ValueError, match="'stray'"):
        HybridModel(system, [Contact(Point("stray"), Plane(O, N.y), restitution=0, friction=0)])


def test_a_massless_body_is_named():
    y, v = dynamicsymbols("y v")
    system, *_ = falling(0, y, v, Symbol("g"))
    with pytest.raises(ValueError, match=r"v\(t\).*'ball'.*mass"):
        HybridModel(system, [])


def test_a_mass_of_zero_among_the_parameters_is_found_before_the_run():
    one = ball()
    with pytest.raises(ValueError, match=r"v\(t\).*mass"):
        one.simulate(parameters={**one.parameters, one.m: 0.0})


def test_gimbal_lock_names_a_coordinate():
    q, u = Matrix(dynamicsymbols("psi theta phi")), Matrix(dynamicsymbols("r s w"))
    N, B, O = ReferenceFrame("N"), ReferenceFrame("B"), Point("O")
    B.orient_body_fixed(N, q, "313")
    system = System(N, O)
    system.add_bodies(RigidBody("top", O, B, Symbol("m"), (inertia(B, 1, 2, 3), O)))
    system.add_coordinates(*q)
    system.add_speeds(*u)
    system.add_kdes(*(u - q.diff(dynamicsymbols._t)))
    model = HybridModel(system, [], attitude="angles")
    with pytest.raises(ValueError, match=r"psi|phi|\br\b|\bw\b"):
        model.simulate((0, 1), dict.fromkeys(model.x, 0.0), dict.fromkeys(model.parameters, 1.0))


def test_equal_names_of_contacts_are_refused():
    y, v = dynamicsymbols("y v")
    system, N, O, P = falling(Symbol("m"), y, v, Symbol("g"))
    twice = [Contact(P, Plane(O, N.y), restitution=0, friction=0) for _ in range(2)]
    with pytest.raises(ValueError, match="2 contacts are called 'P on O'"):
        HybridModel(system, twice)


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"method": "RK23"}, r"method is 'RK23', expected one of DOP853, RK45"),
        ({"rtol": 0}, r"rtol is 0"),
        ({"atol": -1}, r"atol is -1"),
        ({"max_step": -1}, r"max_step is -1"),
        ({"max_events": 0}, r"max_events is 0"),
        ({"t_span": (1, 0)}, r"t_span"),
        ({"t_span": (0, math.nan)}, r"t_span"),
        ({"t_eval": [0, 2]}, r"t_eval"),
    ],
)
def test_wrong_settings_are_named(options, sentence):
    with pytest.raises(ValueError, match=sentence):
        ball().simulate(**options)


def test_a_run_to_rest_goes_on_to_its_end():
    result = ball().simulate(t_span=(0, 10))
    assert result.status is Status.FINISHED
    # a ball from 1 m with e = 1/2: t_inf = sqrt(2 h/g) (1 + e)/(1 - e)
    ((_, t_inf, error),) = accumulations(result)
    assert abs(t_inf - 3 * math.sqrt(2 / 9.8)) <= error <= 1e-8
    assert result.path == ("free", "P on O (at rest)")
    assert result.x[:, -1].tolist() == pytest.approx([0.0, 0.0], abs=1e-15)


def test_an_unknown_stage_is_refused_with_the_known_ones():
    with pytest.raises(ValueError, match=r"unknown stage 'warm'.*\['hot', 'cold'\]"):
        HybridSystem(
            {"hot": lambda t, x: -x, "cold": lambda t, x: x},
            [Transition("hot", "warm", boundary=lambda t, x: 1 - x[0])],
        )


def test_an_exception_of_the_user_comes_back_with_the_run_so_far():
    def flow(t, x):
        if t > 0.5:
            raise ZeroDivisionError("the spring is broken")
        return [1.0]

    process = HybridSystem({"on": flow}, [])
    with pytest.raises(ZeroDivisionError, match="the spring is broken") as error:
        process.simulate((0, 1), [0.0], start="on", max_step=0.125)
    assert 0.25 <= error.value.result.t[-1] <= 0.5


def test_ctrl_c_ends_a_run_with_what_it_has():
    program = f"""
import os, threading
from sympact import models
links = models.two_links()
high_above = {{letter: 9.0 if letter.name == "h" else value for letter, value in links.parameters.items()}}
links.model.simulate((0, 0.1), links.start, high_above)  # compiles what has to be
threading.Timer(0.3, os.kill, (os.getpid(), {signal.SIGINT.value})).start()
result = links.model.simulate((0, 1e6), links.start, high_above)
print(result.status.name, result.t[-1] > 0)
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert done.stdout.split() == ["INTERRUPTED", "True"], done.stderr


def test_the_citation_names_this_version():
    text = (Path(__file__).parents[2] / "CITATION.cff").read_text(encoding="utf-8")
    assert f"\nversion: {sympact.__version__}\n" in text


def test_a_star_import_needs_no_extra():
    script = "import sys; sys.modules['gymnasium'] = None; from sympact import *; print(HybridModel.__name__)"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout == "HybridModel\n"
