"""Published forms in floating point: where they overflow, cancel, or lose what is small beside 1."""

from collections.abc import Callable, Mapping

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from figures import style
from figures.contract import Arrays, Panels, Run
from paper_checks.papers.nerva import float_forms as forms
from theory import activations

CAPTION = """\
Relative errors of the paper's formulas for activation functions and losses in floating-point arithmetic, against 60
digits. Solid lines are float64, dotted lines float32; crosses and pluses at the upper edge are infinite results or nan.
At an error of 1 no digit is correct. The paper shows no such figure.
"""
DETAILS = f"""\
(a) sigma (1 - sigma) and 1 - tanh^2 lose their digits as the functions approach 1. The first is 0 from
{forms.both(forms.ROUNDED)} on, the second from about 19 (9 to 10 in float32).

(b) The quotient for tanh cancels near 0 and is nan above {forms.both(forms.OVERFLOW)}.

(c) log sigma computed through sigma, the published form of the loss, is 0 from {forms.ROUNDED[np.float64]:.2f} on and
-oo below -{forms.OVERFLOW[np.float64]:.2f}. -log1p(exp(-x)), Eigen's row of Table 2, is -oo there too;
-logaddexp(0, -x), NumPy's row, never.

(d) Two entries that differ by z. stable-softmax loses up to |z| units of rounding in the smaller one.
stable-log-softmax loses all digits of the larger one, -e^z. Black: theory.activations, which keeps both.
"""
ALT = """\
Four panels of relative error on logarithmic axes. Published derivatives, tanh and logarithm of the logistic function
lose all digits in float64, and sooner in float32. Stable softmax loses its larger logarithm, while theory.activations
stays at 1e-16.
"""
PARAMETERS = {"digits of the reference": forms.DIGITS, "points per curve": "200 to 400"}
RECIPE = Run()
ROUNDING = True

KINDS = {"double": np.float64, "single": np.float32}
SLOPE = np.linspace(0.1, 42, 300)
TANH = 10.0 ** np.linspace(-20, 3, 300)
# Up to 60 on the right; the cube root gives room to what is near 0.
LOG_SIGMOID = np.concatenate([-(np.linspace(12, 0.1, 240) ** 3), np.linspace(0.1, 60, 200)])
GAPS = np.geomspace(0.05, 700, 250)
_ERROR_AXIS = {"yscale": "log", "ylim": (3e-18, 30), "ylabel": "relative error"}


def data(_: Run) -> dict[str, np.ndarray]:
    """Relative errors of all curves; infinite where the result is.

    Returns
    -------
    dict of str to array
        ``slope``, ``tanh``, ``log_sigmoid`` and ``gap``: the arguments. By name of a form and ``_double`` or
        ``_single`` its errors there.
    """
    found = {"slope": SLOPE, "tanh": TANH, "log_sigmoid": LOG_SIGMOID, "gap": GAPS}
    for name, at in (
        ("sigmoid_slope", SLOPE), ("tanh_slope", SLOPE), ("tanh", TANH), ("log_of_sigmoid", LOG_SIGMOID),
        ("log_sigmoid_eigen", LOG_SIGMOID), ("log_sigmoid_numpy", LOG_SIGMOID),
    ):  # fmt: skip
        for label, kind in KINDS.items():
            found[f"{name}_{label}"] = forms.errors_of(name, at.astype(kind)) * forms.UNIT[kind]
    return found | _pairs()


def _pairs() -> dict[str, np.ndarray]:
    """Errors for the entries (1/3, 1/3 - gap), of softmax in the smaller one, of its logarithm in the larger one."""
    ways: dict[str, tuple[Callable, Callable]] = {
        "stable": (forms.stable_softmax, forms.stable_log_softmax),
        "own": (activations.softmax, activations.log_softmax),
    }
    found = {f"{way}_{what}": np.empty(len(GAPS)) for way in ways for what in ("smaller", "larger")}
    for i, gap in enumerate(GAPS):
        x = np.array([1 / 3, 1 / 3 - gap])
        soft, logs = forms.softmax_exactly(x)
        for way, (softmax, log_softmax) in ways.items():
            smaller = forms.errors(forms.evaluated(softmax, x)[1:], soft[1:], np.float64)
            larger = forms.errors(forms.evaluated(log_softmax, x)[:1], logs[:1], np.float64)
            found[f"{way}_smaller"][i], found[f"{way}_larger"][i] = smaller[0] * 2.0**-53, larger[0] * 2.0**-53
    return found


def _keys(figure: Figure, _: np.ndarray) -> None:
    keys = [
        Line2D([], [], color="grey", label="float64"), Line2D([], [], color="grey", linestyle=":", label="float32"),
        Line2D([], [], color="grey", linestyle="", marker="x", label="infinite or nan, float64"),
        Line2D([], [], color="grey", linestyle="", marker="+", label="infinite or nan, float32"),
    ]  # fmt: skip
    figure.legend(handles=keys, loc="outside lower center", ncols=4)


def _draw_derivatives(axes: Axes, arrays: Arrays) -> None:
    labels = {"sigmoid_slope": r"$\sigma(1 - \sigma)$", "tanh_slope": r"$1 - \tanh^2$"}
    _curves(axes, arrays, arrays["slope"], labels, "lower right")
    axes.set(xlabel="$x$", **_ERROR_AXIS)
    style.title(axes, "a", "Published derivatives")


def _draw_tanh(axes: Axes, arrays: Arrays) -> None:
    _curves(axes, arrays, arrays["tanh"], {"tanh": r"$(e^x - e^{-x})/(e^x + e^{-x})$"}, "lower left")
    axes.set_xscale("log")
    axes.set(xlabel="$x$", **_ERROR_AXIS)
    style.title(axes, "b", "Published tanh")


def _draw_log_sigmoid(axes: Axes, arrays: Arrays) -> None:
    labels = {
        "log_of_sigmoid": r"$\log(1/(1 + e^{-x}))$, the loss",
        "log_sigmoid_eigen": r"$-$log1p(exp($-x$)), Eigen",
        "log_sigmoid_numpy": r"$-$logaddexp(0, $-x$), NumPy",
    }
    _curves(axes, arrays, arrays["log_sigmoid"], labels, "upper right")
    axes.set_xscale("symlog", linthresh=10)
    axes.set(xlabel="$x$", **_ERROR_AXIS)
    style.title(axes, "c", "Logarithm of the logistic function")


def _shown(errors: np.ndarray) -> np.ndarray:
    """Errors of 0 below the axis, infinite ones left out."""
    return np.where(np.isfinite(errors), np.maximum(errors, 1e-18), np.nan)


def _curves(axes: Axes, arrays: Arrays, x: np.ndarray, labels: Mapping[str, str], place: str) -> None:
    widths = (1.3, 2.6, 1.0) if len(labels) == 3 else (1.3, 1.3)  # The last two of three coincide nearly everywhere.
    for i, (name, label) in enumerate(labels.items()):
        color = style.LINES[i]
        for line, mark, height, kind in (("-", "x", 10.0, "double"), (":", "+", 3.0, "single")):
            errors = arrays[f"{name}_{kind}"]
            axes.plot(x, _shown(errors), line, color=color, linewidth=widths[i], label=label if line == "-" else None)
            lost = np.flatnonzero(~np.isfinite(errors))
            lost = lost[i :: max(1, len(lost) // 12)]
            axes.plot(x[lost], np.full(len(lost), height), mark, color=color, markersize=6)
    axes.legend(loc=place, bbox_to_anchor=(0.16, 0.0, 0.45, 0.93) if place == "upper right" else None)


def _draw_pairs(axes: Axes, arrays: Arrays) -> None:
    z = -arrays["gap"]
    for name, color, label in (
        ("stable_smaller", style.LINES[0], "stable-softmax, smaller entry"),
        ("stable_larger", style.LINES[1], "stable-log-softmax, larger entry"),
        ("own_smaller", style.LINES[6], "theory.activations, both"),
        ("own_larger", style.LINES[6], None),
    ):
        axes.plot(z, _shown(arrays[name]), ".", color=color, markersize=3.5, label=label)
    axes.plot(
        z, arrays["gap"] * 2.0**-53, "--", color=style.LINES[0], linewidth=1, label=r"$|z|$ units, $|z|\,2^{-53}$"
    )
    axes.set_xscale("symlog", linthresh=1)
    axes.set(xlabel="difference of the entries, $z$ (smaller less larger)", **_ERROR_AXIS)
    axes.legend(loc="upper right")
    style.title(axes, "d", "Stable softmax of two entries", "float64")


draw_panel = Panels(_draw_derivatives, _draw_tanh, _draw_log_sigmoid, _draw_pairs)
draw = style.in_rows(draw_panel, 9.6, 2, 2, _keys)
