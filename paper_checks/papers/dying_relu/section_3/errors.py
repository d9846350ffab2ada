"""Section 3, after (12): errors and gradients of one sample for both targets."""

import sympy

from paper_checks import Always, Form, claim, common, grid, unchecked, wrong
from paper_checks.papers.dying_relu.signs import positive
from theory import Formula, Source
from theory.relu_unit import axis
from theory.symbols import real


def same_sign_at_a_point(target=lambda y: sympy.Max(0, y)) -> bool:
    """Whether both errors are identical for y >= 0; and for y < 0 positive if the unit is active, not negative if not.

    With z the pre-activation and y = Lambda.x the errors are max(0, z) - y and max(0, z) - max(0, y); the gradient of a
    sample is its error times (x, 1), or 0 where the unit is not active, z <= 0.
    """
    z, size = sympy.symbols("z y", positive=True)
    same = all((out - y) - (out - target(y)) == 0 for out in (z, sympy.Integer(0)) for y in (size, sympy.Integer(0)))
    inactive = positive(0 + size) and (0 - target(-size)).is_nonnegative
    return bool(same and positive(z + size) and positive(z - target(-size)) and inactive)


after_12 = common(at="section 3, after (12)", form=Form.OURS)

after_12(
    "relu/text.same-sign",
    says="at any point the gradients for both targets are equal or have the same sign; so are the errors "
    "where the unit is active or the target is not negative. Nowhere do the errors have opposite signs",
    proof=same_sign_at_a_point,
    assumptions="a point is one sample x with parameters w and b",
    note="this is the correct form of relu/text.same-sign.inactive. Expected gradients need not have the same sign: "
    "relu/beyond.same-sign-expected",
)

z, y = real("z"), real("y")

after_12(
    "relu/text.same-sign.inactive",
    says="at any point the errors for both targets, and the gradients, are identical or have the same sign",
    printed=Formula(
        "difference of the signs of both errors",
        sympy.sign(sympy.Max(0, z) - y) - sympy.sign(sympy.Max(0, z) - sympy.Max(0, y)),
        [z, y],
        source=Source("relu", "section 3"),
        lhs=r"\operatorname{sgn} \varepsilon_{\mathrm{linear}} - \operatorname{sgn} \varepsilon_{\mathrm{ReLU}}",
        symbols={"z": "w.x + b", "y": "Lambda.x"},
    ),
    relation=Always("both errors have the same sign, so that the difference is 0", lambda value: value == 0),
    points=grid(z=["3/10", "-3/10"], y=["1/2", "-1/2"]),
    expects=wrong("general", correct="relu/text.same-sign"),
    quote="the error and the gradient is either identical or has the same sign evaluated at any point",
    note="z is w.x + b and y is Lambda.x. If the unit is inactive (z < 0) and the target is negative, the error for "
    "Lambda.x is -y > 0, and the error for max(0, Lambda.x) is 0. They are neither identical nor of the same sign. "
    "The half on gradients is correct at any point, because both gradients are 0 there. The sentence summarises (11) "
    "and (12), whose conditions our copy has lost, but it has no condition itself: it says 'at any point'. It is "
    "correct if it means only that the signs are never opposite",
)

claim(
    "relu/text.reasonable",
    at="section 3, after (12); section 5, first paragraph",
    says="replacing max(0, Lambda.x) by Lambda.x is a reasonable approximation of the gradients, which share "
    "similarities",
    expects=unchecked(
        "the sentence is a judgement: neither 'reasonable' nor 'similarities' has a measure, so no number would settle "
        "it. For w along Lambda and b <= 0 no expected gradient changes (relu/beyond.exact-when-aligned). At w_L = "
        "0.1, b = 0.3, gamma = 1 the expected bias gradients have opposite signs: "
        f"{axis.bias_gradient(0.1, 0.3, 1):.4f} for Lambda.x and {axis.relu_target_bias_gradient(0.1, 0.3, 1):.4f} for "
        "max(0, Lambda.x) (relu/beyond.same-sign-expected). In the linear cone, descent on max(0, Lambda.x) goes to "
        "(Lambda/2, gamma phi(0)) and not to (Lambda, 0): relu/beyond.affine-fit"
    ),
    quote="This is still a reasonable approximation",
)
