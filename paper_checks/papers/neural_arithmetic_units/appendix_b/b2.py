"""Appendix B.2: expectation and variance of the NAC weight, equations (29)-(35), and its other moments."""

import mpmath
import sympy

from montecarlo import mean, moment, probability_below
from montecarlo.kernels.nac import weights as kernels
from paper_checks import Defines, Form, Kind, alternative, claim, common, grid, wrong
from paper_checks.papers.neural_arithmetic_units import quantities as shared
from theory import Formula
from theory.nac import density, moments as nac

r = nac.r
x = sympy.Symbol("x", real=True)

claim("nau/eq29", at="eq. (29)", **shared.NAC_WEIGHT)

claim(
    "nau/eq30",
    at="eq. (30)",
    says="W = tanh(W_hat) sigmoid(M_hat), where W_hat and M_hat are uniform on [-r, r] and independent",
    relation=Defines(shared.weight_by_numpy),
    points=grid(r=["1/100", 10]),
    measured=mean(kernels.weight),
    slips={"uniform on [0, r]": lambda draws, r: shared.weight_by_numpy(lambda i: [d / 2 + 0.5 for d in draws(i)], r)},
)

ODD = "Since $\\tanh(\\hat{W})$ is an odd-function and $E[\\hat{W}] = 0$ , deriving the expectation $E[W]$ is trivial."

claim(
    "nau/eq31",
    at="eq. (31)",
    quote=ODD,
    says="the weight has mean zero: E[W] = E[tanh(W_hat)] E[sigmoid(M_hat)] = 0",
    printed=nac.weight_mean,
    derivation=lambda: sympy.integrate(sympy.tanh(x), (x, -r, r)) / (2 * r),
    points=shared.WEIGHT_POINTS,
    integral=lambda r: shared.mean_uniform(mpmath.tanh, r) * shared.mean_uniform(shared.sigmoid, r),
    measured=mean(kernels.weight),
    scale=(lambda r: sympy.sqrt(nac.weight_variance.expr.subs(nac.r, r)), "the standard deviation of the weight"),
)

_TWO = sympy.symbols("high low", positive=True)


def _mean_of_tanh(expr) -> Formula:
    says = "mean of tanh(W_hat) for W_hat of mean zero that is high or -low"
    return shared.formula(says, expr, _TWO, r"E[\tanh(\hat{W})]", "eq. (31)")


alternative(
    "nau/eq31.odd",
    at="sentence before eq. (31)",
    quote=ODD,
    says="for every W_hat of mean zero tanh(W_hat) has mean zero, as tanh is odd",
    printed=_mean_of_tanh(sympy.Integer(0)),
    corrected=_mean_of_tanh((_TWO[1] * sympy.tanh(_TWO[0]) - _TWO[0] * sympy.tanh(_TWO[1])) / sum(_TWO)),
    points=grid(high=2, low=["1/2", 1]),
    integral=lambda high, low: (low * mpmath.tanh(high) + high * mpmath.tanh(-low)) / (high + low),
    assumptions="W_hat is high with the probability low/(high + low), and else -low",
    note="the paper says this of W_hat ~ U[-r, r], (30), where it is correct: nau/eq31. That an odd function has mean "
    "zero needs a symmetric distribution",
)

claim(
    "nau/eq32",
    at="eq. (32)",
    says="the variance of the weight is the product of the second moments of tanh(W_hat) and sigmoid(M_hat)",
    form=Form.OURS,
    derivation=lambda: nac.tanh_second_moment.expr * nac.sigmoid_second_moment.expr,
    # Measured at all points for (35).
    same_samples_as="nau/eq26",
    **{**shared.WEIGHT_VARIANCE, "points": shared.WEIGHT_VARIANCE["points"][1::3]},
)

claim(
    "nau/eq33",
    at="eq. (33)",
    says="the second moment of tanh(W_hat) is 1 - tanh(r)/r",
    printed=nac.tanh_second_moment,
    derivation=lambda: sympy.integrate(1 - sympy.diff(sympy.tanh(x), x), (x, -r, r)) / (2 * r),
    points=shared.WEIGHT_POINTS,
    integral=lambda r: shared.mean_uniform(lambda t: mpmath.tanh(t) ** 2, r),
    measured=moment(kernels.weight_parts, 2, column=0),
    slips={
        "tanh(r/2) for tanh(r)": 1 - sympy.tanh(r / 2) / r,
        "a further factor 1/(2r)": (1 - sympy.tanh(r) / r) / (2 * r),
    },
)

claim(
    "nau/eq34",
    at="eq. (34)",
    says="the second moment of sigmoid(M_hat) is (r - tanh(r/2))/(2r)",
    printed=nac.sigmoid_second_moment,
    points=shared.WEIGHT_POINTS,
    integral=lambda r: shared.mean_uniform(lambda t: shared.sigmoid(t) ** 2, r),
    measured=moment(kernels.weight_parts, 2, column=1),
    slips={"tanh(r) for tanh(r/2)": (r - sympy.tanh(r)) / (2 * r)},
    note="the sentence before (34) announces E[tanh(M_hat)^2]: nau/text.tanh-for-sigmoid",
)

claim(
    "nau/text.tanh-for-sigmoid",
    at="B.2, sentence before eq. (34)",
    expects=wrong("misprint"),
    says="(34) is the second moment of tanh(M_hat)",
    quote="Then for $E[\\tanh(\\hat{M})^2]$ :",
    printed=nac.sigmoid_second_moment,
    corrected=nac.tanh_second_moment,
    points=shared.WEIGHT_POINTS,
    integral=lambda r: shared.mean_uniform(lambda t: mpmath.tanh(t) ** 2, r),
    measured=moment(kernels.weight_parts, 2, column=0),
    same_samples_as="nau/eq33",
    note="(34) is E[sigmoid(M_hat)^2], as its left-hand side says: nau/eq34. E[tanh(M_hat)^2] is the value of (33), "
    "because M_hat has the same distribution as W_hat",
)

claim(
    "nau/eq35",
    at="eq. (35)",
    says="the variance of the weight is (1 - tanh(r)/r)(r - tanh(r/2))/(2r)",
    derivation=lambda: nac.tanh_second_moment.expr * nac.sigmoid_second_moment.expr,
    **shared.WEIGHT_VARIANCE,
)

beyond = common(at="additional to B.2", kind=Kind.ADDITIONAL)


def vanishing(order: int) -> dict:
    """What an odd moment is compared with: the standard deviation of the power."""
    return {
        "scale": lambda r: sympy.sqrt(nac.weight_moment(2 * order).expr.subs(nac.r, r)),
        "scale_says": "the standard deviation of the power, because the moment is zero",
    }


for _id, _order in (
    ("nau/beyond.weight_moment3", 3),
    ("nau/beyond.weight_moment4", 4),
    ("nau/beyond.weight_moment5", 5),
    ("nau/beyond.weight_moment6", 6),
):
    beyond(
        _id,
        says=f"the moment of order {_order} of the weight, E[W^{_order}], as a function of r",
        printed=nac.weight_moment(_order),
        derivation=lambda order=_order: nac.tanh_moment(order).expr * nac.sigmoid_moment(order).expr,
        points=grid(r=["1/10", 1, 5]),
        integral=lambda r, order=_order: shared.weight_moment(order, r),
        measured=moment(kernels.weight, _order),
        **(vanishing(_order) if _order % 2 else {}),
    )


def probability_up_to(density, point):
    """P(W <= w) from the density, which is even and has logarithmic singularities at most."""
    w, r = point["w"], point["r"]
    w = mpmath.mpf(w.p) / w.q
    kinks = [mpmath.tanh(r) * shared.sigmoid(-r), mpmath.tanh(r) * shared.sigmoid(r)]
    edges = [mpmath.mpf(0), *sorted(k for k in kinks if k < abs(w)), abs(w)]
    inside = mpmath.quad(lambda t: density(w=t), edges) if w else mpmath.mpf(0)
    return mpmath.mpf(1) / 2 + mpmath.sign(w) * inside


def density_by_parts(w, r):
    """The density at w as an integral over the sigmoid's parameter of the density of the tanh, over the sigmoid."""
    # Where |w| exceeds sigmoid(m) tanh(r), the tanh cannot reach w / sigmoid(m).
    share = abs(w) / mpmath.tanh(r)
    lowest = max(-r, mpmath.log(share / (1 - share)))
    if lowest >= r:
        return mpmath.mpf(0)
    return (
        mpmath.quad(lambda m: 1 / (shared.sigmoid(m) * (1 - (w / shared.sigmoid(m)) ** 2)), [lowest, r]) / (2 * r) ** 2
    )


beyond(
    "nau/beyond.weight_density",
    says="the density of the weight, as a function of r",
    printed=density.weight_density,
    points=grid(w=["-3/10", "1/2"], r=2) + grid(w="3/5", r=5) + grid(w="1/50", r="1/10") + grid(w=[0, "9/10"], r=2),
    integral=density_by_parts,
)

beyond(
    "nau/beyond.weight_distribution",
    says="the integral of the density is the probability P(W <= w)",
    printed=density.weight_density,
    functional=probability_up_to,
    points=grid(w="-3/10", r=2) + grid(w="3/5", r=5),
    measured=probability_below(kernels.weight, "w"),
)
