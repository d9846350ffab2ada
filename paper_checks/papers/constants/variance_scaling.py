"""Distributions of weights: ``kaiming_*``, ``xavier_*``, ``trunc_normal_``, ``variance_scaling`` of JAX and Keras."""

import math
from fractions import Fraction

import mpmath
import numpy as np
from scipy.special import erfinv
from sympy import Integer, Rational, exp, sqrt

from montecarlo import mean, variance
from montecarlo.kernels.initialisation import layers as laws, weights
from montecarlo.kernels.signal_propagation import layers
from paper_checks import AtPoints, Finding, Form, claim, common, concluded, grid, wrong
from paper_checks.papers.constants.formulas import VARIANCE, in_bfloat16, on
from theory.initialisation.laws import truncated_variance
from theory.numerics.normal_tails import Phi
from theory.symbols import count, positive

formula = on("distributions of weights")
fan, gain, fan_in, fan_out = count("fan"), positive("gain"), count("fan_in"), count("fan_out")
stddev = positive("stddev")
JAX = "jax.nn.initializers.variance_scaling"
CUT_AT_2 = formula(
    "variance of a standard normal value that is cut at 2",
    VARIANCE,
    truncated_variance.expr.subs(truncated_variance.arguments[0], 2),
)


def uniform_second_moment(half):
    return mpmath.quad(lambda w: w * w, [-half, half]) / (2 * half)


def cut_second_moment():
    """Of a standard normal value given that it lies in [-2, 2]."""
    return mpmath.quad(lambda w: w * w * mpmath.npdf(w), [-2, 0, 2]) / mpmath.quad(mpmath.npdf, [-2, 0, 2])


uniform = common(form=Form.OURS, measured=variance(weights.uniform_weight))

uniform(
    "constants/torch.kaiming.uniform",
    at="torch.nn.init.kaiming_uniform_",
    says="the distribution U(-bound, bound) with bound = gain sqrt(3/fan) has the variance gain^2/fan",
    printed=formula("variance of a Kaiming uniform weight", VARIANCE, gain**2 / fan, gain, fan),
    points=grid(gain=[1, "5/3"], fan=[3, 64]),
    derived={
        "low": lambda gain, fan: -gain * sqrt(3) / sqrt(fan),
        "high": lambda gain, fan: gain * sqrt(3) / sqrt(fan),
    },
    integral=lambda gain, fan: uniform_second_moment(gain * mpmath.sqrt(mpmath.mpf(3) / fan)),
    slips={"Glorot's bound": 2 * gain**2 / fan},
)

uniform(
    "constants/torch.xavier.uniform",
    at="torch.nn.init.xavier_uniform_",
    says="the distribution U(-a, a) with a = gain sqrt(6/(fan_in + fan_out)) has the variance 2 gain^2/(fan_in + "
    "fan_out)",
    printed=formula(
        "variance of a Xavier uniform weight", VARIANCE, 2 * gain**2 / (fan_in + fan_out), gain, fan_in, fan_out
    ),
    points=grid(gain=[1, "5/3"], fan_in=[3, 64], fan_out=[10]),
    derived={
        "low": lambda gain, fan_in, fan_out: -gain * sqrt(6) / sqrt(fan_in + fan_out),
        "high": lambda gain, fan_in, fan_out: gain * sqrt(6) / sqrt(fan_in + fan_out),
    },
    integral=lambda gain, fan_in, fan_out: uniform_second_moment(
        gain * mpmath.sqrt(mpmath.mpf(6) / (fan_in + fan_out))
    ),
    slips={"of fan_in alone": gain**2 / fan_in},
)

cut_normal = common(
    corrected=CUT_AT_2,
    points=[{"cut": 2}],
    integral=cut_second_moment,
    measured=variance(laws.truncated_normal),
    slips={"the probability of the cut": Rational(19, 20)},
)

cut_normal.alternative(
    "constants/torch.trunc-normal.deviation",
    at="torch.nn.init.trunc_normal_, with its defaults std = 1, a = -2, b = 2",
    says="the values have the standard deviation std",
    printed=formula("variance of a value", VARIANCE, 1),
    note="the documentation says that std is the standard deviation of the normal distribution, which is the one "
    "before truncation. The standard deviation of the values is 0.8796 std. JAX and Keras correct for this in "
    "variance_scaling, PyTorch does not",
)  # fmt: skip


claim(
    "constants/torch.trunc-normal.absolute",
    at="torch.nn.init.trunc_normal_",
    says="a and b are absolute values, not multiples of std. With std = 0.02 and the default -2 and 2 the "
    "probability that a value is cut is below 1e-2000",
    quote="a: the minimum cutoff value",
    evidence=[
        AtPoints(
            "the tail of a normal distribution at 100 standard deviations",
            lambda: mpmath.erfc(100 / mpmath.sqrt(2)) < mpmath.mpf(10) ** -2000,
        )
    ],
    note="to cut at two standard deviations, pass a = -2 std and b = 2 std",
)


def same_float() -> bool:
    """The exact number, 0.87962566103423975..., lies nearer to the float64 that is written than to both beside it."""
    exact, written = mpmath.sqrt(CUT_AT_2.mp(dps=40)), 0.87962566103423978
    beside = (math.nextafter(written, 0), math.nextafter(written, 1))
    return all(abs(exact - written) < abs(exact - other) for other in beside)


claim(
    "constants/jax.truncated",
    at=JAX + " and keras.initializers.VarianceScaling",
    says="0.87962566103423978, by which both libraries divide, is the standard deviation of a standard normal value "
    "cut at 2, to the precision of float64",
    evidence=[AtPoints("the closed form to 40 digits, rounded to float64", same_float)],
    note="LeCun's, He's and Glorot's normal weights therefore have the variances 1/fan_in, 2/fan_in and 2/(fan_in + "
    "fan_out)",
)

COMPLEX = on(JAX)(
    "E|z|^2 of a complex normal z of E|z|^2 = 1, cut at |z| = 2; |z|^2 has an exponential distribution",
    r"E[|z|^2]",
    (1 - 5 * exp(-4)) / (1 - exp(-4)),
)

IMAGINARY = r"\operatorname{Var}[\operatorname{Im} w]"

# By which JAX divides complex weights.
WRITTEN = "0.95311164380491208"


def cut_exponential():
    """E|z|^2, an exponential value given that it is at most 4."""
    return mpmath.quad(lambda s: s * mpmath.exp(-s), [0, 4]) / mpmath.quad(lambda s: mpmath.exp(-s), [0, 4])


complex_weights = common(
    at=JAX + ", complex weights",
    expects=wrong("algebra"),
    form=Form.OURS,
    note="the correct constant is 0.96196182800821. Complex weights of JAX's he_normal, lecun_normal and "
    "glorot_normal therefore have 1.0187 times their documented variance. JAX's constant agrees with "
    "sqrt(1 - 5 e^-4) to 12 digits. The division by P(|z| < 2) = 1 - e^-4 is missing. A test of this project draws "
    "such weights. "
    "For real weights the documentation is correct: constants/jax.truncated",
)

complex_weights(
    "constants/jax.truncated-complex",
    at="source of jax.nn.initializers.variance_scaling, complex weights",
    says="0.95311164380491208, by which JAX divides, is the standard deviation of a complex normal value of unit "
    "variance, given that its modulus is below 2",
    quote="constant is stddev of complex standard normal truncated to 2",
    printed=on(JAX)("square of the constant", r"E[|z|^2]", Rational(WRITTEN) ** 2),
    corrected=COMPLEX,
    points=[{"cut": 2}],
    integral=cut_exponential,
    measured=mean(layers.complex_cut),
    slips={"nothing is cut": Integer(1), "of a real value": Rational("0.7737")},
)

complex_weights(
    "constants/jax.truncated-complex.deviation",
    says="truncated weights, real or complex, have the standard deviation sqrt(scale/n) after the truncation, for "
    "instance 1 for scale = n",
    quote=r"a standard deviation (after truncation, if applicable) of :math:`\sqrt{\frac{scale}{n}}`",
    printed=on(JAX)("mean square of a complex weight for scale/n = 1", r"E[|w|^2]", 1),
    corrected=on(JAX)("mean square of a complex weight for scale/n = 1", r"E[|w|^2]",
        COMPLEX.expr / Rational(WRITTEN) ** 2),
    points=[{}],
    integral=lambda: cut_exponential() / mpmath.mpf(WRITTEN) ** 2,
    slips={"of real weights": CUT_AT_2.expr / Rational(WRITTEN) ** 2},
)  # fmt: skip

claim(
    "constants/jax.normal.real",
    at="jax.nn.initializers.normal",
    says="the values are real, with a complex dtype too",
    quote="real normally-distributed random arrays",
    expects=wrong("general"),
    form=Form.OURS,
    printed=on(JAX)("variance of the imaginary part for stddev = 1", IMAGINARY, Integer(0)),
    corrected=on(JAX)("the same with dtype complex64", IMAGINARY, Rational(1, 2)),
    points=[{}],
    integral=lambda: 1 - mpmath.quad(lambda v: v**2 * mpmath.npdf(v, 0, mpmath.sqrt(0.5)), [-9, 0, 9]),
    slips={"of the whole": Integer(1)},
    note="the page gives dtype the type DTypeLikeInexact, which includes complex numbers. With a complex dtype the "
    "values are complex, and E|w|^2 is stddev^2. jax.nn.initializers.uniform refuses a "
    "complex dtype. Nothing is drawn here. A test of this project draws the values where JAX is installed",
)


def normals_in_bfloat16(lowest: float = -255 / 256) -> np.ndarray:
    """All that JAX makes for stddev = 1, equally likely: of uniform numbers lowest + k/64, each factor rounded."""
    return in_bfloat16(in_bfloat16(np.full(1, 2**0.5)) * in_bfloat16(erfinv(lowest + np.arange(128) / 64)))


def centred(_context) -> Finding:
    values = normals_in_bfloat16()
    ends = f"{values.min():.2f} to {values.max():.2f}"
    says = f"128 values are equally likely, from {ends}. Their mean is {values.mean():.4f}"
    slips = {"as many below 0 as above": abs(normals_in_bfloat16(-127 / 128).mean()) < 1e-3}
    return concluded(abs(values.mean()) < 1e-3, says, slips)


normal = common(at="jax.nn.initializers.normal", quote="mean ``0`` and standard deviation ``stddev``")

normal.alternative(
    "constants/jax.normal.bfloat16",
    says="the values have the mean 0, in bfloat16 too",
    experiment=centred,
    expects=wrong(correct="constants/jax.normal.deviation"),
    assumptions="stddev = 1; JAX 0.10, whose bfloat16 numbers have seven random digits. A test of this project draws "
    "the values where JAX is installed",
    note="JAX maps u = -255/256, -251/256, ..., 253/256 to normal values. The most negative one therefore has no "
    "positive counterpart",
)

normal.additional(
    "constants/jax.normal.deviation",
    says="in float32 and complex64 the values have E|w|^2 = stddev^2",
    printed=on(JAX)("mean square of a value", r"E[\lvert w \rvert^2]", stddev**2, stddev,
        symbols={"stddev": "parameter stddev"}),
    points=grid(stddev=["1/100", 3]),
    # Of a complex value each part has half of it.
    integral=lambda stddev: 2 * mpmath.quad(
        lambda v: v**2 * mpmath.npdf(v, 0, stddev / mpmath.sqrt(2)), mpmath.linspace(-40 * stddev, 40 * stddev, 41)),
    slips={"each part has the deviation stddev": 2 * stddev**2, "stddev is the variance": stddev},
    assumptions="normal numbers of mean 0, without rounding to a number format",
)  # fmt: skip

cut_normal.alternative(
    "constants/jax.truncated-normal",
    at="jax.nn.initializers.truncated_normal",
    says="the values have the standard deviation stddev, for instance 1 for stddev = 1",
    quote="the truncated normal distribution with mean ``0`` and standard deviation ``stddev``",
    printed=formula("variance of a value for stddev = 1", VARIANCE, 1),
    note="the same page says that stddev is the standard deviation of the untruncated distribution, and that no "
    "correction is applied. Read together, the sentences are correct: they give the mean and the standard deviation "
    "before truncation. The standard deviation of the values is 0.8796 stddev. If lower is not -upper, they have "
    "another mean as well: constants/torch.trunc-normal.mean",
)  # fmt: skip

cut_normal(
    "constants/keras.truncated-normal",
    at="keras.initializers.TruncatedNormal",
    says="the values have the standard deviation stddev, for instance 1 for stddev = 1",
    quote="Standard deviation of the random values to generate",
    expects=wrong("general"),
    printed=formula("variance of a value for stddev = 1", VARIANCE, 1),
    form=Form.OURS,
    note="the standard deviation of the generated values is 0.8796 stddev. ``stddev`` is that of the distribution "
    "before values more than two standard deviations from the mean are redrawn "
    "(constants/keras.truncated-normal.redrawn). The documentation of TensorFlow 2.8 adds 'before truncation'. "
    "keras.initializers.VarianceScaling corrects for this: constants/jax.truncated",
)

OUTSIDE, FRACTION = 2 * (1 - Phi(Integer(2))), r"P(|w| > 2\,\mathrm{stddev})"

claim(
    "constants/keras.truncated-normal.redrawn",
    at="keras.initializers.TruncatedNormal",
    says="values more than two standard deviations from the mean are redrawn, so that there are none, with PyTorch as "
    "the backend too",
    quote="except that values more than two standard deviations from the mean are discarded and re-drawn",
    expects=wrong("general"),
    form=Form.OURS,
    printed=formula("fraction of values more than two standard deviations from the mean", FRACTION, Integer(0)),
    corrected=formula("the same with PyTorch as the backend, of four drawn values", FRACTION, OUTSIDE**4),
    points=[{}],
    integral=lambda: (2 * mpmath.quad(mpmath.npdf, [2, 4, 8, 16])) ** 4,
    slips={"three drawn values": OUTSIDE**3, "one side": (OUTSIDE / 2) ** 4},
    note="with PyTorch as the backend, Keras draws four values for each weight and keeps the first that is inside. If "
    "all four are outside, it keeps one of them. This happens for "
    f"{1e6 * float((OUTSIDE**4).evalf()):.1f} of a million weights, also of HeNormal, LecunNormal and GlorotNormal. "
    "With JAX and NumPy, values are outside only by rounding. We did not test TensorFlow",
)


def at_the_upper_end(digits: int = 8) -> Fraction:
    """Of w = 1 + k/2^digits, all k equally likely, the fraction that rounds to 2 in so many digits, ties to even."""
    values = [1 + Fraction(k, 2**digits) for k in range(2**digits)]
    return Fraction(sum(round(w * 2 ** (digits - 1)) == 2**digits for w in values), len(values))


AT_1, AT_2 = (rf"P_{{\mathrm{{bfloat16}}}}(w = {end})" for end in (1, 2))

BELOW = r"P_{\mathrm{bfloat16}}(w < -1/20)"
lowest = common(at="keras.initializers.RandomUniform, minval", points=[{}])

lowest.additional(
    "constants/keras.random-uniform.inclusive",
    says="minval is among the values, if the number format has it. With NumPy as the backend RandomUniform(1, 2) in "
    "bfloat16 is 1 with the probability 1/256",
    printed=formula("fraction of values of RandomUniform(1, 2) that are 1 with NumPy", AT_1, Rational(1, 2**8)),
    # Half of the cell at 1.
    integral=lambda: mpmath.quad(lambda _: 1, [1, 1 + mpmath.mpf(2) ** -7 / 2]),
    slips={"the whole cell": Rational(1, 2**7)},
    note="the probability is 1/128 with JAX and 3/512 with PyTorch. A test of this project draws the values with all "
    "three",
)

lowest.alternative(
    "constants/keras.random-uniform.below",
    says="no value is below minval, in any number format and with any backend. RandomUniform() in bfloat16 with NumPy "
    "is never below -0.05",
    quote="Lower bound of the range of random values to generate (inclusive)",
    expects=wrong(),
    printed=formula("fraction of values of RandomUniform() below -0.05 in bfloat16", BELOW, Integer(0)),
    corrected=formula("the same with NumPy as the backend", BELOW, Rational(3, 4096)),
    # Bfloat16 has the neighbours 204/4096 and 205/4096 of 0.05.
    integral=lambda: (mpmath.mpf(1) / 20 - mpmath.mpf(204 + 205) / 2 / 4096) / (mpmath.mpf(1) / 10),
    slips={"the whole cell": Rational(1, 2**12) * 10},
    note="values near -0.05 are rounded to -205/4096. PyTorch and JAX round more values so. If the number format has "
    "minval, as in RandomUniform(1, 2), none is below it",
)

claim(
    "constants/keras.random-uniform.exclusive",
    at="keras.initializers.RandomUniform, maxval",
    says="no value is equal to maxval, in any number format and with any backend. RandomUniform(1, 2) in bfloat16, "
    "with PyTorch or NumPy as the backend, is never 2",
    quote="Upper bound of the range of random values to generate (exclusive)",
    expects=wrong("general"),
    form=Form.OURS,
    printed=formula("fraction of values of RandomUniform(1, 2) that are 2 in bfloat16", AT_2, Integer(0)),
    corrected=formula("the same with PyTorch or NumPy as the backend", AT_2, Rational(1, 2**8)),
    points=[{}],
    integral=lambda: mpmath.mpf(at_the_upper_end().numerator) / at_the_upper_end().denominator,
    slips={"in float16": Rational(1, 2**11), "half of the ties": Rational(1, 2**9)},
    note="values next to maxval are rounded to maxval. With PyTorch and NumPy RandomUniform(1, 2) has the value 2 with "
    "the probability 1/256 in bfloat16, 1/2048 in float16 and 1/2^24 in float32. OpenVINO rounds as well, by its "
    "source. With JAX RandomUniform(1, 2) is never 2, as all its steps are exact, but RandomUniform(3, 5) is 5 with "
    "the probability 1/128 in bfloat16. With the default bounds in bfloat16, NumPy gives values above maxval. "
    "TensorFlow is not tested here",
)
