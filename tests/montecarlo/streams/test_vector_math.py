"""Elementary functions of the kernels: within 1 ulp of mpmath, vectorised, and the same bits on every processor."""

import hashlib
import inspect
import os
import re
import subprocess
import sys
from pathlib import Path

import llvmlite.binding as llvm
import mpmath
import numba
import numpy as np
import pytest
from mpmath import mp, mpf

from montecarlo.engine.compiled import OPTIONS
from montecarlo.engine.parts import Helper
from montecarlo.streams.instructions import inlined
from montecarlo.streams.vector_math import exp, expm1, log, sigmoid, sincos_turns, tanh

# The bounds that the docstrings state, in ulp.
BOUNDS = {"exp": 0.95, "expm1": 0.95, "log": 1.0, "tanh": 0.9, "sigmoid": 0.9, "sine": 0.9, "cosine": 0.9}
LARGEST = sys.float_info.max
NORMAL = sys.float_info.min
TINY = 2.0**-1074


@pytest.fixture(autouse=True)
def forty_digits():
    with mp.workdps(40):
        yield


@inlined
def sine(v):
    return sincos_turns(v)[0]


@inlined
def cosine(v):
    return sincos_turns(v)[1]


def over_array(function):
    """The loop out[i] = function(x[i]), compiled as kernels are."""

    def loop(x, out):
        for i in range(x.shape[0]):
            out[i] = function(x[i])

    return Helper(loop, OPTIONS)


LOOPS = {f.__name__: over_array(f) for f in (exp, expm1, log, tanh, sigmoid, sine, cosine)}
EXACT = {
    "exp": mpmath.exp, "expm1": mpmath.expm1, "log": mpmath.log, "tanh": mpmath.tanh,
    "sigmoid": lambda x: 1 / (1 + mpmath.exp(-x)), "sine": lambda v: mpmath.sinpi(2 * v),
    "cosine": lambda v: mpmath.cospi(2 * v),
}  # fmt: skip


def evaluate(name, x):
    out = np.empty(len(x))
    LOOPS[name](np.asarray(x, dtype=float), out)
    return out


# --- the points -------------------------------------------------------------------------------------------------------


def grid(low, high, n, seed):
    """n magnitudes 2**low ... 2**high with random significands, then the same with a minus sign."""
    rng = np.random.default_rng(seed)
    x = np.ldexp(rng.uniform(1.0, 2.0, n), np.linspace(low, high, n).astype(int))
    return np.concatenate([x, -x])


def near(centres, n, seed, widths=(-50, -6)):
    """Random centres with random relative distances of all magnitudes, on both sides."""
    rng = np.random.default_rng(seed)
    return rng.choice(centres, n) * (1 + rng.choice([-1, 1], n) * 2.0 ** rng.uniform(*widths, n))


def uniform(low, high, n, seed):
    return np.random.default_rng(seed).uniform(low, high, n)


HALF_LN2 = np.log(2) * (np.arange(-1070, 1024) + 0.5)  # where the reduction of exp goes to the next power of two
EIGHTHS = (2 * np.arange(-40, 40) + 1) / 8  # where sine and cosine change their roles
SQRT_HALVES = np.sqrt(0.5) * 2.0 ** np.arange(-20, 20)  # where log goes to the next exponent

POINTS = {
    "exp": [
        uniform(-708, 709.7, 1500, 1), uniform(-2, 2, 500, 2), uniform(-745.1, -708, 800, 3),
        near(HALF_LN2, 2000, 4), grid(-1074, -1, 300, 5),
    ],
    "expm1": [
        uniform(-40, 709.7, 1200, 1), uniform(-2, 2, 1000, 2), uniform(0.34, 0.42, 2000, 3), uniform(30, 45, 400, 4),
        near(HALF_LN2[1010:1130], 1000, 5), grid(-1074, 5, 600, 6),
    ],
    "log": [
        np.abs(grid(-1022, 1023, 1000, 1)), uniform(0.5, 2, 1500, 2), 1 + grid(-52, -3, 600, 3),
        near(SQRT_HALVES, 1000, 4), uniform(0.68, 0.72, 600, 5), TINY * np.ceil(np.abs(grid(0, 51, 300, 6))),
    ],
    "tanh": [
        grid(-1074, 5, 1200, 1), uniform(-2, 2, 1200, 2), uniform(15, 20, 400, 3), near(HALF_LN2[1070:] / 2, 600, 4),
        uniform(0.08, 0.3, 800, 5),
    ],
    "sigmoid": [
        uniform(-745, 45, 1500, 1), uniform(-4, 4, 1200, 2), uniform(-745.1, -705, 600, 3), uniform(-40, 40, 600, 4),
        near(HALF_LN2[900:1072], 600, 5), grid(-1074, -1, 300, 6),
    ],
    "sine": [
        grid(-1074, 48, 1200, 1), uniform(-1, 1, 1200, 2), near(EIGHTHS, 1500, 3, (-20, -5)),
        near(np.arange(1, 20) / 4, 800, 4),
    ],
}  # fmt: skip
POINTS["cosine"] = POINTS["sine"]


def ulp_errors(name, x, got):
    """|got - exact| in units of the float64 spacing at the exact value, by mpmath."""
    errors = np.empty(len(x))
    for i, (argument, value) in enumerate(zip(x.tolist(), got.tolist(), strict=True)):
        exact = EXACT[name](mpf(argument))
        if exact == 0:
            errors[i] = 0.0 if value == 0 else np.inf
        else:
            exponent = max(mpmath.frexp(exact)[1] - 1, -1022) - 52
            errors[i] = abs(mpmath.ldexp(mpf(value) - exact, -exponent))
    return errors


@pytest.mark.slow
@pytest.mark.parametrize("name", POINTS)
def test_error_is_below_the_stated_bound_over_the_whole_range(name):
    x = np.concatenate(POINTS[name])
    got = evaluate(name, x)
    errors = ulp_errors(name, x, got)
    worst = np.argmax(errors)
    assert errors[worst] < BOUNDS[name], f"{name}({x[worst]!r}) is off by {errors[worst]:.3f} ulp"
    # Negative control: the neighbours of the right answers must be found out, else the measure sees nothing.
    assert ulp_errors(name, x[::20], np.nextafter(got[::20], np.inf)).max() > 1.0


SPECIALS = {
    "exp": {
        0.0: 1.0, np.inf: np.inf, -np.inf: 0.0, LARGEST: np.inf, -LARGEST: 0.0, TINY: 1.0, -TINY: 1.0,
        709.782712893384: 1.797693134862273e308, 709.7827128933841: np.inf, -745.1332191019411: TINY,
        -745.1332191019412: 0.0,
    },
    "expm1": {0.0: 0.0, np.inf: np.inf, -np.inf: -1.0, LARGEST: np.inf, -LARGEST: -1.0, TINY: TINY, -TINY: -TINY,
              709.7827128933841: np.inf, -40.0: -1.0},
    "log": {1.0: 0.0, 0.0: -np.inf, np.inf: np.inf, -np.inf: np.nan, -1.0: np.nan, -TINY: np.nan,
            TINY: -744.4400719213812, LARGEST: 709.782712893384, NORMAL: -708.3964185322641},
    "tanh": {0.0: 0.0, np.inf: 1.0, -np.inf: -1.0, LARGEST: 1.0, TINY: TINY, -TINY: -TINY, 20.0: 1.0},
    "sigmoid": {0.0: 0.5, np.inf: 1.0, -np.inf: 0.0, LARGEST: 1.0, -LARGEST: 0.0, TINY: 0.5, -745.1: TINY,
                -746.0: 0.0, 40.0: 1.0},
    "sine": {0.0: 0.0, 0.25: 1.0, 0.5: 0.0, 0.75: -1.0, -0.25: -1.0, 2.0**49: 0.0, 1 - 2.0**49: 0.0, 2.0**50: np.nan,
             np.inf: np.nan, -np.inf: np.nan, LARGEST: np.nan, TINY: 6 * TINY},
    "cosine": {0.0: 1.0, 0.25: 0.0, 0.5: -1.0, 0.75: 0.0, -0.25: 0.0, 2.0**49: 1.0, 0.5 - 2.0**48: -1.0,
               2.0**50: np.nan, np.inf: np.nan, -np.inf: np.nan, LARGEST: np.nan, TINY: 1.0},
}  # fmt: skip


@pytest.mark.parametrize("name", SPECIALS)
def test_special_values(name):
    x = np.array([*SPECIALS[name], np.nan] * 3)  # three times: some in the vector body, some in the scalar remainder
    want = np.array([*SPECIALS[name].values(), np.nan] * 3)
    got = evaluate(name, x)
    np.testing.assert_array_equal(np.isnan(got), np.isnan(want))
    rounded = np.isfinite(want) & ~np.isin(np.abs(want), [0.0, 0.5, 1.0, TINY])
    np.testing.assert_array_equal(got[~rounded], want[~rounded])
    assert (np.abs(got[rounded] - want[rounded]) <= np.spacing(np.abs(want[rounded]))).all()


def test_minus_zero_is_zero():
    got = {name: float(evaluate(name, [-0.0])[0]) for name in LOOPS}
    assert got == {"exp": 1, "expm1": 0, "log": -np.inf, "tanh": 0, "sigmoid": 0.5, "sine": 0, "cosine": 1}


def test_tanh_is_odd_and_sine_and_cosine_have_their_symmetries_to_the_last_bit():
    x = np.abs(np.concatenate([[0.0], *POINTS["tanh"]]))
    np.testing.assert_array_equal(evaluate("tanh", -x).view(np.uint64), (-evaluate("tanh", x)).view(np.uint64))
    v = np.round(uniform(-4, 4, 1000, 9) * 2.0**40) / 2.0**40  # so that v + 1/4 and v + 4096 are exact
    np.testing.assert_array_equal(evaluate("sine", -v), -evaluate("sine", v))
    np.testing.assert_array_equal(evaluate("cosine", -v), evaluate("cosine", v))
    np.testing.assert_array_equal(evaluate("sine", v + 0.25), evaluate("cosine", v))
    np.testing.assert_array_equal(evaluate("sine", v + 4096), evaluate("sine", v))


# --- the machine ------------------------------------------------------------------------------------------------------


HOST = llvm.get_host_cpu_features()
PACKED = re.compile(r"\bv(?:f?n?m(?:add|sub)\w*|mul|div)pd\s.*%[yz]mm")


@pytest.mark.skipif(not HOST.get("avx2"), reason="this processor has no 256-bit vectors (AVX2)")
@pytest.mark.parametrize("name", LOOPS)
def test_loops_are_vectorised(name):
    evaluate(name, [1.0])
    (assembly,) = LOOPS[name].inspect_asm().values()
    assert len(PACKED.findall(assembly)) >= 5


@pytest.mark.skipif(not HOST.get("avx2"), reason="this processor has no 256-bit vectors (AVX2)")
def test_the_search_for_vector_instructions_finds_none_in_a_recurrence():
    @numba.njit(error_model="numpy")
    def recurrence(x, out):
        last = 0.0
        for i in range(x.shape[0]):
            last = exp(x[i] - last)
            out[i] = last

    recurrence(np.ones(2), np.empty(2))
    (assembly,) = recurrence.inspect_asm().values()
    assert not PACKED.search(assembly)


def everywhere():
    k = np.arange(1, 4000)
    x = np.concatenate([np.ldexp(1 + (k * 0.6180339887498949) % 1, k % 2098 - 1074), (k * 0.7548776662466927) % 1 * 30])
    return np.concatenate([x, -x, [0.0, np.inf, -np.inf, np.nan]])


def fingerprint(out):
    out[np.isnan(out)] = np.nan
    return hashlib.blake2b(out.tobytes(), digest_size=8).hexdigest()


PROGRAM = f"""
import hashlib, numpy as np
from montecarlo.engine.compiled import OPTIONS
from montecarlo.engine.parts import Helper
from montecarlo.streams.vector_math import exp, expm1, log, sigmoid, sincos_turns, tanh

def loop(x, out):
    for i in range(x.shape[0]):
        out[i, 0], out[i, 1], out[i, 2] = exp(x[i]), expm1(x[i]), log(x[i])
        out[i, 3], out[i, 4] = tanh(x[i]), sigmoid(x[i])
        out[i, 5], out[i, 6] = sincos_turns(x[i])

{inspect.getsource(everywhere)}{inspect.getsource(fingerprint)}
x = everywhere()
out = np.empty((len(x), 7), order="F")
Helper(loop, OPTIONS)(x, out)
print(fingerprint(out))
"""


# A new value here means that results in existing stores can no longer be reproduced.
RECORDED = "313f2742b0548eae"


def test_bits_are_those_of_existing_stores():
    x = everywhere()
    assert fingerprint(np.column_stack([evaluate(name, x) for name in LOOPS])) == RECORDED


@pytest.mark.slow
def test_bits_do_not_depend_on_the_processor():
    """The oldest x86-64 has neither FMA nor vectors of four: the scalar code and libm's fma must give the same bits."""
    oldest = {"NUMBA_CPU_NAME": "generic", "NUMBA_CPU_FEATURES": ""}
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM], env={**os.environ, **oldest}, cwd=Path(__file__).resolve().parents[3],
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert done.stdout.strip() == RECORDED
