"""What a first run needs is compiled in processes side by side, and nothing else; trouble there is harmless."""

import io
import os
import subprocess
import sys
import textwrap

import pytest
from quick_members import members

from sympact.contact import Energetic, ImpulseRatio, Newton, Simultaneous
from sympact.contact.contact_workspace import contact_units, needed_units
from sympact.integrate.loop.prepared_run import loop_units
from sympact.integrate.steppers.methods import METHODS
from sympact.native import compilation
from sympact.native.compilation import compile_together, compile_what_is_named
from sympact.native.kernel import Unit

SMALL = [Unit("sympact.integrate.steppers.runge_kutta_kernel", f"euler_{task}") for task in ("advance", "dense")]
pytestmark = pytest.mark.as_machine_code


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """An empty cache, and two cores."""
    monkeypatch.setenv("SYMPACT_CACHE_DIR", str(tmp_path))
    monkeypatch.setattr(compilation, "cores", lambda: 2)
    monkeypatch.setattr(compilation, "_at_hand", set())
    monkeypatch.setattr("sympact.native.object_code._loaded", {})
    return tmp_path / "objects"


def test_units_are_on_disk_afterwards(folder):
    assert not any(unit.kept() for unit in SMALL)
    compile_together(SMALL)
    assert all(unit.kept() for unit in SMALL)
    assert len(list(folder.glob("*.object"))) == len(SMALL)


def test_each_name_is_answered(folder, monkeypatch, capsys):
    monkeypatch.setattr("sys.stdin", io.StringIO("".join(f"{u.module}\t{u.function}\t{u.signature}\n" for u in SMALL)))
    compile_what_is_named()
    assert capsys.readouterr().out == "\n" * len(SMALL)


def test_a_process_that_fails_leaves_its_units_for_later(folder, monkeypatch):
    monkeypatch.setattr(compilation, "_CHILD", "raise SystemExit(1)")
    compile_together(SMALL)
    assert not any(unit.kept() for unit in SMALL)


def test_a_folder_that_cannot_be_used_starts_no_process(folder, tmp_path, monkeypatch):
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("SYMPACT_CACHE_DIR", str(tmp_path / "file"))
    monkeypatch.setattr(compilation, "_child", lambda: pytest.fail("a process was started"))
    with pytest.warns(RuntimeWarning, match="compiled code is not kept"):
        compile_together(SMALL)


def test_a_cache_that_is_off_starts_no_process(folder, monkeypatch):
    monkeypatch.setenv("SYMPACT_CACHE_DIR", "off")
    monkeypatch.setattr(compilation, "_child", lambda: pytest.fail("a process was started"))
    compile_together(SMALL)
    assert not folder.exists()
    assert not any(unit.kept() for unit in SMALL)


@pytest.mark.parametrize("method", members(METHODS, slow=("Euler", "improved Euler", "RK45", "Radau", "BDF", "LSODA")))
def test_a_run_of_a_process_needs_no_other_units(method, tmp_path):
    """In a new process, with what is listed as needed already compiled, a run compiles nothing more."""
    script = textwrap.dedent(f"""
        from sympact import HybridSystem, Transition
        from sympact.hybrid.edges.process_table import EDGE_UNITS
        from sympact.native import kernel as unit
        from sympact.integrate.loop.prepared_run import loop_units
        from sympact.integrate.steppers.methods import METHODS
        listed = {{*loop_units(METHODS[{method!r}]), *EDGE_UNITS}}
        asked, address = set(), unit._machine_address
        unit._machine_address = lambda one: asked.add(one) or address(one)
        bounce = Transition("up", "up", boundary=lambda t, x: -x[0], jump=lambda t, x: [0.0, -0.5 * x[1]])
        ball = HybridSystem({{"up": lambda t, x: [x[1], -10.0]}}, [bounce])
        ball.simulate((0, 0.5), [1.0, 0.0], start="up", method={method!r}, max_step=0.01)
        assert asked <= listed, asked - listed
    """)
    subprocess.run([sys.executable, "-c", script], check=True, env=dict(os.environ))


@pytest.mark.parametrize(
    ("law", "resolution", "friction"),
    [
        (Newton(), Simultaneous(), False),
        (Newton(), Simultaneous(), True),
        (Energetic(), ImpulseRatio((1.0,), 1.0), False),
    ],
)
def test_all_that_any_model_needs_is_compiled_ahead(law, resolution, friction):
    assert set(needed_units(law, resolution, friction)) <= set(contact_units())


def test_a_model_with_friction_needs_no_other_units():
    """The solver that few runs need is loaded where it is compiled already, and else compiled on its first call."""
    script = textwrap.dedent("""
        from sympact.contact.contact_workspace import HARD_CONE, needed_units
        from sympact.native import kernel as unit
        from sympact.integrate.loop.prepared_run import loop_units
        from sympact.integrate.steppers.methods import METHODS
        from sympact.mechanics.start.scale import SCALE_UNIT
        from sympact.models import sliding_block
        block = sliding_block()
        model = block.model
        listed = {*loop_units(METHODS["DOP853"]), *needed_units(model.law, model.resolution, True), SCALE_UNIT}
        asked, address = set(), unit._machine_address
        unit._machine_address = lambda one: asked.add(one) or address(one)
        block.simulate()
        assert asked - {HARD_CONE.unit} == listed, asked ^ listed
    """)
    subprocess.run([sys.executable, "-c", script], check=True, env=dict(os.environ))
    assert loop_units(METHODS["RK45"]) != loop_units(METHODS["RK4"])
