"""Sections 5.1 and 6 in floating point: softmax functions and losses, judged as in the module on section 5."""

import math

import numpy as np

from paper_checks import concluded
from paper_checks.papers.nerva import float_forms as forms
from paper_checks.papers.nerva.float_forms import KINDS, MARGIN, OVERFLOW, UNDERFLOW, both, evaluated
from paper_checks.papers.nerva.section_6.numerics import beyond
from theory import activations

SOME = 16
GAP = {np.float64: 38.0, np.float32: 18.0}


def vectors(kind: type) -> list[np.ndarray]:
    """Five entries each, the largest 600 (80) above some that have more digits than their difference to it."""
    rng = np.random.default_rng([20240909, 5])
    top = {np.float64: 600.0, np.float32: 80.0}[kind]
    places = np.array([top, 0, 0, top - 3, top / 2])
    return [(places + rng.standard_normal(5)).astype(kind) for _ in range(40)]


def stable_softmax_loses(_context):
    rows = []
    for kind in KINDS:
        for x in vectors(kind):
            exact = forms.softmax_exactly(x)[0]
            distance = np.abs(x.astype(float) - float(x.max()))
            error = forms.errors(evaluated(forms.stable_softmax, x), exact, kind)
            own = forms.errors(np.asarray(activations.softmax(x)), exact, kind)
            rows.append((kind, (error - distance).max(), error.max(), own.max()))
    within = max(r[1] for r in rows) <= SOME
    most = {kind: max(r[2] for r in rows if r[0] is kind) for kind in KINDS}
    says = f"errors of at most |z| + {SOME} units, and of more than 100 (20 in float32) for some entry"
    slips = {f"{SOME} units, which theory.activations.softmax keeps": max(r[3] for r in rows) <= SOME}
    return concluded(within and most[np.float64] > 100 and most[np.float32] > 20, says, slips)


beyond(
    "nerva/numerics.stable-softmax",
    at="additional to section 5.1",
    says=f"stable-softmax has an error of at most |z| + {SOME} units of rounding, where z = x - max(x). The rounding "
    "of z becomes a relative error of e^z. For an entry about 600 below the largest the error exceeds 100 units in "
    "float64",
    experiment=stable_softmax_loses,
    note="this error can be corrected: theory.activations.softmax corrects the rounding of z and has at most "
    f"{SOME} units",
)


def pair(form, kind: type, x: float, y: float) -> np.ndarray:
    return evaluated(form, np.array([x, y], dtype=kind))


def softmax_fails(_context):
    """Both functions outside the edges, and both inside."""
    ok = True
    for kind in KINDS:
        top, low = OVERFLOW[kind] + MARGIN, UNDERFLOW[kind] - MARGIN
        ok &= bool(np.isnan(pair(forms.softmax, kind, top, 0)).any())
        ok &= bool(np.isneginf(pair(forms.log_softmax, kind, top, 0)).all())
        ok &= bool(np.isnan(pair(forms.softmax, kind, low, low)).all())
        ok &= bool(np.isposinf(pair(forms.log_softmax, kind, low, low)).all())
        for form in (forms.softmax, forms.log_softmax):
            ok &= bool(np.isfinite(pair(form, kind, top - 2 * MARGIN, 0)).all())
            ok &= bool(np.isfinite(pair(form, kind, low + 2 * MARGIN, low + 2 * MARGIN)).all())
    stable = all(
        np.isfinite(evaluated(form, np.array(x))).all()
        for form in (forms.stable_softmax, forms.stable_log_softmax)
        for x in ([709.79, 0.0], [-745.2, -745.2], [1e300, 1e300])
    )
    says = f"tested with two entries on both sides of {both(OVERFLOW)} and of {both(UNDERFLOW)}"
    return concluded(ok, says, {"the stable forms": stable})


beyond(
    "nerva/numerics.softmax",
    at="additional to section 5.1",
    says=f"softmax, not in its stable form, is nan if an entry exceeds {both(OVERFLOW)}; log-softmax is then -oo. "
    f"softmax is also nan if all entries are below {both(UNDERFLOW)}; log-softmax is then +oo",
    experiment=softmax_fails,
)


def log_softmax_loses(_context):
    lost = all(evaluated(forms.stable_log_softmax, np.array([0.0, -GAP[kind]], dtype=kind))[0] == 0 for kind in KINDS)
    literal = np.isneginf(evaluated(forms.log_of_softmax, np.array([0.0, -746.0])))[1]
    own = activations.log_softmax([0.0, -38.0])[0] < -3e-17 and activations.log_softmax([0.0, -746.0])[1] == -746.0
    says = f"the first entry is 0 for (0, -z) with z = {both(GAP, 0)}. log(softmax((0, -746))) is (0, -oo)"
    return concluded(lost and bool(literal), says, {"theory.activations.log_softmax": bool(own)})


beyond(
    "nerva/numerics.log-softmax",
    at="additional to section 5.1",
    says=f"stable-log-softmax of (0, -z) gives 0 for the first entry at z = {both(GAP, 0)}. The correct value is "
    f"{-math.exp(-GAP[np.float64]):.1e} ({-math.exp(-GAP[np.float32]):.1e} in float32), so that all relative "
    "precision is lost. The definition log(softmax(x)) gives -oo for an entry that is 746 below the largest",
    experiment=log_softmax_loses,
)


def shown(value) -> str:
    return "not a number" if np.isnan(value) else f"{value:g}"


def losses_fail(_context):
    """Outputs (0, -800) through softmax: (1, 0)."""
    scores = np.array([0.0, -800.0])
    y, right, wrong = evaluated(forms.stable_softmax, scores), np.array([1.0, 0.0]), np.array([0.0, 1.0])
    cross = evaluated(lambda v: -(right * np.log(v)).sum(), y)
    likelihood = evaluated(lambda v: -np.log(v @ wrong), y)
    own = [activations.softmax_cross_entropy(scores, t) for t in (right, wrong)]
    says = f"cross-entropy of (1, 0) and target (1, 0): {shown(cross)}; negative log-likelihood for target (0, 1): "
    says += shown(likelihood)
    return concluded(np.isnan(cross) and likelihood == np.inf, says, {"softmax cross-entropy": own == [0.0, 800.0]})


beyond(
    "nerva/numerics.losses",
    at="additional to eqs. (30) and (33)",
    says="for outputs (0, -800) softmax is rounded to (1, 0). For the target (1, 0) the cross-entropy loss of it is "
    "then nan, because it contains 0 log 0. For the target (0, 1) the negative log-likelihood is infinite. The softmax "
    "cross-entropy loss in theory.activations has the correct values 0 and 800",
    experiment=losses_fail,
)
