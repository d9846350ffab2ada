"""Appendix B.1: overview of the moments, equation (26) and the forward halves of (27) and (28)."""

from __future__ import annotations

from montecarlo import mean, variance
from montecarlo.kernels import nmu as nmu_kernels
from paper_checks.claim import grid, registry
from paper_checks.neural_arithmetic_units.quantities import (
    EPS_FIG8,
    NAC_MUL,
    NMU,
    NMU_CENTRED_POINTS,
    TAYLOR_MEAN,
    TAYLOR_VARIANCE,
    WEIGHT_VARIANCE,
    nmu_mean,
    nmu_variance,
)
from paper_checks.relations import Always
from paper_checks.verdict import Status
from theory import nac_mul, nmu

claim = registry.claim

claim(
    "nau/eq26",
    at="eq. (26)",
    says="the variance of the NAC weight when both its parameters are uniform on [-r, r]",
    # Measured at all points for (35).
    **{**WEIGHT_VARIANCE, "points": WEIGHT_VARIANCE["points"][1::3]},
)

claim(
    "nau/eq27.mean",
    at="eq. (27), expectation",
    says="the mean of a NAC multiplication unit is about f(1, 1)",
    **TAYLOR_MEAN,
)

claim(
    "nau/eq27.variance",
    at="eq. (27), variance",
    says="the variance of a NAC multiplication unit is about f(4, 1) - f(1, 2)",
    **TAYLOR_VARIANCE,
)

claim(
    "nau/eq27.variance-sign",
    at="eq. (27), variance",
    says="the approximation of the variance is a variance: it is not negative",
    printed=nac_mul.taylor_variance,
    relation=Always("a variance is at least 0", lambda value: value >= 0),
    points=[
        *grid(r_w="1/2", a=1, b=2, eps=EPS_FIG8, fan_in=[1, 2]),
        *grid(r_w="1/2", a="-1", b=1, eps=EPS_FIG8, fan_in=[1, 2]),
        *grid(r_w="1/2", a="-1", b=1, eps="1e-7", fan_in=1),
    ],
    derived=NAC_MUL,
    expected=Status.REFUTED,
    note="for every number of inputs it is negative wherever Var[W] log(|E[z]| + eps)^2 > 4, which zero-mean "
    "inputs with a small eps reach at once",
)

claim(
    "nau/eq28.mean",
    at="eq. (28), expectation",
    says="the mean of an NMU with E[W] = 1/2 and inputs of mean zero is (1/2)^H",
    printed=nmu.half_mean,
    points=NMU_CENTRED_POINTS,
    derived=NMU,
    integral=nmu_mean,
    measured=mean(nmu_kernels.unit),
    assumptions="E[W] = 1/2, E[z] = 0, all independent",
    note="printed as an approximation; under its assumptions it is exact",
)

claim(
    "nau/eq28.variance",
    at="eq. (28), variance",
    says="the variance of an NMU with E[W] = 1/2 and inputs of mean zero",
    printed=nmu.centred_variance,
    points=NMU_CENTRED_POINTS,
    derived=NMU,
    integral=nmu_variance,
    measured=variance(nmu_kernels.unit),
    assumptions="E[W] = 1/2, E[z] = 0, all independent",
    note="printed as an approximation; under its assumptions it is exact",
)
