"""Section 3.3, zeros and extrema of random tanh networks of finite width along a line, and of the process."""

import math
from functools import partial

import numpy as np

from montecarlo import Sweep
from montecarlo.kernels.wide_networks.along_lines import tanh_turns
from paper_checks import Finding, Reproduces, Status, additional, concluded
from paper_checks.rules.means import told
from paper_checks.rules.rates import Z
from theory import wide_networks
from theory.wide_networks import length_scales

SIGMA, END, STEPS = 2.0, 4.0, 64
WIDTHS = (1, 4, 16, 64, 256, 1024)
# Declared: how near the widest networks must come to the process, intervals included.
WITHIN = {"quick": 0.1, "full": 0.03}

TURNS = Sweep(
    "smooth/turns",
    "zeros and extrema of random tanh networks on a segment from the origin",
    tanh_turns,
    [{"width": width} for width in WIDTHS],
    # Of first layers, each with eight networks: half an interval of 2 % with 1,024 units in the full tier.
    runs={"quick": 2_000, "full": 20_000},
    settings={"end": END, "weight_scale": SIGMA, "bias_scale": SIGMA, "steps": STEPS},
)


def covariances() -> np.ndarray:
    """Of the values of the process at the steps."""
    t = np.linspace(0, END, STEPS + 1)
    shared = SIGMA**2 * (t[:, None] * t + 1)
    near = np.abs(np.subtract.outer(np.arange(STEPS + 1), np.arange(STEPS + 1))) <= 2
    k = np.broadcast_to(np.diag(shared), shared.shape)
    found = np.zeros_like(shared)
    found[near] = wide_networks.tanh_covariance(k.T[near], k[near], shared[near])
    np.fill_diagonal(found, wide_networks.tanh_second_moment(np.diag(shared)))
    return found


def of_the_process(extrema: bool) -> float:
    """Expected sign changes of the values, or of their differences: arccos(correlation)/pi for each two neighbours."""
    take = np.diff(np.eye(STEPS + 1), axis=0) if extrema else np.eye(STEPS + 1)
    c = take @ covariances() @ take.T
    r = np.diag(c, 1) / np.sqrt(np.diag(c)[:-1] * np.diag(c)[1:])
    return float(length_scales.sign_change_probability(r).sum())


def approach(context, extrema: bool) -> Finding:
    limit, found = of_the_process(extrema), [rows[:, int(extrema)] for rows in context.rows(TURNS)]
    means, errors = [r.mean() for r in found], [r.std(ddof=1) / math.sqrt(len(r)) for r in found]
    off = [(mean / limit - 1, Z * se / limit) for mean, se in zip(means, errors, strict=True)]
    shown = ", ".join(f"{100 * d:+.1f} % with {width}" for width, (d, _) in zip(WIDTHS, off, strict=True))
    says = f"{limit:.4g} expected for the process; the networks differ by {shown} units, half intervals up to "
    says += f"{100 * max(h for _, h in off):.1f} %"
    within, (last, half), (first, half_of_first) = WITHIN[context.tier], off[-1], off[0]
    status = told(abs(last) + half <= within and abs(first) > half_of_first, abs(last) - half > within)
    wrong = {"twice the length scale": limit / 2, "the density at the origin everywhere": at_the_origin(extrema) * END}
    slips = {k: abs(means[-1] / v - 1) > within + Z * errors[-1] / v for k, v in wrong.items()}
    return concluded(status, says, slips if status is Status.CONFIRMED else None)


def at_the_origin(extrema: bool) -> float:
    """Zeros or extrema in a unit of length there."""
    if extrema:
        return float(length_scales.rbf_extrema(wide_networks.tanh_extrema_length(SIGMA, SIGMA)))
    return float(length_scales.rbf_zeros(wide_networks.tanh_zeros_length(SIGMA, SIGMA)))


for _id, _extrema, _what in (
    ("smooth/beyond.tanh-zeros", False, "zeros"),
    ("smooth/beyond.tanh-extrema", True, "extrema"),
):
    additional(
        _id,
        at="additional to section 3.3",
        says=f"a random tanh network of one unit has fewer {_what} than the Gaussian process of infinitely many "
        f"units. With 1,024 units the number of {_what} agrees to 3 % (10 % in the quick run)",
        relation=Reproduces(),
        runs=TURNS,
        experiment=partial(approach, extrema=_extrema),
        assumptions=f"sigma = {SIGMA:g} for weights and biases, on a segment of length {END:g} that begins at the "
        "origin",
        note=f"{_what} are counted as sign changes in 64 steps, for the process and for the networks alike. A network "
        "of one unit has at most one zero and no extremum",
    )
