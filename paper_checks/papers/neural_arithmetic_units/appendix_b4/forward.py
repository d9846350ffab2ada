"""Appendix B.4.1: expectation and variance of the NMU, equations (52)-(55)."""

from functools import partial

import mpmath

from montecarlo import covariance, mean, moment, variance
from montecarlo.kernels.nmu import outputs as kernels
from paper_checks import Equals, Form, Kind, Price, alternative, claim, common, grid
from paper_checks.papers.neural_arithmetic_units import quantities as shared
from theory.arithmetic import dependent_inputs
from theory.nmu import moments as nmu


def nmu_square_at(half_w, z):
    """E[(W z + 1 - W)^2] for a fixed input and W uniform around 1/2."""
    half = mpmath.mpf(1) / 2
    return mpmath.quad(lambda w: (w * z + 1 - w) ** 2, [half - half_w, half + half_w]) / (2 * half_w)


of_any_means = common(
    points=shared.NMU_POINTS,
    derived=shared.NMU,
    assumptions="inputs and weights all independent, identically distributed",
)

of_any_means(
    "nau/eq52",
    at="eq. (52)",
    says="the mean of an NMU is (E[W] E[z] + 1 - E[W])^H, for any means of weights and inputs",
    printed=nmu.mean,
    integral=shared.nmu_mean,
    measured=mean(kernels.unit),
    note="published as an approximation. Under its assumptions it is exact",
)

claim(
    "nau/eq53",
    relation=Equals(r"\approx"),
    at="eq. (53)",
    says="the mean of an NMU with E[W] = 1/2 and E[z] = 0 is (1/2)^H",
    derivation=lambda: nmu.mean.expr.subs({nmu.mean_w: "1/2", nmu.mean_z: 0}),
    same_samples_as="nau/eq11.mean",
    **shared.NMU_HALF_MEAN,
)

of_any_means(
    "nau/eq54.expanded",
    at="eq. (54), last member",
    says="the last member of (54) is the expanded mean square of a factor W z + 1 - W",
    printed=nmu.square_factor,
    points=[p for p in shared.NMU_POINTS if p["fan_in"] == 1] + grid(
        mean_w="1/2", half_w="1/4", mean_z=[1, -1], half_z="1/2", fan_in=1
    ),
    integral=partial(shared.nmu_factor_moment, 2),
    measured=moment(kernels.unit, 2),
    slips={"E[W] for E[W^2] in the second term": nmu.square_factor.expr
           + 2 * nmu.mean_z * (nmu.var_w + nmu.mean_w**2 - nmu.mean_w)},
    note=f"the formula is that of page 18 of {shared.AUTHORS_PDF}. Our text copy has E[W] for E[W^2]",
)  # fmt: skip

of_any_means(
    "nau/eq54.power",
    relation=Equals(r"\approx"),
    at="eq. (54), fourth member",
    says="the second moment of an NMU is the second moment of one factor to the power H",
    form=Form.OURS,
    printed=nmu.second_moment,
    integral=partial(shared.nmu_moment, 2),
    measured=moment(kernels.unit, 2),
)

claim(
    "nau/eq55",
    relation=Equals(r"\approx"),
    at="eq. (55)",
    says="the variance of an NMU with E[W] = 1/2 and E[z] = 0 is (Var[W] + 1/4)^H (Var[z] + 1)^H - (1/2)^(2 H)",
    derivation=lambda: nmu.variance.expr.subs({nmu.mean_w: "1/2", nmu.mean_z: 0}),
    same_samples_as="nau/eq28.variance",
    **shared.NMU_CENTRED_VARIANCE,
    price=Price(
        "a NAU layer before the unit: its outputs share their inputs, so that they are uncorrelated and not "
        "independent",
        variance(kernels.network),
        grid(r="1/2", half_w="1/4", a=1, b=2, inputs=[4, 16], fan_in=2),
        # A hidden sum of weights U[-r, r] over inputs U[a, b] has variance inputs E[w^2] E[x^2].
        {"var_z": lambda r, a, b, inputs: inputs * r**2 / 3 * (a**2 + a * b + b**2) / 3},
    ),
)

alternative(
    "nau/eq55.uncorrelated",
    at="eqs. (54) and (55), assumption",
    quote="assuming again that all $z_{h_{\\ell-1}}$ are uncorrelated",
    says="the variance of an NMU has the form (55) for all inputs that are uncorrelated",
    printed=dependent_inputs.nmu_variance_independent,
    corrected=dependent_inputs.nmu_variance_shared,
    points=grid(half_w="1/4", half_z=1, fan_in=2) + grid(half_w="1/2", half_z="1/2", fan_in=3),
    derived={"var_w": lambda half_w: half_w**2 / 3},
    integral=lambda half_w, half_z, fan_in: sum(
        (sum(nmu_square_at(half_w, s * half_z * m) for s in (-1, 1)) / 2) ** fan_in for m in (0.5, 1.5)
    ) / 2 - 0.25**fan_in,
    measured=variance(kernels.shared_magnitude),
    assumptions="W uniform with mean 1/2; one common magnitude, which is half_z/2 or 3 half_z/2 with probability 1/2",
    note="the paper marks the step as an approximation. It is exact for independent inputs. The counterexample has "
    "inputs with a random sign and one common magnitude: they are uncorrelated, their squares are not. In a network "
    "the inputs of a layer share what they are computed from, so that they are not independent either",
)  # fmt: skip

beyond = common(at="additional to B.4.1", kind=Kind.ADDITIONAL)

of_any_means.additional(
    "nau/beyond.nmu_variance",
    at="additional to B.4.1",
    says="the variance of an NMU for any means and variances of weights and inputs",
    printed=nmu.variance,
    derivation=lambda: nmu.second_moment.expr - nmu.mean.expr**2,
    integral=shared.nmu_variance,
    measured=variance(kernels.unit),
)

beyond(
    "nau/beyond.nmu_covariance",
    says="the covariance of two outputs of an NMU layer",
    printed=nmu.covariance,
    points=grid(mean_w="1/2", half_w="1/2", mean_z="3/2", half_z="1/2", fan_in=[1, 2])
    + grid(mean_w="2/3", half_w="1/8", mean_z="-1/2", half_z="1/2", fan_in=1)
    + grid(mean_w="1/2", half_w="1/4", mean_z="3/2", half_z="1/2", fan_in=6),
    derived=shared.NMU,
    integral=lambda mean_w, mean_z, half_z, fan_in: (
        (mpmath.quad(lambda z: (mean_w * z + 1 - mean_w) ** 2, [mean_z - half_z, mean_z + half_z]) / (2 * half_z))
        ** fan_in
        - (1 + mean_w * (mean_z - 1)) ** (2 * fan_in)
    ),
    measured=covariance(kernels.two_outputs),
    assumptions="the two outputs share their inputs and have independent weights",
)


def raw_moment(symbol, k, **values):
    """That of U[mean - half, mean + half] of order k."""
    mean, half = values[f"mean_{symbol}"], values[f"half_{symbol}"]
    return ((mean + half) ** (k + 1) - (mean - half) ** (k + 1)) / (2 * half * (k + 1))


for _id, _order in (("nau/beyond.nmu_moment3", 3), ("nau/beyond.nmu_moment4", 4)):
    beyond(
        _id,
        says=f"the moment of order {_order} of an NMU, from the moments of weights and inputs",
        printed=nmu.raw_moment(_order),
        points=grid(mean_w="1/2", half_w="1/2", mean_z="3/2", half_z="1/2", fan_in=[1, 2])
        + grid(mean_w="1/2", half_w="1/4", mean_z="5/4", half_z="1/4", fan_in=5),
        derived={f"{s}_{k}": partial(raw_moment, s, k) for s in "wz" for k in range(1, _order + 1)},
        integral=partial(shared.nmu_moment, _order),
        measured=moment(kernels.unit, _order),
    )
