"""Machine code that an installation brings along: for other processors than this one, found by its sources, sound."""

import ctypes
import re
import subprocess
import sys

import pytest

import sympact
from sympact import models, native
from sympact.native import kernel, shipped
from sympact.native.kernel import Unit
from sympact.native.lowering import unit_ir
from sympact.native.processor import TARGETS, host_target
from sympact.native.system import platform_other

FUSED = """
define double @unit(double %x) {
  %square = fmul contract double %x, %x
  %y = fsub contract double %square, 1.0
  ret double %y
}
"""
"""x^2 - 1, with one rounding where the processor has the fused product, else with two."""
X = 1.0 + 2.0**-27
"""Whose square, 1 + 2^-26 + 2^-54, has more digits than a double."""
ONCE, TWICE = 2.0**-26 + 2.0**-54, 2.0**-26


def called(code: native.Code, x: float) -> float:
    return ctypes.CFUNCTYPE(ctypes.c_double, ctypes.c_double)(code.address("unit"))(x)


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.setattr(shipped, "FOLDER", tmp_path)
    return tmp_path


@pytest.mark.parametrize("target", TARGETS.values(), ids=TARGETS)
def test_there_is_machine_code_for_every_target(target):
    """ELF for Linux, Mach-O for macOS, COFF for Windows: by their first bytes."""
    code = native.compile_ir(FUSED, target, level=2).partition(b"\0")[2]
    machine = {
        "linux-x86": (b"\x7fELF", 18, 0x3E),
        "linux-aarch": (b"\x7fELF", 18, 0xB7),
        "macos": (b"\xcf\xfa\xed\xfe", 4, 0x0C),
    }
    for name, (magic, place, number) in machine.items():
        if target.name.startswith(name):
            assert (code[:4], code[place]) == (magic, number)
            return
    assert code[:2] == b"\x64\x86"


LARGE = """
declare double @llvm.sin.f64(double)
declare double @llvm.cos.f64(double)
declare double @llvm.pow.f64(double, double)
declare void @fill(ptr)
define double @unit(double %x) {
  %room = alloca [9000 x double]
  call void @fill(ptr %room)
  %first = load double, ptr %room
  %sine = call double @llvm.sin.f64(double %x)
  %cosine = call double @llvm.cos.f64(double %x)
  %power = call double @llvm.pow.f64(double %sine, double %cosine)
  %y = fadd double %power, %first
  ret double %y
}
"""
"""With a stack of many pages, floating-point numbers, and functions of the C library."""
OF_THE_C_LIBRARY = {"pow", "sin", "cos", "sincos"}


@pytest.mark.parametrize("target", TARGETS.values(), ids=TARGETS)
def test_what_code_for_a_target_refers_to_is_there(target):
    """In the C library, in the code itself, or, for Windows, among the symbols that its twin provides."""
    lief = pytest.importorskip("lief", reason="object files of other systems are read by lief")
    provided = {*platform_other.symbols_of_code(), "__chkstk"} if target.name.startswith("windows") else set()
    read = {"linux": lief.ELF, "macos": lief.MachO, "windows": lief.COFF}[target.name.partition("-")[0]]
    found = read.parse([*native.compile_ir(LARGE, target, level=2).partition(b"\0")[2]])
    symbols = (found.at(0) if target.name.startswith("macos") else found).symbols
    names = {symbol.name.removeprefix("_" if target.name.startswith("macos") else "") for symbol in symbols}
    own = {"", "unit", "fill", "<stdin>", "<string>"} | {name for name in names if re.match(r"[.$@]|ltmp", name)}
    assert "pow" in names
    assert names - own <= OF_THE_C_LIBRARY | provided


def levels() -> list[str]:
    """The levels of x86-64 that this processor has; none of another family."""
    best = host_target()
    return [one.processor for one in TARGETS.values() if one.triple == best.triple and one.processor.startswith("x86")]


@pytest.mark.skipif(host_target().processor != "x86-64-v3", reason="needs a processor with the fused product")
@pytest.mark.parametrize(("level", "value"), [("x86-64-v3", ONCE), ("x86-64-v2", TWICE)])
def test_a_level_decides_the_bits(monkeypatch, level, value):
    monkeypatch.setenv("SYMPACT_PROCESSOR", level)
    assert called(native.load(FUSED, key=f"fused at {level}", level=2), X) == value


@pytest.mark.parametrize("wanted", ["znver5", "x86-64-v9", "linux-aarch64"])
def test_a_level_that_the_processor_has_not_is_refused(monkeypatch, wanted):
    monkeypatch.setenv("SYMPACT_PROCESSOR", wanted)
    with pytest.raises(ValueError, match=f"SYMPACT_PROCESSOR is '{wanted}', expected a level that this processor has"):
        host_target()


def test_a_unit_that_is_shipped_is_not_compiled(folder, monkeypatch):
    unit = Unit("sympact.contact.solver_calls_kernel", "rank")
    assert not shipped.has(unit.identity)
    shipped.write(unit.identity, native.compile_ir(FUSED, host_target(), level=2), host_target(), folder)
    monkeypatch.setattr(unit_ir, "unit_ir", lambda unit: pytest.fail("it was compiled"))
    assert unit.kept()
    assert called(kernel._machine_code.__wrapped__(unit), 3.0) == 8.0


def test_machine_code_of_other_sources_or_targets_is_not_taken(folder):
    content = native.compile_ir(FUSED, host_target(), level=2)
    shipped.write("a unit", content, host_target(), folder)
    other = next(target for target in TARGETS.values() if target.name != host_target().name)
    shipped.write("another unit", content, other, folder)
    assert shipped.find("a unit") == content
    assert shipped.find("a unit with other sources") is None
    assert shipped.find("another unit") is None


@pytest.mark.parametrize(
    "damage", [lambda data: data[:-1], lambda data: data[:60] + b"x" + data[61:], lambda data: b""]
)
def test_a_damaged_file_is_no_machine_code(folder, damage):
    shipped.write("a unit", b"content" * 100, host_target(), folder)
    (file,) = folder.rglob("*.object")
    file.write_bytes(damage(file.read_bytes()))
    assert shipped.find("a unit") is None


def test_what_is_written_for_a_wheel_goes_to_an_empty_folder(tmp_path):
    from sympact.native.compilation import write_objects

    (tmp_path / "old").touch()
    with pytest.raises(FileExistsError, match="is not empty; remove it, or name a new one"):
        write_objects([], tmp_path)


def test_without_numba_and_without_shipped_code_the_error_says_what_to_install(folder, monkeypatch):
    monkeypatch.setitem(sys.modules, "numba", None)
    with pytest.raises(ImportError, match=r"no machine code of the unit .*rank.*pip install 'sympact\[kernels\]'"):
        Unit("sympact.contact.solver_calls_kernel", "rank").emit()


def test_counts_of_references_are_taken_out_of_the_text():
    text = (
        "define i64 @unit(i64 %0) {\n  call void @NRT_incref(ptr null)\n  tail call void @NRT_decref(ptr null) #1\n"
        "  ret i64 %0\n}\n\ndefine linkonce_odr void @NRT_decref(ptr %0) #1 {\n  ret void\n}\n\n"
        "declare double @sqrt(double)\n"
    )
    left = unit_ir._COUNTED.sub("", text)
    assert left == "define i64 @unit(i64 %0) {\n  ret i64 %0\n}\n\n\ndeclare double @sqrt(double)\n"


def test_a_result_and_the_installation_name_the_same_engine():
    about = sympact.about()
    result = models.bouncing_ball().simulate(max_events=1)
    assert result.settings["engine"] == about.engine
    assert str(about).splitlines()[0].split() == ["sympact", sympact.__version__]


UNITS = """
import gc, importlib, pkgutil
import sympact
for module in pkgutil.walk_packages(sympact.__path__, "sympact."):
    if not module.name.endswith(("__main__", "_numba", "_ctypes")):
        importlib.import_module(module.name)
from sympact.mechanics.every_unit import every_unit
from sympact.native.kernel import Unit
print(*sorted({one.name for one in gc.get_objects() if isinstance(one, Unit)} - {one.name for one in every_unit()}))
"""


def test_every_unit_goes_into_a_wheel():
    """Of all units that any module makes when it is imported."""
    done = subprocess.run([sys.executable, "-c", UNITS], check=True, capture_output=True, text=True)
    assert done.stdout.split() == []
