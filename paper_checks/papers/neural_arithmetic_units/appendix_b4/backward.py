"""Appendix B.4.2: expectation of the gradient of an NMU, equations (56)-(58) and the backward half of (28)."""

import sympy

from montecarlo import mean
from montecarlo.kernels.nmu import backward as kernels
from paper_checks import Equals, Form, Price, claim, grid
from paper_checks.papers.neural_arithmetic_units.appendix_b4 import nmu_backward_points as shared
from paper_checks.papers.neural_arithmetic_units.appendix_b4.nmu_backward_quantities import gradient_mean
from theory.nmu import backward as nmu_backward

MEAN = {"derived": shared.GRADIENT, "integral": gradient_mean, "measured": mean(kernels.gradient)}

claim(
    "nau/eq56",
    relation=Equals(r"\approx"),
    at="eq. (56)",
    says="the mean of the gradient is H_l E[dL/dz_out] E[z_out/(W z + 1 - W)] E[W]",
    form=Form.OURS,
    printed=nmu_backward.mean,
    points=shared.ANY_MEAN_POINTS,
    **MEAN,
    slips={
        "E[factor]^H in place of E[factor]^(H - 1)": nmu_backward.mean.expr
        * (1 + nmu_backward.mean_w * (nmu_backward.mean_z - 1))
    },
    assumptions="dL/dz_out independent of the layer; inputs and weights all independent, identically distributed",
    note="published as an approximation. Under its assumptions it is exact",
    price=Price(
        "the loss is half the squared error, so that dL/dz_out = z_out - t depends on the layer",
        mean(kernels.squared_loss),
        grid(mean_w="1/2", half_w="1/4", mean_z=[0, "3/2"], half_z="1/2", target=1, fan_in=2, fan_out=2),
        shared.SQUARED_LOSS,
    ),
)

claim(
    "nau/eq57",
    relation=Equals(r"\approx"),
    at="eq. (57)",
    says="with E[W] = 1/2 and E[z] = 0 the mean of the gradient is E[dL/dz_out] H_l (1/2)^H",
    printed=nmu_backward.half_mean,
    derivation=lambda: nmu_backward.mean.expr.subs({nmu_backward.mean_w: sympy.Rational(1, 2), nmu_backward.mean_z: 0}),
    points=shared.CENTRED_MEAN_POINTS,
    **MEAN,
    slips={"(1/2)^(H-1)": 2 * nmu_backward.half_mean.expr},
    assumptions="dL/dz_out independent of the layer; E[W] = 1/2, E[z] = 0, inputs and weights all independent",
    note="published as an approximation. Under its assumptions it is exact",
)

for _id, _at in (("nau/eq58", "eq. (58)"), ("nau/eq28.backward-mean", "eq. (28), gradient, expectation")):
    claim(
        _id,
        relation=Equals(r"\approx"),
        at=_at,
        says="if E[dL/dz_out] = 0, the mean of the gradient is zero",
        printed=nmu_backward.zero_mean,
        derivation=lambda: nmu_backward.half_mean.expr.subs(nmu_backward.mean_delta, 0),
        points=shared.CENTRED_ZERO_MEAN_POINTS[:2],
        derived=shared.GRADIENT,
        integral=gradient_mean,
        measured=mean(kernels.gradient),
        same_samples_as="" if _id == "nau/eq58" else "nau/eq58",
        scale=lambda **values: sympy.sqrt(shared.value(nmu_backward.centred_variance, **values)),
        scale_says="the standard deviation of the gradient",
        assumptions="E[dL/dz_out] = 0, dL/dz_out independent of the layer",
        note="E[z] = 0 and E[W] = 1/2 are not needed here",
    )
