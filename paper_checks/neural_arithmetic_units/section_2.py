"""Section 2: what the main text says of the moments, equations (10) and (11)."""

from __future__ import annotations

import sympy

from montecarlo import mean
from montecarlo.kernels import nac_mul as nac_mul_kernels
from montecarlo.kernels import nmu as nmu_kernels
from paper_checks.claim import grid, registry
from paper_checks.neural_arithmetic_units.quantities import NMU, NMU_CENTRED_POINTS, TAYLOR_MEAN, nmu_mean
from paper_checks.relations import Bounds
from theory import nac_mul, nmu

claim = registry.claim

claim(
    "nau/eq10.mean",
    at="eq. (10)",
    says="the mean of a NAC multiplication unit by a second-order Taylor expansion",
    **TAYLOR_MEAN,
)

claim(
    "nau/eq10.bound",
    at="eq. (10), consequence",
    says="the mean of a NAC multiplication unit is above 1, so that it cannot be 0",
    printed=nac_mul.mean_lower_bound,
    relation=Bounds("below"),
    proof=lambda: nac_mul.jensen_remainder_is_positive(),
    points=grid(r=["1/4", "1/2"], a=1, b=2, eps="1e-7", inputs=4, fan_in=2),
    measured=mean(nac_mul_kernels.network),
    slips={"above 2": sympy.Integer(2)},
    assumptions="E[W] = 0, weights independent of the inputs; the inputs need not be independent",
    note="the paper infers it from the Taylor form; it holds without, by Jensen's inequality",
)

claim(
    "nau/eq11.mean",
    at="eq. (11)",
    says="the mean of an NMU with E[W] = 1/2 is (1/2)^H",
    printed=nmu.half_mean,
    points=NMU_CENTRED_POINTS,
    derived=NMU,
    integral=nmu_mean,
    measured=mean(nmu_kernels.unit),
    assumptions="E[W] = 1/2, E[z] = 0, all independent",
    note="the sentence with (11) does not say that it needs E[z] = 0; (53) does",
)

claim(
    "nau/eq11.any-input",
    at="eq. (11), as stated",
    says="with E[W] = 1/2 the mean of an NMU is (1/2)^H, whatever the mean of its inputs",
    printed=nmu.half_mean,
    corrected=nmu.mean,
    points=grid(mean_w="1/2", half_w="1/4", mean_z="3/2", half_z="1/2", fan_in=[1, 2, 10]),
    derived=NMU,
    integral=nmu_mean,
    measured=mean(nmu_kernels.unit),
    note="the inputs of Table 1 have mean 3/2: the mean is then (5/4)^H and grows with H",
)

claim(
    "nau/eq11.limit",
    at="eq. (11), consequence",
    says="(1/2)^H approaches zero as H grows",
    proof=lambda: sympy.limit(nmu.half_mean.expr.subs(nmu.fan_in, sympy.Symbol("H", positive=True)),
                              sympy.Symbol("H", positive=True), sympy.oo) == 0,
)  # fmt: skip
