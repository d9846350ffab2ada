"""Decimal numbers in the texts of claims on GaLU and on initialisers: each is what it is said to be."""

import math
import re
from functools import cache

import mpmath
import numpy as np
import pytest
import scipy

from figures.galu import galu_clusters, galu_figure_1
from montecarlo.training.galu_clusters import PREDICTORS, SIGMA_Y
from paper_checks.claims.catalogue import load
from paper_checks.experiments.stored import stored_rows
from paper_checks.papers.constants import correlations, depth, gains, selu, variance_scaling, wide
from paper_checks.papers.constants.more_activations import normal_mean, silu, silu_slope
from paper_checks.papers.galu import authors_results
from paper_checks.papers.galu.section_3 import figure_1
from paper_checks.papers.galu.section_4.sizes import TIGHT
from paper_checks.papers.galu.sweeps import BY_ADAM, DIGITS, REGRESSION, WIDTHS
from paper_checks.rules.prediction import SKEWNESS
from theory import galu
from theory.galu.plane import plane_rank_law
from theory.signal_propagation import closed, fixed_points, gain, propagate
from theory.truncated_normal import moments, scale_for


def selu_gradient(layers, weight_variance):
    """Mean square of a gradient after layers of SELU, over that before them, for inputs of variance 1."""
    return propagate("selu", layers, weight_variance, variance=weight_variance).gradient[0]


def deviation_of_relu(n):
    """Of the mean square of fifty layers of ReLU, over its mean."""
    return math.sqrt((1 + 2 / n) * (1 + 5 / n) ** 50 - 1)


def ratio_of_neurons(outputs):
    """GaLU's published number of neurons over ReLU's."""
    return authors_results.FIGURE_5[outputs]["galu"] / authors_results.FIGURE_5[outputs]["relu"]


def losses_of_16():
    """GaLU's published losses over ReLU's with 16 outputs."""
    return [galu / relu for relu, galu in authors_results.LOSSES_16.values()]


def ratios_of_losses():
    """GaLU's published losses over ReLU's, in order."""
    return sorted(g / r for (m, d, k), (r, g, _) in authors_results.FIGURE_2.items() if k * d < m)


def ratio_near_below(outputs):
    _, relu, galu_ = authors_results.NEAR_BELOW[outputs]
    return galu_ / relu


def third_panel(kind, side="test"):
    """The authors' mean hinge losses by level of noise."""
    return np.array(authors_results.HINGE[kind][side])


def third_ratios():
    return third_panel("GaLU") / third_panel("ReLU")


def explained_of_third(kind):
    gap = third_panel(kind) - third_panel(kind, "train")
    return np.corrcoef(gap, authors_results.NOISE)[0, 1] ** 2


def beside_skewed():
    """The authors' mean test errors of GaLU over ours, whose runs are too skewed, and p by Student's t."""
    found = []
    for point, rows in zip(BY_ADAM.points, stored_rows(BY_ADAM), strict=True):
        if point["kind"] == "galu":
            theirs = authors_results.REGRESSION["GaLU"]["test"][authors_results.NOISE.index(point["sigma_y"])]
            ours, n = rows[:, 3], authors_results.RUNS
            assert theirs > ours.mean()
            assert scipy.stats.skew(ours) > SKEWNESS * math.sqrt(n)
            error = ours.std(ddof=1) * math.sqrt(1 / n + 1 / len(ours))
            p = 2 * scipy.stats.t.sf((theirs - ours.mean()) / error, len(ours) - 1)
            found.append((theirs / ours.mean() - 1, p))
    return found


def as_large_by_rows():
    """P(a mean of 16 losses at (256, 32, 8) is as large as theirs), if only inputs that open no gate lower the rank."""
    rng, (m, d, k), runs = np.random.default_rng(100), (256, 32, 8), authors_results.RUNS
    gates = (rng.standard_normal((m, d)) @ rng.standard_normal((d, k)) > 0 for _ in range(6_000))
    closed = np.array([(~g.any(axis=1)).sum() for g in gates])
    missing = closed[rng.integers(len(closed), size=(100_000, runs))].sum(axis=1)
    return scipy.stats.chi2.sf(runs * m * authors_results.FIGURE_2[m, d, k][1], missing).mean()


def slope_of_swiglu():
    """Slope of the map of second moments at 1, with the gain that keeps it."""
    steep = normal_mean(lambda u: silu(u) * silu_slope(u) * u, 1)
    return 1 + steep / normal_mean(lambda u: silu(u) ** 2, 1)


OF_COMPLEX = {
    "0.96196182800821": lambda: mpmath.sqrt(variance_scaling.COMPLEX.mp()),
    "1.0187": lambda: variance_scaling.COMPLEX() / 0.95311164380491208**2,
}
NUMBERS = {
    "galu/rank": {
        "0.00885": lambda: authors_results.FIGURE_2[256, 32, 8][1], "0.0039": lambda: 2**-8, "0.01": as_large_by_rows,
    },
    "galu/fig3.alike": {
        "4.9e-05": lambda: authors_results.CLASSIFICATION["GaLU"]["test"][0],
        "1.30": lambda: third_ratios()[1:].min(), "1.48": lambda: third_ratios()[1:].max(),
        "2.64": lambda: third_ratios()[0],
    },
    "galu/fig3.optimal-error": {
        "0.849": lambda: explained_of_third("ReLU"), "0.792": lambda: explained_of_third("GaLU"),
    },
    "galu/beyond.fig3-authors": {
        "0.18": lambda: beside_skewed()[0][1], "0.004": lambda: beside_skewed()[1][1],
        "0.003": lambda: beside_skewed()[2][1], "0.0008": lambda: 0.01 / 12,
        "20.3": lambda: 100 * beside_skewed()[0][0], "8.7": lambda: 100 * beside_skewed()[2][0],
    },
    "galu/sec6.identical": {
        "1.14": lambda: ratio_near_below(8), "0.92": lambda: ratio_near_below(128),
    },
    "galu/fig5.some": {
        "1.38": lambda: ratio_of_neurons(1), "1.10": lambda: ratio_of_neurons(8), "1.00": lambda: ratio_of_neurons(16),
        "0.97": lambda: ratio_of_neurons(32), "0.96": lambda: ratio_of_neurons(128),
    },
    "galu/fig5.alike": {"1.040": lambda: min(losses_of_16()), "1.052": lambda: max(losses_of_16())},
    "galu/fig2.margin-neurons": {"1.01": lambda: ratios_of_losses()[0], "3.03": lambda: ratios_of_losses()[-1]},
    "galu/beyond.fig1-choice": {"0.25": lambda: 1 / (0.5 * math.sqrt(64))},
    "constants/mish.moment": {"1.4868": lambda: gain("mish"), "0.45234": lambda: gain("mish") ** -2},
    "constants/residual.normalised": {
        "1.31": lambda: 1 + 768 * 0.02**2, "5.92": lambda: 1 + 12288 * 0.02**2,
    },
    "constants/torch.attention.weights": {"1.284": lambda: math.exp(1 / 4), "2.718": lambda: math.e},
    "constants/torch.trunc-normal.bfloat16": {
        "0.0905": lambda: math.sqrt(0.02**2 + 4 / 512 - (2 / 512) ** 2),
        "0.126": lambda: math.sqrt(0.02**2 + 4 / 256 - (2 / 256) ** 2),
    },
    "constants/swiglu.unstable": {"2.17": slope_of_swiglu},
    "constants/celu.moment": {"1.2452": lambda: gain("celu")},
    "constants/torch.gain.tanh": {
        "0.39429": lambda: gains.TANH.mp(), "1.095": lambda: gains.TANH.mp() * 25 / 9,
        "1.5925": lambda: 1 / mpmath.sqrt(gains.TANH.mp()),
    },
    "constants/torch.gain.sigmoid": {
        "0.2934": lambda: gains.SIGMOID.mp(), "1.846": lambda: 1 / mpmath.sqrt(gains.SIGMOID.mp()),
    },
    "constants/torch.selu.gradients": {
        "1.0037": lambda: selu.growth_with_three_quarters() ** (mpmath.mpf(1) / 50),
        "1.0716": lambda: selu.growth_with_one() ** (mpmath.mpf(1) / 50),
        "0.15": lambda: mpmath.sqrt(selu.kept_with_three_quarters()),
        "1.76": lambda: closed.selu_alpha() * closed.selu_scale(),
        "1.05": lambda: closed.selu_scale(),
        "2.0": lambda: selu_gradient(10, 1), "0.13": lambda: selu_gradient(10, 9 / 16),
        "0.064": lambda: selu_gradient(50, 9 / 16),
    },
    "constants/torch.selu.growth": {
        "0.064": lambda: selu_gradient(50, 9 / 16), "0.038": lambda: propagate("selu", 50, 9 / 16).gradient[0],
    },
    "constants/torch.trunc-normal.deviation": {"0.8796": lambda: math.sqrt(variance_scaling.CUT_AT_2())},
    "constants/jax.truncated-normal": {"0.8796": lambda: math.sqrt(variance_scaling.CUT_AT_2())},
    "constants/keras.truncated-normal": {"0.8796": lambda: math.sqrt(variance_scaling.CUT_AT_2())},
    "constants/keras.truncated-normal.redrawn": {"4.3": lambda: round(1e6 * math.erfc(math.sqrt(2)) ** 4, 1)},
    "constants/jax.truncated-complex": OF_COMPLEX, "constants/jax.truncated-complex.deviation": OF_COMPLEX,
    "constants/torch.trunc-normal.mean": {"0.7172": lambda: 1 + moments.mean(-3.0, 1.0)},
    "constants/torch.trunc-normal.variance": {"0.8542": lambda: scale_for(0.8), "1.1547": lambda: 2 / math.sqrt(3)},
    "constants/jax.truncated-normal.cut": {
        "2.97": lambda: 2 / scipy.stats.norm.ppf(0.75), "0.0455": lambda: 2 * scipy.stats.norm.sf(2),
    },
    "constants/keras.random-normal": {"7e-46": lambda: 8.0**-50, "0.05": lambda: 1 / 20},
    "constants/torch.linear.relu-network": {"8e38": lambda: 6.0**50},
    "constants/torch.linear.gradients": {"1e-39": lambda: 6.0**-50},
    "constants/residual.growth": {"1.1e15": lambda: 2.0**50, "2.69": lambda: (1 + 1 / 50) ** 50},
    "constants/residual.depth": {"2.718": lambda: math.e},
    "constants/torch.bilinear": {"6.5": lambda: math.sqrt(128 / 3 + 1 / (3 * 128))},
    "constants/torch.recurrent": {
        "2.3": lambda: math.sqrt((1024 + 2) / (3 * 64)), "0.15": lambda: math.sqrt((64 + 2) / (3 * 1024)),
    },
    "constants/keras.embedding": {"0.019": lambda: math.sqrt(512) / 1200},
    "constants/torch.prelu": {
        "1.372": lambda: math.sqrt(2 / (1 + 0.25**2)), "1.005": lambda: (1 + 0.01**2) ** 50,
    },
    "constants/keras.lstm.forget": {
        "0.731": lambda: 1 / (1 + math.exp(-1)), "2.2": lambda: math.log(2) / math.log(1 + math.exp(-1)),
    },
    "constants/width.relu": {"6.6": lambda: deviation_of_relu(64), "0.53": lambda: deviation_of_relu(1024)},
    "constants/gelu.slope": {"1.5335": lambda: gain("gelu")},
    "constants/correlation.relu-fifty": {"8.9": lambda: mpmath.degrees(mpmath.acos(correlations.after(50)))},
    "constants/torch.linear.correlation": {"0.886": lambda: (5 + 1 / math.pi) / 6},
    "constants/torch.gain.tanh-scales": {
        "5.25": lambda: 1 / mpmath.log(wide.chi(wide.tanh_slope, correlations.FIVE_THIRDS, correlations.tanh_kept())),
        "1.19": lambda: -1 / mpmath.log(
            wide.variance_slope(mpmath.tanh, correlations.FIVE_THIRDS, correlations.tanh_kept())
        ),
    },
    "constants/torch.gain.tanh-depth": {
        "1.21": lambda: wide.chi(wide.tanh_slope, correlations.FIVE_THIRDS, correlations.tanh_kept()),
    },
    "constants/torch.gain.sigmoid-correlation": {
        # With the gain that keeps a variance of 1.
        "0.153": lambda: wide.chi(wide.logistic_slope, 1 / gains.SIGMOID.mp(), 1),
    },
    "constants/depth.typical": {"0.13": lambda: math.exp(50 * float(depth.layer_logarithm(64)))},
    "constants/depth.dead": {"0.545": lambda: 1 - (1 - 2.0**-6) ** 50},
    "galu/beyond.rank-plane": {"4e-12": lambda: float(plane_rank_law(40, 20)[-1])},
    "galu/beyond.fig5-one-output": {
        "0.944": lambda: (
            mpmath.gammainc(128, 0, "153.6", regularized=True) - mpmath.gammainc(176, 0, "153.6", regularized=True)
        ),
    },
    "galu/beyond.rank-tight": {
        "0.8621": lambda: galu.full_rank_at_most(64, 8, 8), "0.7432": lambda: galu.full_rank_at_most(128, 16, 8),
    },
}  # fmt: skip
# What is declared, and in which texts: margins, levels, sizes of steps, versions, what the paper or the claim has.
DECLARED = {
    # The paper's own threshold, and numbers that are computed where they are said.
    "0.3": """galu/fig5 galu/fig5.one galu/fig5.shrinks galu/fig5.alike galu/fig5.relu-ahead galu/sec6.identical
        galu/beyond.fig5-authors galu/beyond.fig5-one-output galu/beyond.fig5-ratios
        constants/torch.trunc-normal.artifacts constants/torch.trunc-normal.bfloat16
        constants/torch.trunc-normal.effectively constants/torch.trunc-normal.bounds""",
    "0.300": "galu/fig5.minimal",
    "4.1": "galu/beyond.fig5-biases",  # A section.
    "0.058 0.182 0.199 3.2": "galu/beyond.upper-exceeded",
    "0.9": "galu/beyond.rank-open-rows galu/rank.paper-sizes constants/starts.dense",
    "99.9": "galu/rank.paper-sizes",
    "1e-3": "galu/beyond.smallest-k constants/starts.dense",
    "1e-3 2e-3": """constants/starts.nac constants/starts.nac-mul constants/starts.nalu constants/starts.nau
        constants/starts.nau.gains constants/starts.nmu constants/starts.nmu.centred constants/starts.nmu.gains
        constants/starts.nmu.task""",
    "0.01": "galu/beyond.both-layers-line constants/torch.prelu",
    "0.02": """galu/fig2.double-few constants/jax.truncated-normal.cut constants/residual.normalised
        constants/torch.trunc-normal.bfloat16 constants/torch.trunc-normal.absolute""",
    "0.05": "constants/keras.embedding constants/torch.trunc-normal.bounds constants/keras.random-uniform.below",
    "1e-7": "constants/torch.trunc-normal.inside",
    "0.1": "constants/torch.sparse.fraction",
    "0.25": "constants/torch.gain.sigmoid-variance constants/torch.prelu",
    "0.8": "constants/torch.trunc-normal.variance",
    "0.87962566103423978": "constants/jax.truncated",
    "0.95311164380491208": "constants/jax.truncated-complex",
    "2.13": "constants/torch.sparse.generator constants/torch.sparse.tensor constants/torch.trunc-normal.bfloat16",
    "2.8": "constants/keras.truncated-normal",
    "1.6732 1.0507": "constants/torch.selu.digits",
    "1e-12 1e3": "constants/torch.selu.stable",
    "0.95 1.1 0.0230": "constants/torch.selu.necessary",
    "1e-2000": "constants/torch.trunc-normal.absolute",
}
KNOWN = {(id, text) for texts, ids in DECLARED.items() for id in ids.split() for text in texts.split()}


@cache
def claims():
    return {c.id: c for c in [*load(["galu"]), *load(["constants"])]}


def judged(claim):
    """Numbers of its formulas, points and quotation."""
    forms = [f for f in (claim.printed, claim.corrected, claim.exact) if f is not None]
    values = [float(n) for f in forms for n in f.expr.atoms() if n.is_Rational]
    points = [str(v) for point in claim.points for v in point.values()]
    return values + [float(v) for v in points if re.fullmatch(r"\d+\.\d+", v)]


def decimals(claim):
    return re.findall(r"(?<![\w.,])\d+(?:\.\d+)?(?:e-?\d+)|(?<![\w.,])\d+\.\d+", " ".join((claim.says, claim.note)))


@pytest.mark.parametrize(("id", "text"), [(id, text) for id, found in NUMBERS.items() for text in found])
def test_a_number_in_a_text_is_what_it_is_said_to_be(id, text):
    claim = claims()[id]
    assert text in decimals(claim)
    digits = len(re.sub(r"e.*|\.|^0\.0*", "", text))
    assert float(mpmath.nstr(mpmath.mpf(NUMBERS[id][text]()), digits)) == float(text)


def test_every_decimal_number_in_a_text_is_known():
    unknown = []
    for claim in claims().values():
        # Numbers that a claim named in the note states are judged there.
        named = [c for id, c in claims().items() if re.search(rf"{re.escape(id)}(?![\w.-]*\w)", claim.note)]
        values = [v for c in (claim, *named) for v in judged(c)]
        for text in decimals(claim):
            known = text in NUMBERS.get(claim.id, ()) or (claim.id, text) in KNOWN or text in claim.quote
            if not known and not any(math.isclose(float(text), v, rel_tol=1e-12) for v in values):
                unknown.append((claim.id, text))
    assert not unknown
    assert [(id, text) for id, text in KNOWN if text not in decimals(claims()[id])] == []


def test_the_gain_1_of_selu_has_the_more_stable_gradients_in_so_many_layers():
    ones, others = ([abs(math.log(selu_gradient(n, w))) for n in range(1, 51)] for w in (1, 9 / 16))
    assert [one < other for one, other in zip(ones, others, strict=True)] == [n <= selu.EVEN for n in range(1, 51)]


def test_bounds_of_full_rank_are_those_of_the_runs():
    assert {"m": 64, "d": 8, "k": 8} in TIGHT.points
    assert {"m": 128, "d": 16, "k": 8} in TIGHT.points


def test_the_training_errors_of_trained_networks_are_those_of_the_caption():
    assert "0.7 to 0.9 sigma_y^2 after many steps with sigma_y of 1/2 and more" in galu_clusters.DETAILS.replace(
        "\n", " "
    )
    rows = stored_rows(REGRESSION)[0].mean(axis=0).reshape(len(SIGMA_Y), len(PREDICTORS), 2)
    for level, found in zip(SIGMA_Y[3:], rows[3:], strict=True):
        for predictor in ("GaLU, many steps", "ReLU, many steps"):
            assert 0.7 < found[PREDICTORS.index(predictor), 0] / level**2 < 0.9


def test_units_leave_linear_networks_at_the_widths_of_the_note_and_of_the_caption():
    found = {kind: v.mean(axis=1) for kind, v in figure_1.accuracies(DIGITS, stored_rows(DIGITS)).items()}
    nearer = np.abs(found["relu"] - found["linear"]) < np.abs(found["relu"] - found["galu0"])
    assert [k for k, n in zip(WIDTHS, nearer, strict=True) if n] == [6, 8, 16]
    above = {kind: [k for k, a in zip(WIDTHS, v > found["linear"], strict=True) if a] for kind, v in found.items()}
    assert above["galu0"] == [32, 64, 128]
    assert above["galu0-binary"] == [64, 128]
    assert above["relu"] == [16, 32, 64, 128]
    assert (
        "From 32 neurons on ReLU and GaLU0 with the logistic gate are above linear networks, GaLU0 with the 0-1 gate "
        "from 64 on." in " ".join(galu_figure_1.DETAILS.split())
    )


def test_galu0_has_more_than_half_of_the_errors_of_linear_networks_on_fashion_mnist():
    errors = authors_results.FIGURE_1["Fashion-MNIST"]
    assert np.all(np.array(errors["GaLU0"]) > np.array(errors["linear"]) / 2)


def test_numbers_of_neurons_before_rounding_are_at_most_those_of_the_figure():
    for outputs, kinds in authors_results.BISECTION.items():
        for kind, (least, largest) in kinds.items():
            assert least <= largest <= authors_results.FIGURE_5[outputs][kind]


def test_a_gain_of_three_quarters_keeps_another_variance_of_selu_stably():
    (other,) = [p for p in fixed_points("selu", 9 / 16) if p.variance > 0]
    assert round(other.variance, 4) == 0.0230
    assert round(other.slope, 3) == 0.924


def test_selu_has_stable_variances_beside_1_with_weights_from_theorem_1_of_its_paper():
    points = {w: [p for p in fixed_points("selu", w) if p.variance > 0] for w in (0.95, selu.LARGER, 1.1)}
    assert all(len(some) == 1 and some[0].slope < 1 for some in points.values())
    # Of the outputs, whose second moment theorem 1 has from 0.8 to 1.5.
    assert all(0.8 < some[0].variance / w < 1.5 for w, some in points.items())
    (kept,) = points[selu.LARGER]
    assert (round(kept.variance, 2), round(kept.slope, 3)) == (1.25, 0.783)
