"""Section 3: target normalisation, rotation of the target, gradient descent with momentum, equations (1)-(8), (10)."""

from __future__ import annotations

from functools import cache

import mpmath
import numpy as np
import sympy

from montecarlo import mean, probability_below, variance
from montecarlo.kernels.momentum import affine_model as kernels
from montecarlo.kernels.momentum import quadratic as momentum_kernels
from paper_checks import Defines, claim, grid
from paper_checks.papers.dying_relu.reflection import reflection_onto_the_axis
from theory.momentum import affine_model

# Nodes and weights on (-1, 1), exact for polynomials below degree 32.
GAUSS = 16


def mean_over(function, low, high):
    """The mean of a smooth function over an interval, by Gauss and Legendre at the caller's precision."""
    low, high = (mpmath.mpmathify(sympy.N(v, mpmath.mp.dps)) for v in (low, high))
    nodes, weights = _gauss(mpmath.mp.dps)
    middle, half = (low + high) / 2, (high - low) / 2
    return mpmath.fsum(c * function(middle + half * x) for c, x in zip(weights, nodes, strict=True)) / 2


@cache
def _gauss(_digits):
    nodes = mpmath.polyroots(mpmath.taylor(lambda x: mpmath.legendre(GAUSS, x), 0, GAUSS)[::-1], 200, extraprec=400)
    slopes = [GAUSS * (mpmath.legendre(GAUSS - 1, x) - x * mpmath.legendre(GAUSS, x)) / (1 - x * x) for x in nodes]
    return nodes, [2 / ((1 - x * x) * d * d) for x, d in zip(nodes, slopes, strict=True)]


def normals(draws, index):
    """Two standard normals from the two uniforms of a draw (Box and Muller), angles reduced to one quadrant."""
    u, v = draws(index)
    quarter = np.floor(4 * v)
    rest = 2 * np.pi * (v - quarter / 4)
    # cos(x) as sin(pi/2 - x): relatively accurate near its zero.
    cosine, sine = np.sin(2 * np.pi * ((quarter + 1) / 4 - v)), np.sin(rest)
    turn = [(cosine, sine), (-sine, cosine), (-cosine, -sine), (sine, -cosine)]
    radius = np.sqrt(-2 * np.log(u))
    return tuple(radius * np.choose(quarter.astype(int), [pair[k] for pair in turn]) for k in (0, 1))


def normalised(draws, mu, sigma, gamma, beta_0):
    """gamma (y - mean)/sd + beta_0 for a uniform target of this mean and standard deviation."""
    u, _ = draws(0)
    return gamma * ((mu + sigma * np.sqrt(12) * (u - 0.5)) - mu) / sigma + beta_0


AT_THE_MEAN = {"y": lambda mu: mu}
NORMALISED = [
    {"mu": 3, "sigma": "5/2", "gamma": 1, "beta_0": 0},
    {"mu": "-1/2", "sigma": "5/2", "gamma": "3/10", "beta_0": 2},
]

claim(
    "relu/eq1",
    at="eq. (1)",
    says="target values are centred, divided by their standard deviation, scaled by gamma and shifted by beta_0",
    relation=Defines(normalised),
    # Shifted by 4 no value comes near zero, where rounding would be all that is left.
    points=grid(mu=3, sigma="5/2", gamma=[1, "1/10"], beta_0=4),
    measured=mean(kernels.normalised_target),
    slips={
        "multiplied by the standard deviation": lambda draws, mu, sigma, gamma, beta_0: (
            normalised(draws, mu, 1.0, gamma, beta_0) * sigma
        ),
        "scaled after the shift": lambda draws, mu, sigma, gamma, beta_0: (
            gamma * normalised(draws, mu, sigma, 1.0, beta_0)
        ),
    },
)


def mean_of_normalised(function, v):
    """The mean of the normalised values over the uniform law of the raw ones; exact for polynomials."""
    width = v["sigma"] * sympy.sqrt(12)
    return mean_over(lambda y: function(y=y), v["mu"] - width / 2, v["mu"] + width / 2)


def variance_of_normalised(function, v):
    """Their variance."""
    centre = mean_of_normalised(function, v)
    return mean_of_normalised(lambda y: (function(y=y) - centre) ** 2, v)


claim(
    "relu/eq1.mean",
    at="eq. (1), consequence",
    says="normalised targets have mean beta_0; with beta_0 = 0 it is zero",
    printed=affine_model.normalised_target,
    points=NORMALISED,
    derived=AT_THE_MEAN,
    functional=mean_of_normalised,
    measured=mean(kernels.normalised_target),
    scale=lambda gamma, beta_0: sympy.Max(gamma, abs(beta_0)),
    scale_says="the larger of gamma and the shift",
)

claim(
    "relu/eq1.scale",
    at="eq. (1), consequence",
    says="normalised targets have variance gamma^2; gamma = 1 and beta_0 = 0 is z-normalisation",
    printed=affine_model.normalised_target,
    points=NORMALISED,
    derived=AT_THE_MEAN,
    functional=variance_of_normalised,
    measured=variance(kernels.normalised_target),
)


TARGETS = [{"l_1": 1, "l_2": 2, "l_3": 2}, {"l_1": "-3/10", "l_2": 2, "l_3": "1/4"}]
SCALE = {"gamma": lambda l_1, l_2, l_3: sympy.sqrt(l_1**2 + l_2**2 + l_3**2)}

claim(
    "relu/eq2",
    at="eq. (2)",
    says="a linear target is gamma times the last input after a rotation, which leaves the law of the inputs as it is",
    printed=affine_model.linear_target_below,
    proof=reflection_onto_the_axis,
    points=[{**TARGETS[0], "level": 2}, {**TARGETS[1], "level": 1}],
    derived=SCALE,
    measured=probability_below(kernels.target, "level"),
    slips={
        "gamma the sum of the components": sympy.erfc(-affine_model.level / (5 * sympy.sqrt(2))) / 2,
        "gamma the square of the norm": affine_model.linear_target_below.expr.subs(
            affine_model.gamma, affine_model.gamma**2
        ),
    },
    note="only the second line of the display is in our copy; this reads the first as the linear target",
)

claim(
    "relu/eq3",
    at="eq. (3)",
    says="a rectified linear target is the same of gamma times the last input after a rotation",
    printed=affine_model.relu_target_mean,
    proof=reflection_onto_the_axis,
    points=TARGETS[1:],
    derived=SCALE,
    integral=lambda gamma: mpmath.quad(lambda x: gamma * x * mpmath.npdf(x), [0, 4, 12, 40]),
    measured=mean(kernels.target, 1),
    slips={"gamma the square of the norm": affine_model.relu_target_mean.expr * affine_model.gamma},
    note="checked by the mean of the target, gamma/sqrt(2 pi)",
)


def last_input(draws, gamma):
    """gamma x_L of three inputs."""
    return gamma * normals(draws, 1)[0]


AXIS = [{"l_1": 0, "l_2": 0, "l_3": g, "gamma": g} for g in (1, "1/10")]

claim(
    "relu/eq4",
    at="eq. (4)",
    says="the linear target is Lambda.x with Lambda = (0, ..., 0, gamma)",
    relation=Defines(lambda draws, gamma, **_: last_input(draws, gamma)),
    points=AXIS,
    measured=mean(kernels.target),
    slips={"another input": lambda draws, gamma, **_: gamma * normals(draws, 0)[0]},
)

claim(
    "relu/eq5",
    at="eq. (5)",
    says="the rectified target is max(0, Lambda.x)",
    relation=Defines(lambda draws, gamma, **_: np.maximum(0, last_input(draws, gamma))),
    points=AXIS,
    measured=mean(kernels.target, 1),
    slips={"absolute value": lambda draws, gamma, **_: np.abs(last_input(draws, gamma))},
)

claim(
    "relu/beyond.relu-target-scale",
    at="beyond eq. (5)",
    says="the rectified target has the variance gamma^2 (1/2 - 1/(2 pi)): its standard deviation is 0.584 gamma",
    printed=affine_model.relu_target_variance,
    points=TARGETS[:1],
    derived=SCALE,
    integral=lambda gamma: (
        mpmath.quad(lambda x: (gamma * x) ** 2 * mpmath.npdf(x), [0, 4, 12, 40])
        - mpmath.quad(lambda x: gamma * x * mpmath.npdf(x), [0, 4, 12, 40]) ** 2
    ),
    measured=variance(kernels.target, 1),
    slips={"that of the linear target": affine_model.gamma**2},
    note="gamma is the scale of eq. (1) for the linear target only; a rectified target of mean zero is out of reach "
    "of one ReLU without an output bias",
    beyond=True,
)


def new_momentum(draws, beta):
    """beta m + (1 - beta) g."""
    m, g = (2 * u - 1 for u in draws(0))
    return beta * m + (1 - beta) * g


def new_parameter(draws, eta, beta):
    """theta - eta m' with the new momentum."""
    return 2 * draws(1)[0] - 1 - eta * new_momentum(draws, beta)


UPDATES = grid(eta=["1/10", 1], beta=[0, "9/10"])

claim(
    "relu/eq6",
    at="eq. (6)",
    says="the momentum is an exponential average of gradients: m' = beta m + (1 - beta) grad L",
    relation=Defines(lambda draws, beta, **_: new_momentum(draws, beta)),
    points=UPDATES,
    measured=mean(momentum_kernels.update, 0),
    slips={
        "a sum, without 1 - beta": lambda draws, beta, **_: new_momentum(draws, beta) + beta * (2 * draws(0)[1] - 1),
        "rates exchanged": lambda draws, beta, **_: new_momentum(draws, 1 - beta),
    },
    note="our copy has lost the formula. The factor 1 - beta is the reading chosen: with it the step size can stay as "
    "it is while beta goes from 0 to 1. Both readings are one system for other step sizes (relu/beyond.heavy-ball)",
)

claim(
    "relu/eq7",
    at="eq. (7)",
    says="parameters step along the new momentum: theta' = theta - eta m'",
    relation=Defines(lambda draws, eta, beta: new_parameter(draws, eta, beta)),
    points=[p for p in UPDATES if p["beta"]],
    measured=mean(momentum_kernels.update, 1),
    slips={
        "along the old momentum": lambda draws, eta, **_: 2 * draws(1)[0] - 1 - eta * (2 * draws(0)[0] - 1),
        "uphill": lambda draws, eta, beta: new_parameter(draws, -eta, beta),
    },
    note="our copy has lost the formula. Along the old momentum the product of the eigenvalues would be "
    "beta + eta (1 - beta), above 1 for step sizes above 1, against the sentence on such steps in section 4",
)


def affine_output(draws, w_1, w_2, w_3, b, **_):
    """w.x + b for three inputs."""
    x_1, x_2 = normals(draws, 0)
    x_3, _ = normals(draws, 1)
    return w_1 * x_1 + w_2 * x_2 + w_3 * x_3 + b


def half_square(draws, w_1, w_2, w_3, b, gamma):
    """eps^2/2 for the linear target."""
    return affine_output(draws, w_1, w_2, w_3 - gamma, b) ** 2 / 2


# A bias of 30 keeps outputs and errors away from zero, where rounding would be all that is left.
OUTPUTS = grid(w_1="3/10", w_2="-1/2", w_3="4/5", b=30, gamma=2)

claim(
    "relu/eq8",
    at="eq. (8)",
    says="the affine model is w.x + b",
    relation=Defines(affine_output),
    points=OUTPUTS,
    measured=mean(kernels.observation),
    slips={"bias subtracted": lambda draws, **v: affine_output(draws, **{**v, "b": -v["b"]})},
)

claim(
    "relu/eq10",
    at="eq. (10)",
    says="the loss is half the mean square of the error eps, model minus target",
    relation=Defines(half_square),
    points=OUTPUTS,
    measured=mean(kernels.observation, 1),
    slips={
        "without the half": lambda draws, **v: 2 * half_square(draws, **v),
        "target added": lambda draws, **v: half_square(draws, **{**v, "gamma": -v["gamma"]}),
    },
    note="our copy has lost the formula. The half is the reading with which steps up to 1 keep the eigenvalues in the "
    "right half of the unit circle (section 4); without it all step sizes there are halved",
)
