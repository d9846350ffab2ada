"""Sections 5.1 and 6 in floating point: softmax functions and losses, judged as in the module on section 5."""

from __future__ import annotations

import numpy as np

from paper_checks import Kind, claim
from paper_checks.papers.nerva import float_forms as forms
from paper_checks.papers.nerva.float_forms import KINDS, evaluated
from paper_checks.papers.nerva.section_6.numerics import found
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
    says = f"within |z| + {SOME} units; of 600 (80) more than 100 (20) are lost"
    holds = within and most[np.float64] > 100 and most[np.float32] > 20
    return found(holds, says, {f"{SOME} units, as theory.activations.softmax": max(r[3] for r in rows) <= SOME})


claim(
    "nerva/numerics.stable-softmax",
    at="beyond section 5.1",
    says="stable-softmax keeps |z| + 16 units of rounding, z = x - max(x), and no more: the rounding of z is an error "
    "of e^z relative to it, so that an entry 600 below the largest loses hundreds of units",
    experiment=stable_softmax_loses,
    note="what rounding takes from z can be put back: theory.activations.softmax keeps 8 units",
    kind=Kind.ADDITIONAL,
)


def softmax_fails(_context):
    ok = all(
        np.isnan(evaluated(forms.softmax, np.array([top, 0.0], dtype=kind))).any()
        and np.isnan(evaluated(forms.softmax, np.array([low, low], dtype=kind))).all()
        and np.isneginf(evaluated(forms.log_softmax, np.array([top, 0.0], dtype=kind))).all()
        for kind, top, low in ((np.float64, 709.79, -745.2), (np.float32, 88.73, -104.0))
    )
    stable = all(
        np.isfinite(evaluated(form, np.array(x))).all()
        for form in (forms.stable_softmax, forms.stable_log_softmax)
        for x in ([709.79, 0.0], [-745.2, -745.2], [1e300, 1e300])
    )
    says = "(709.79, 0): no number and -oo; (-745.2, -745.2): 0/0; in float32 from 88.73 and -104"
    return found(ok, says, {"the stable forms": stable})


claim(
    "nerva/numerics.softmax",
    at="beyond section 5.1",
    says="softmax without its stable form is no number when an entry exceeds 709.78 (88.72) or all are below -745.13 "
    "(-103.97), log-softmax is -oo then",
    experiment=softmax_fails,
    kind=Kind.ADDITIONAL,
)


def log_softmax_loses(_context):
    lost = all(evaluated(forms.stable_log_softmax, np.array([0.0, -GAP[kind]], dtype=kind))[0] == 0 for kind in KINDS)
    literal = np.isneginf(evaluated(forms.log_of_softmax, np.array([0.0, -746.0])))[1]
    own = activations.log_softmax([0.0, -38.0])[0] < -3e-17 and activations.log_softmax([0.0, -746.0])[1] == -746.0
    says = "(0, -38): first entry 0 for -3.1e-17; log(softmax(0, -746)) = (0, -oo)"
    return found(lost and bool(literal), says, {"theory.activations.log_softmax": bool(own)})


claim(
    "nerva/numerics.log-softmax",
    at="beyond section 5.1",
    says="stable-log-softmax gives 0 for the largest entry when the others are 38 (18) below, where it should be "
    "-3e-17: its relative precision is lost; log(softmax(x)), the definition, is -oo for an entry 746 below",
    experiment=log_softmax_loses,
    kind=Kind.ADDITIONAL,
)


def losses_fail(_context):
    """Outputs (0, -800) through softmax: (1, 0)."""
    scores = np.array([0.0, -800.0])
    y, right, wrong = evaluated(forms.stable_softmax, scores), np.array([1.0, 0.0]), np.array([0.0, 1.0])
    cross = evaluated(lambda v: -(right * np.log(v)).sum(), y)
    likelihood = evaluated(lambda v: -np.log(v @ wrong), y)
    own = [activations.softmax_cross_entropy(scores, t) for t in (right, wrong)]
    shown = "no number" if np.isnan(cross) else str(cross)
    says = f"cross-entropy of (1, 0) with target (1, 0): {shown}; negative log-likelihood with (0, 1): {likelihood}"
    return found(bool(np.isnan(cross)) and likelihood == np.inf, says, {"softmax cross-entropy": own == [0.0, 800.0]})


claim(
    "nerva/numerics.losses",
    at="beyond eqs. (30) and (33)",
    says="after a softmax that rounds to 0 the cross-entropy loss is no number, 0 log 0, although the target is met, "
    "and the negative log-likelihood is infinite; the softmax cross-entropy loss has the right values 0 and 800",
    experiment=losses_fail,
    kind=Kind.ADDITIONAL,
)
