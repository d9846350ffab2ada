"""Section 3.5: attacks of a bounded norm, eq. (8), and the step along signs that is used for it."""

from collections.abc import Callable
from types import SimpleNamespace

import mpmath
import numpy as np
import sympy
from sympy import pi, sqrt

from montecarlo import mean
from montecarlo.kernels.wide_networks import data
from montecarlo.training.images import RECORD
from montecarlo.training.smooth.robustness import gradient_step, sign_step
from paper_checks import Finding, Kind, Rounds, additional, alternative, common, concluded, grid, wrong
from paper_checks.evidence.symbolic import vanishes
from paper_checks.papers.network_smoothness.by_length import asked
from paper_checks.papers.network_smoothness.errata import erratum
from theory import Formula, Source
from theory.symbols import count

d = count("d")
SOURCE = Source("smooth", "eq. (8)")
# Of an image of MNIST.
PIXELS = 28 * 28
remark = common(at="additional to eq. (8)", kind=Kind.ADDITIONAL)


@asked
def flattened(_context, sizes: dict[str, int]) -> Finding:
    """An experiment: whether the images of each data set have as many entries as it says."""
    entries = {"MNIST": PIXELS, "CIFAR10": RECORD - 1}
    says = ", ".join(f"{name} {entries[name]} (stated: {size})" for name, size in sizes.items())
    exchanged = dict(zip(sizes, reversed(sizes.values()), strict=True))
    return concluded(sizes == entries, f"entries of a flattened image: {says}", {"exchanged": exchanged != entries})


erratum(
    "smooth/text.image-size",
    "smooth/text.image-size.correct",
    "misprint",
    at="3.5, paragraph 1",
    quote=r"a dataset of flattened images  $x_i \in \mathbb{R}^{784}$",
    says=(
        "the flattened images of MNIST and of CIFAR10 have 784 entries",
        "the flattened images of MNIST have 28 x 28 = 784 entries, those of CIFAR10 3 x 32 x 32 = 3072",
    ),
    experiment=(flattened({"MNIST": PIXELS, "CIFAR10": PIXELS}), flattened({"MNIST": 28 * 28, "CIFAR10": 3 * 32 * 32})),
    note="the flattened images of MNIST have 784 entries. An image of CIFAR10 has 32 x 32 pixels with three colours",
)


def steps_keep_the_norm(_context) -> Finding:
    """Both steps of the runs, of the norm 1/2 at a gradient (3, 4, 0): which lengths they have, and which gain."""
    g, x = np.float32([3, 4, 0]), np.zeros((1, 3), np.float32)
    linear = SimpleNamespace(by_inputs=lambda x, _y: np.tile(g, (len(x), 1)))
    moved = {step.__name__: step(linear, x, np.zeros(1), 0.5)[0] for step in (gradient_step, sign_step)}
    length = {name: float(np.linalg.norm(e)) for name, e in moved.items()}
    gain = {name: float(g @ e) for name, e in moved.items()}
    says = (
        ", ".join(f"{name}: length {length[name]:.3g}, gain {gain[name]:.3g}" for name in moved) + ", largest gain 2.5"
    )
    slips = {"the sign step is as good": abs(gain["sign_step"] - 2.5) > 0.1}
    return concluded(max(length.values()) <= 0.5 + 1e-6 and abs(gain["gradient_step"] - 2.5) < 1e-6, says, slips)


additional(
    "smooth/eq8",
    at="additional to eq. (8)",
    says="the perturbations in our runs have at most the Euclidean norm c. For a linear loss, the step along the "
    "gradient is the solution of (8)",
    experiment=steps_keep_the_norm,
    note="the paper uses the fast gradient sign step instead: smooth/eq8.fgsm",
)


def fgsm_solves(_context) -> Finding:
    """A linear loss g . eps with |eps| <= 1 and g = (3, 4): the step along the gradient and that along the signs."""
    g = sympy.Matrix([3, 4])
    best = (g.T * g / g.norm())[0]
    signs = g.applyfunc(sympy.sign)
    step = (g.T * signs / signs.norm())[0]
    says = f"for the loss 3 e_1 + 4 e_2 with |e| <= 1, the maximum is {best}; the step along the signs gives {step}"
    equal = sympy.Matrix([3, 3])
    alike = (equal.T * equal / equal.norm())[0] == (equal.T * signs / signs.norm())[0]
    return concluded(step == best, says, {"a gradient of equal entries": alike})


alternative(
    "smooth/eq8.fgsm",
    at="eq. (8), with A.1",
    says="the fast gradient sign step is the solution of (8) for a linear loss",
    experiment=fgsm_solves,
    expects=wrong(correct="smooth/beyond.eq8.cube smooth/beyond.eq8.least"),
    note="it is the solution if the largest entry of the perturbation is bounded: smooth/beyond.eq8.cube. The paper "
    "uses it to reduce the computing cost and does not state that it is exact",
)

sign_gain = Formula(
    "mean gain of a step along the signs over the largest gain of a step of this Euclidean length, normal gradient",
    sqrt(d) / pi * sympy.beta(d / 2, sympy.Rational(1, 2)),
    [d],
    source=SOURCE,
    lhs=r"E[\text{gain of the sign step}/\text{largest gain}]",
)


def by_one_entry(d):
    """d E|u_1|/sqrt(d) for u uniform on the sphere: the angle to an axis has the density sin^(d-2)."""
    if d == 1:
        return mpmath.mpf(1)
    total = mpmath.quad(lambda t: mpmath.sin(t) ** (d - 2), [0, mpmath.pi / 2, mpmath.pi])
    return mpmath.sqrt(d) * mpmath.quad(lambda t: abs(mpmath.cos(t)) * mpmath.sin(t) ** (d - 2), [
        0, mpmath.pi / 2, mpmath.pi
    ]) / total  # fmt: skip


remark(
    "smooth/beyond.sign-gain",
    says="to first order, a step along the signs of a normal gradient gains the fraction sqrt(d) B(d/2, 1/2)/pi of the "
    "largest gain for this Euclidean norm, on average",
    printed=sign_gain,
    points=grid(d=[2, 3, 20]),
    integral=by_one_entry,
    measured=mean(data.sign_step),
    note=f"the fraction is {sign_gain(2):.2f} for d = 2, {sign_gain(PIXELS):.2f} for {PIXELS} inputs, and tends to "
    "sqrt(2/pi) for many inputs",
)

remark(
    "smooth/beyond.sign-gain.images",
    says="for the 784 inputs of an image of MNIST, the fraction in smooth/beyond.sign-gain is 0.798",
    relation=Rounds(3),
    printed=Formula(
        "mean gain for 784 inputs",
        sympy.Rational("0.798"),
        source=SOURCE,
        lhs=r"E[\text{gain of the sign step}/\text{largest gain}]",
    ),
    integral=lambda: by_one_entry(PIXELS),
    points=[{}],
)


def largest_in_a_cube(step: Callable = sympy.sign) -> bool:
    """sum_i g_i e_i <= sum_i |g_i| |e_i| <= |g|_1 for |e_i| <= 1, with equality at the signs: entry by entry."""
    e = sympy.Symbol("e", real=True)
    entries = [sympy.Symbol("g", positive=True), sympy.Symbol("g", negative=True)]
    best = [abs(g) - g * e for g in entries]
    at_sign = all(vanishes(v.subs(e, step(g))) for v, g in zip(best, entries, strict=True))
    falls = [sympy.diff(v, e) for v in best]
    return at_sign and falls[0].is_negative is True and falls[1].is_positive is True


remark(
    "smooth/beyond.eq8.cube",
    says="for a linear loss, the step along the signs is the solution of (8) if the largest entry of the perturbation "
    "is bounded instead of its Euclidean norm",
    proof=largest_in_a_cube,
    note="for each entry, the loss of gain |g| - g e is linear in e and is 0 where e is the sign of g",
)


def least_gain(power: int = 2) -> bool:
    """|g|_1 >= |g|_2 by induction over the entries: a further size s adds 2 |g|_1 s + s^2 to the one, s^2 to the other.

    With one entry both are its size; with d entries of one size they are d s and sqrt(d) s.
    """
    total, s = sympy.symbols("total s", nonnegative=True)
    more = sympy.expand((total + s) ** power - total**power - s**2)
    alike = vanishes(d * s / (sqrt(d) * sqrt(d * s**2)) - 1)
    return more.is_nonnegative is True and more.subs(total, 0) == 0 and alike


remark(
    "smooth/beyond.eq8.least",
    says="for a linear loss with the gradient g, the step along the signs gains the fraction |g|_1/(sqrt(d) |g|_2) of "
    "the largest gain. It is at least 1/sqrt(d), for a gradient with one non-zero entry, and 1 if all entries have "
    "one absolute value",
    proof=least_gain,
    assumptions="the step has the same absolute value in each entry",
    note=f"for {PIXELS} inputs the smallest fraction is {PIXELS**-0.5:.3f}. The accuracy under such steps is "
    "therefore no bound of the accuracy under (8)",
)
