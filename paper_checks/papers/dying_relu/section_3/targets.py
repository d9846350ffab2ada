"""Section 3: target normalisation and rotation of the target, equations (1)-(5)."""

import numpy as np
import sympy

from montecarlo import mean, probability_below, variance
from montecarlo.kernels.momentum import affine_model as kernels
from paper_checks import Defines, Form, additional, claim, common, grid
from paper_checks.papers.dying_relu.one_relu import mean_over
from paper_checks.papers.dying_relu.section_3.normal_vectors import (
    normals,
    orthogonal_keeps_products,
    reflection_onto_the_axis,
)
from paper_checks.values.integrals import normal_mean
from theory.momentum import affine_model


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
    says="each target value is centred, divided by the standard deviation, scaled by gamma and shifted by beta_0",
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


consequence = common(at="eq. (1), consequence", derived=AT_THE_MEAN, printed=affine_model.normalised_target)

consequence(
    "relu/eq1.mean",
    says="normalised targets have mean beta_0, which is zero for beta_0 = 0",
    points=NORMALISED,
    functional=mean_of_normalised,
    measured=mean(kernels.normalised_target),
    scale=(lambda gamma, beta_0: sympy.Max(gamma, abs(beta_0)), "the larger of gamma and the shift"),
)

consequence(
    "relu/eq1.scale",
    says="normalised targets have variance gamma^2; gamma = 1 and beta_0 = 0 is z-normalisation",
    points=NORMALISED,
    functional=variance_of_normalised,
    measured=variance(kernels.normalised_target),
)

TARGETS = [{"l_1": 1, "l_2": 2, "l_3": 2}, {"l_1": "-3/10", "l_2": 2, "l_3": "1/4"}]
SCALE = {"gamma": lambda l_1, l_2, l_3: sympy.sqrt(l_1**2 + l_2**2 + l_3**2)}

turned = common(proof=lambda: reflection_onto_the_axis() and orthogonal_keeps_products(), derived=SCALE, form=Form.OURS)

turned(
    "relu/eq2",
    at="eq. (2)",
    says="a linear target is gamma times the last input after a rotation, which does not change the "
    "distribution of the inputs",
    printed=affine_model.linear_target_below,
    points=[{**TARGETS[0], "level": 2}, {**TARGETS[1], "level": 1}],
    measured=probability_below(kernels.target, "level"),
    slips={
        "gamma as the sum of the components": sympy.erfc(-affine_model.level / (5 * sympy.sqrt(2))) / 2,
        "gamma as the square of the norm": affine_model.linear_target_below.expr.subs(
            affine_model.gamma, affine_model.gamma**2
        ),
    },
    note="the test compares the distribution of the target. Our copy has only the number (3) of this display, "
    "at its second line. We take its first line, (2), to be about the linear target",
)

turned(
    "relu/eq3",
    at="eq. (3)",
    says="a rectified linear target is the rectified value of gamma times the last input after a rotation",
    printed=affine_model.relu_target_mean,
    points=TARGETS[1:],
    integral=lambda gamma: normal_mean(lambda x: gamma * max(x, 0)),
    measured=mean(kernels.target, 1),
    slips={"gamma as the square of the norm": affine_model.relu_target_mean.expr * affine_model.gamma},
    note="the test compares the mean of the target, gamma/sqrt(2 pi)",
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
    slips={"the absolute value": lambda draws, gamma, **_: np.abs(last_input(draws, gamma))},
)

additional(
    "relu/beyond.relu-target-scale",
    at="additional to eq. (5)",
    says="the rectified target has the variance gamma^2 (1/2 - 1/(2 pi)): its standard deviation is "
    f"{np.sqrt(affine_model.relu_target_variance(1)):.3f} gamma",
    printed=affine_model.relu_target_variance,
    points=TARGETS[:1],
    derived=SCALE,
    integral=lambda gamma: (
        normal_mean(lambda x: (gamma * max(x, 0)) ** 2) - normal_mean(lambda x: gamma * max(x, 0)) ** 2
    ),
    measured=variance(kernels.target, 1),
    slips={"that of the linear target": affine_model.gamma**2},
    note="gamma is the standard deviation of eq. (1) for the linear target only. A ReLU without an output "
    "bias cannot reach a rectified target of mean zero",
)
