"""Figure 2 and the eigenvalues as experiments: theory against NumPy's eigenvalues and against played paths."""

from itertools import islice

import numpy as np

from montecarlo.training.optimisers import descent
from paper_checks import Finding, concluded
from theory import momentum
from theory.momentum import affine_model
from theory.relu_unit import critical_scale

STEP_SIZE = 0.1
# Of a path of numbers about 1, over all steps.
PATHS_APART = 1e-13
MOMENTA = (0.0, 0.5, 0.67, 0.9, 0.99)
# In the linear cone: b/|w| = 4.
WEIGHT, BIAS, TARGET = 1.0, 4.0, 0.1
STEPS = 300
# Dead below a probability of 0.001 of a positive output.
DEAD = -3.0902323061678135
ROUNDING = np.finfo(float).eps
PAIRS = 10_000


def played_matrix(eta: np.ndarray, beta: np.ndarray, convention: str) -> np.ndarray:
    """What one step does to (m, e) = (1, 0) and to (0, 1), as columns."""
    columns = []
    for m, e in ((1.0, 0.0), (0.0, 1.0)):
        if convention == "nesterov":
            new = beta * m - eta * (e + beta * m)
            columns.append((new, e + new))
        else:
            new = beta * m + ((1 - beta) if convention == "ema" else 1.0) * e
            columns.append((new, e - eta * new))
    return np.moveaxis(np.array(columns), (0, 1), (-1, -2))


def distance(found: np.ndarray, matrix: np.ndarray) -> float:
    """The largest difference to NumPy's eigenvalues in units of what rounding of the matrix does to them.

    A relative change eps of a matrix moves eigenvalues a distance d apart by about eps |A|^2/d, and by sqrt(eps) |A|
    where they meet.
    """
    numpy = np.linalg.eigvals(matrix)
    size = np.linalg.norm(matrix, axis=(-2, -1))
    apart = np.maximum(np.abs(found[..., 0] - found[..., 1]), np.sqrt(ROUNDING) * size)
    # The same two numbers, in either order.
    differences = [np.abs(found - order).max(axis=-1) for order in (numpy, numpy[..., ::-1])]
    return float(np.max(np.minimum(*differences) * apart / (ROUNDING * size**2)))


# Measured: about 1.5; a formula that is wrong anywhere is off by 1e12.
WITHIN = 40.0


def eigenvalues_by_numpy(context) -> Finding:
    """Random step sizes and momenta, both conventions and Nesterov's method."""
    rng = np.random.default_rng(context.seed)
    eta, beta = 10 ** rng.uniform(-3, 1, PAIRS), rng.uniform(0, 1, PAIRS)
    # As many again beside the double root, where the textbook form loses half of its digits.
    eta = np.concatenate([eta, eta])
    near = momentum.oscillation_threshold(eta[PAIRS:]) * (1 + 10 ** rng.uniform(-16, -1, PAIRS))
    beta = np.concatenate([beta, np.minimum(near, 0.999)])
    found = {c: momentum.eigenvalues(eta, beta, convention=c) for c in (*momentum.CONVENTIONS, "nesterov")}
    far = {name: distance(values, played_matrix(eta, beta, name)) for name, values in found.items()}
    wrong = {
        "conventions exchanged": distance(found["heavy-ball"], played_matrix(eta, beta, "ema")),
        "a step size off by 1e-9": distance(
            momentum.eigenvalues(eta * (1 + 1e-9), beta), played_matrix(eta, beta, "ema")
        ),
    }
    worst = ", ".join(f"{name} {value:.1f}" for name, value in far.items())
    says = f"{2 * PAIRS} pairs of eigenvalues per method, largest difference in units of rounding: {worst}"
    return concluded(max(far.values()) <= WITHIN, says, {name: value > WITHIN for name, value in wrong.items()})


def figure_2_left(_context) -> Finding:
    """The path of the eigenvalues for one step size, played and in closed form."""
    beta = np.arange(1000) / 1000
    eta = np.full_like(beta, STEP_SIZE)
    matrix = played_matrix(eta, beta, "ema")
    numpy = np.linalg.eigvals(matrix)
    is_complex = np.abs(numpy.imag).max(axis=-1) > 0
    first = float(beta[is_complex].min())
    threshold = momentum.oscillation_threshold(STEP_SIZE)
    checks = (
        distance(momentum.eigenvalues(eta, beta), matrix) <= WITHIN,
        # Eigenvalues 0 and 1 - eta without momentum; a complex pair from the threshold to the end, on |x| = sqrt(beta).
        np.abs(np.sort(numpy[0].real) - [0, 1 - STEP_SIZE]).max() < 4 * ROUNDING,
        is_complex.tolist() == (beta > threshold).tolist(),
        np.abs(np.abs(numpy[is_complex]) - np.sqrt(beta[is_complex])[:, None]).max() < 8 * ROUNDING,
        np.abs(numpy[-1] - 1).max() < np.sqrt(2 * (1 - beta[-1])),
    )
    rejected = distance(momentum.eigenvalues(eta, beta, convention="heavy-ball"), matrix) > WITHIN
    says = (
        f"eta = {STEP_SIZE}: real from 0 and {1 - STEP_SIZE} at beta = 0, meeting at {np.sqrt(threshold):.4f} for "
        f"beta = {threshold:.4f}; complex from {first} on, of modulus sqrt(beta), up to 1"
    )
    return concluded(all(checks), says, {"momentum as a sum (heavy ball)": rejected})


def play(beta: float) -> tuple[np.ndarray, np.ndarray]:
    """Weight and bias along the path of (6) and (7) with the gradients (17) and (18)."""
    start, optimum = np.array([WEIGHT, BIAS]), np.array([TARGET, 0.0])
    path = descent(lambda theta: theta - optimum, start, STEP_SIZE, beta)
    return tuple(np.array([start, *(theta for theta, _ in islice(path, STEPS))]).T)


def figure_2_right(_context) -> Finding:
    """The ratio b/|w| along played paths, against the closed form; where it is lowest."""
    steps = np.arange(STEPS + 1)
    apart, wrong, seen = 0.0, 0.0, []
    for beta in MOMENTA:
        w, b = play(beta)
        for convention in momentum.CONVENTIONS:
            closed_w, closed_b = affine_model.path(
                [WEIGHT], BIAS, [TARGET], STEP_SIZE, beta, steps, convention=convention
            )
            difference = max(np.abs(closed_w[:, 0] - w).max(), np.abs(closed_b - b).max())
            if convention == "ema":
                apart = max(apart, difference)
            elif beta:
                wrong = max(wrong, difference)
        ratio = b / np.abs(w)
        at = int(ratio.argmin())
        seen.append((beta, ratio[at], at))
    dies = {beta for beta, lowest, _ in seen if lowest < DEAD}
    expected = {beta for beta in MOMENTA if critical_scale([WEIGHT], BIAS, STEP_SIZE, beta) > TARGET}
    # Near its end a path is rounding.
    texts = ("below 1e-10" if 0 <= lowest < 1e-10 else f"{lowest:.3g}" for _, lowest, _ in seen)
    lows = "; ".join(f"beta = {beta}: {text} after {at}" for (beta, _, at), text in zip(seen, texts, strict=True))
    says = (
        f"eta = {STEP_SIZE}, w = {WEIGHT}, b = {BIAS}, gamma = {TARGET}, {STEPS} steps, closed form within "
        f"{PATHS_APART:.0e}; lowest b/|w|: {lows}"
    )
    return concluded(apart < PATHS_APART and dies == expected, says, {"momentum as a sum (heavy ball)": wrong > 0.1})
