"""How the variance of the derivative of a NAC multiplication unit grows when its inputs come close to zero."""

from functools import partial

import numpy as np
from matplotlib.axes import Axes
from matplotlib.lines import Line2D

from figures import style
from figures.contract import Arrays, Panels, Run
from figures.settings import Setting
from theory.formula import Interval
from theory.nac_mul import backward as nac_mul_backward, backward_exact as nac_mul_backward_exact

CAPTION = """\
The variance of the gradient dz_out/dz of a NAC multiplication unit as its inputs (a) or the constant eps (b) approach
0, and two approximations divided by it (c, d). Solid lines are exact, dotted lines take dependent factors for
independent, dashed lines are the paper's Taylor form. Near zero both are too small by orders of magnitude.
"""
DETAILS = """\
The unit has one or two inputs, W ~ U[-1/2, 1/2] and z ~ U[a, a + 1]. The paper has the formula and no such figure.

Dotted: exact in a model that takes z_out, W and 1/(z + eps) for independent, as the paper's derivation does. Dashed:
the paper's Taylor form of that model. All three agree around a = 1.

(a) Against a, for eps = 1e-8. (b) Against eps, for a = 0. Towards zero the exact variance grows almost like 1/(a +
eps)^2. For a = 0 it approaches the grey line, 1/(16 eps^2 log(1/eps)) for one input.

(c, d) The independence model grows only a little faster than 1/(a + eps). It misses that small inputs with a negative
weight make z_out large as well. Close to zero it is too small by the same factor for one and two inputs. The Taylor
form does not grow at all: it depends on the mean of the inputs, which stays at 1/2, and not on their density near zero.
At eps = 1e-8, a = 0 and one input it is 4e13 times too small. For large inputs both approximations are too small again.
"""
ALT = """\
Top: the exact variance of the gradient climbs to 1e14 and to 1e30 as inputs or epsilon approach 0. The independence
model climbs half as far in decades, and the Taylor form stays flat near 1. Bottom: the approximations fall below the
exact value by up to 29 decades.
"""

R_W, EPS = 0.5, 1e-8
FAN_IN = (1, 2)
A = np.geomspace(1e-12, 1e2, 281)
EPSILON = np.geomspace(1e-16, 1, 241)
PARAMETERS = {
    "a": "1e-12 ... 100, 20 to a decade",
    "eps": EPS,
    "eps_at_a_0": "1e-16 ... 1, 15 to a decade",
    "fan_in": list(FAN_IN),
    "w": "U[-1/2, 1/2]",
    "z": "U[a, a + 1]",
}
SETTINGS = {
    "r_w": Setting("half width of the weights", Interval(0.01, 0.9)),
    "eps": Setting("added to every input, in (a) and (c)", Interval(1e-16, 0.1)),
    "fan_in": Setting("inputs of the unit", Interval(1, 100, integer=True), 1, 6),
}
RECIPE = Run()

_FORMS = {"exact": "-", "independent": ":", "taylor": "--"}
_NAMES = {"exact": "exact", "independent": "independence model", "taylor": "the paper's Taylor form"}


def data(_: Run, *, r_w: float = R_W, eps: float = EPS, fan_in: tuple[int, ...] = FAN_IN) -> dict[str, np.ndarray]:
    """The three variances along a and along eps.

    Returns
    -------
    dict of str to array
        ``fan_in`` (2), ``a`` (281), ``epsilon`` (241); by number of inputs and a (2, 281) ``exact_a``,
        ``independent_a``, ``taylor_a``, and the same by eps (2, 241) with ``_epsilon``. ``limit`` (241): the leading
        term of the exact variance for one input, a = 0 and eps -> 0; nan where eps > 0.01.
    """
    with np.errstate(divide="ignore"):
        limit = r_w / (4 * (1 + 2 * r_w)) / (EPSILON ** (1 + 2 * r_w) * -np.log(EPSILON))
    return {
        "r_w": np.array(r_w),
        "eps": np.array(eps),
        "fan_in": np.array(fan_in),
        "a": A,
        "epsilon": EPSILON,
        **{f"{form}_a": values for form, values in _variances(A, eps, r_w, fan_in).items()},
        **{f"{form}_epsilon": values for form, values in _variances(0.0, EPSILON, r_w, fan_in).items()},
        "limit": np.where(EPSILON <= 0.01, limit, np.nan),
    }


def _variances(a, eps, r_w: float, inputs: tuple[int, ...]) -> dict[str, np.ndarray]:
    """Of dz_out/dz, by number of inputs: what is left of Var[dL/dz] for Var[dL/dz_out] = 1 and one output."""
    fan_in = np.array(inputs)[:, np.newaxis]
    return {
        "exact": nac_mul_backward_exact.jacobian_variance(r_w, a, a + 1, eps, fan_in),
        "independent": nac_mul_backward.input_gradient_variance_independent(1, 1, r_w, a, a + 1, eps, fan_in),
        "taylor": nac_mul_backward.input_gradient_variance_taylor(1, 1, r_w**2 / 3, a + 1 / 2, 1 / 12, eps, fan_in),
    }


def _draw_variances(axes: Axes, arrays: Arrays, along: str) -> None:
    for form, dash in _FORMS.items():
        for row in range(len(arrays["fan_in"])):
            values = arrays[f"{form}_{along}"][row]
            axes.plot(arrays[along], values, dash, color=style.LINES[row], linewidth=1.8)
    axes.set(yscale="log", ylim=(1e-5, 1e32), ylabel=r"$\mathrm{Var}[\partial z_{\mathrm{out}} / \partial z]$")
    _along(axes, arrays, along)
    if along == "a":
        axes.annotate(r"$a = \epsilon$", (float(arrays["eps"]), 1e30), (6, 0), textcoords="offset points", va="top")
        axes.legend(*_legend(arrays), loc="upper right")
        style.title(axes, "a", "Inputs from $a$ to $a + 1$", rf"$\epsilon = 10^{{{np.log10(arrays['eps']):.3g}}}$")
        return
    axes.plot(arrays["epsilon"], arrays["limit"], color="0.6", linewidth=9, alpha=0.5, zorder=1)
    if arrays["r_w"] == R_W:
        term = r"$\dfrac{1}{16\,\epsilon^2\,\log(1/\epsilon)}$"
        axes.annotate(term, (2e-11, 1e23), (0, 0), textcoords="offset points", fontsize=13)
    style.title(axes, "b", "Inputs from 0 to 1", "grey: leading term for one input")


def _draw_ratios(axes: Axes, arrays: Arrays, along: str) -> None:
    axes.axhline(1, color="0.6", linewidth=0.8, zorder=0)
    for form in ("independent", "taylor"):
        for row in range(len(arrays["fan_in"])):
            ratio = arrays[f"{form}_{along}"][row] / arrays[f"exact_{along}"][row]
            axes.plot(arrays[along], ratio, _FORMS[form], color=style.LINES[row], linewidth=1.8)
    axes.set(yscale="log", ylim=(1e-30, 1e2), ylabel="approximation / exact")
    _along(axes, arrays, along)
    note = "horizontal line: no error; dotted lines coincide" + (" near zero" if along == "a" else "")
    style.title(axes, "cd"[along == "epsilon"], "Approximations / Exact", note)


def _along(axes: Axes, arrays: Arrays, along: str) -> None:
    axes.set(xscale="log", xlim=arrays[along][[0, -1]])
    if along == "a":
        axes.axvline(float(arrays["eps"]), color="0.6", linewidth=0.8, zorder=0)
    axes.set_xlabel(
        "lower end of the inputs, $a$" if along == "a" else r"constant $\epsilon$ that is added to the inputs"
    )


def _legend(arrays: Arrays) -> tuple[list[Line2D], list[str]]:
    """Line styles for the forms, colours for the numbers of inputs."""
    handles = [Line2D([], [], color="0.25", linestyle=dash, linewidth=1.8) for dash in _FORMS.values()]
    counts = arrays["fan_in"].tolist()
    handles += [Line2D([], [], color=style.LINES[k], linewidth=4) for k in range(len(counts))]
    return handles, [*_NAMES.values(), *(f"{h} input{'s' if h > 1 else ''}" for h in counts)]


draw_panel = Panels(
    *(partial(draw, along=along) for draw in (_draw_variances, _draw_ratios) for along in ("a", "epsilon"))
)
draw = style.in_rows(draw_panel, 10.5, 2, 2, sharex="col", sharey="row", height_ratios=(3, 2))
