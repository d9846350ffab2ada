"""Section 3: gradient descent with momentum, the affine model and its loss, equations (6)-(8), (10)."""

from montecarlo import mean
from montecarlo.kernels.momentum import affine_model as kernels, quadratic as momentum_kernels
from paper_checks import Defines, claim, grid
from paper_checks.papers.dying_relu.section_3.normal_vectors import normals


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
    note="our copy has lost the formula. We chose the form with the factor 1 - beta, for which the same step "
    "size can be used while beta increases from 0 to 1. Without the factor the system is the same for "
    "another step size: relu/beyond.heavy-ball",
)

claim(
    "relu/eq7",
    at="eq. (7)",
    says="parameters move along the new momentum: theta' = theta - eta m'",
    relation=Defines(lambda draws, eta, beta: new_parameter(draws, eta, beta)),
    points=[p for p in UPDATES if p["beta"]],
    measured=mean(momentum_kernels.update, 1),
    slips={
        "along the old momentum": lambda draws, eta, **_: 2 * draws(1)[0] - 1 - eta * (2 * draws(0)[0] - 1),
        "uphill along the momentum": lambda draws, eta, beta: new_parameter(draws, -eta, beta),
    },
    note="our copy has lost the formula. With the old momentum the product of the eigenvalues would be beta + eta (1 - "
    "beta). It is above 1 for step sizes above 1, which contradicts what section 4 says of such steps",
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
    says="the loss is half the mean square of the error, which is model minus target",
    relation=Defines(half_square),
    points=OUTPUTS,
    measured=mean(kernels.observation, 1),
    slips={
        "without the half": lambda draws, **v: 2 * half_square(draws, **v),
        "target added": lambda draws, **v: half_square(draws, **{**v, "gamma": -v["gamma"]}),
    },
    note="our copy has lost the formula. With the factor 1/2, step sizes up to 1 keep the eigenvalues in the right "
    "half of the unit circle, as section 4 states. Without it, all step sizes in section 4 would be halved",
)
