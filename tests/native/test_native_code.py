"""Promises of machine code: compiled once per machine, the same bits from memory, disk or compiler, by address."""

import ctypes
import gc
import math
import subprocess
import sys
import threading

import pytest

from sympact import native

SINE_OF_SQUARE = """
declare double @llvm.sin.f64(double)
define double @f(double %x) {
  %square = fmul double %x, %x
  %y = call double @llvm.sin.f64(double %square)
  ret double %y
}
"""


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    """An empty cache of its own for each test; returns where the object files will be."""
    monkeypatch.setenv("SYMPACT_CACHE_DIR", str(tmp_path))
    return tmp_path / "objects"


def never():
    raise AssertionError("the text was asked for, but the object code is known")


def function(code, name="f"):
    return ctypes.CFUNCTYPE(ctypes.c_double, ctypes.c_double)(code.address(name))


@pytest.mark.parametrize("passes", [True, False])
@pytest.mark.parametrize("level", [0, 1, 2, 3])
def test_computes_at_every_level(level, passes):
    code = native.load(SINE_OF_SQUARE, key="f", level=level, passes=passes)
    assert function(code)(1.5) == math.sin(2.25)


def test_same_arguments_give_the_same_object_while_it_lives():
    first = native.load(SINE_OF_SQUARE, key="f", level=1)
    assert native.load(never, key="f", level=1) is first
    assert native.load(SINE_OF_SQUARE, key="f", level=2) is not first
    assert native.load(SINE_OF_SQUARE, key="g", level=1) is not first


def test_object_code_is_loaded_from_disk():
    code = native.load(SINE_OF_SQUARE, key="f", level=1)
    expected = function(code)(0.7)
    del code
    gc.collect()
    assert function(native.load(never, key="f", level=1))(0.7) == expected


def test_another_process_loads_without_compiling():
    native.load(SINE_OF_SQUARE, key="f", level=1)
    program = (
        "import ctypes, sys\n"
        "from sympact import native\n"
        "code = native.load(lambda: sys.exit('compiled again'), key='f', level=1)\n"
        "f = ctypes.CFUNCTYPE(ctypes.c_double, ctypes.c_double)(code.address('f'))\n"
        "assert not {'numba', 'sympy'} & set(sys.modules)\n"
        "print(f(0.7).hex())"
    )
    output = subprocess.run([sys.executable, "-c", program], check=True, capture_output=True, text=True).stdout
    assert float.fromhex(output) == math.sin(0.7 * 0.7)


def test_damaged_object_code_is_compiled_anew(folder):
    native.load(SINE_OF_SQUARE, key="f", level=1)
    gc.collect()
    (file,) = folder.iterdir()
    sound = file.read_bytes()
    file.write_bytes(sound[: len(sound) // 2])
    code = native.load(SINE_OF_SQUARE, key="f", level=1)
    assert function(code)(1.5) == math.sin(2.25)
    assert file.read_bytes() == sound


def test_works_without_a_cache(monkeypatch, tmp_path):
    monkeypatch.setenv("SYMPACT_CACHE_DIR", "off")
    assert function(native.load(SINE_OF_SQUARE, key="f", level=1))(0.5) == math.sin(0.25)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("name", ["pow", "atan2", "fmod"])
def test_finds_functions_of_two_arguments_in_the_c_library(name):
    text = f"""
    declare double @{name}(double, double)
    define double @f(double %x) {{
      %y = call double @{name}(double %x, double 1.5)
      ret double %y
    }}"""
    code = native.load(text, key=name, level=1)
    assert function(code)(2.25) == getattr(math, name)(2.25, 1.5)


@pytest.mark.parametrize("name", ["erf", "tan", "asinh", "log1p", "cbrt"])
def test_finds_functions_of_one_argument_in_the_c_library(name):
    text = f"""
    declare double @{name}(double)
    define double @f(double %x) {{
      %y = call double @{name}(double %x)
      ret double %y
    }}"""
    code = native.load(text, key=name, level=1)
    expected = math.pow(0.75, 1 / 3) if name == "cbrt" else getattr(math, name)(0.75)
    assert function(code)(0.75) == pytest.approx(expected, rel=4e-16)


def test_helpers_of_numba_on_paths_never_taken_do_not_matter():
    text = """
    declare i32 @numba_gil_ensure()
    declare void @NRT_Free(ptr)
    declare void @PyErr_Clear()
    define double @f(double %x) {
      %never = fcmp uno double 1.0, %x
      br i1 %never, label %broken, label %fine
    broken:
      %state = call i32 @numba_gil_ensure()
      call void @PyErr_Clear()
      call void @NRT_Free(ptr null)
      ret double 0.0
    fine:
      ret double %x
    }"""
    assert function(native.load(text, key="numba", level=1))(3.0) == 3.0


def test_unknown_function_is_named():
    text = """
    declare double @no_such_function()
    define double @f(double %x) {
      %y = call double @no_such_function()
      ret double %y
    }"""
    with pytest.raises(RuntimeError, match="'no_such_function', found neither"):
        native.load(text, key="unknown", level=1)


def test_text_that_is_no_ir_is_refused():
    with pytest.raises(RuntimeError, match="expected"):
        native.load("this is no IR", key="nonsense", level=1)


def test_address_of_an_unknown_name():
    with pytest.raises(KeyError, match="no function 'g'"):
        native.load(SINE_OF_SQUARE, key="f", level=1).address("g")


def test_eight_threads_compile_once():
    calls, codes = [], []
    start = threading.Barrier(8)

    def text():
        calls.append(1)
        return SINE_OF_SQUARE

    def work():
        start.wait()
        codes.append(native.load(text, key="f", level=2))

    threads = [threading.Thread(target=work) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(calls) == 1
    assert len(codes) == 8
    assert len(set(map(id, codes))) == 1


def test_child_made_in_the_middle_of_a_compilation_can_compile():
    """The child of a fork has none of its parent's threads, and must not wait for one that held a lock."""
    program = """
import os, threading
from sympact import native
text = "define double @f(double %x) { ret double %x }"
busy = threading.Event()
def compile_many():
    for k in range(200):
        native.load(text, key=f"parent {k}", level=2)
        busy.set()
thread = threading.Thread(target=compile_many)
thread.start()
busy.wait()
children = []
for k in range(5):
    child = os.fork()
    if child == 0:
        os._exit(0 if native.load(text, key=f"child {k}", level=1).address("f") else 1)
    children.append(child)
thread.join()
for child in children:
    assert os.waitpid(child, 0)[1] == 0
"""
    subprocess.run([sys.executable, "-W", "ignore", "-c", program], check=True, timeout=60)
