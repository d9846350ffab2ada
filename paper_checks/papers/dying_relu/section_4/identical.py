"""Section 4, first paragraph: where the ReLU and the affine model are identical, in their outputs and gradients."""

import sympy

from paper_checks import Always, Form, additional, claim, common, grid, wrong
from paper_checks.evidence.symbolic import vanishes
from paper_checks.papers.dying_relu.truncated_moments import moments_above
from theory import Formula, Source
from theory.numerics.normal_tails import Phi, phi
from theory.relu_unit import linear_target

b, s, p, gamma = linear_target.b, linear_target.s, linear_target.p, linear_target.gamma
# In the linear cone of eps = 1e-3, b/||w|| = 3.2, 4 and 8, with Lambda along w and beside it.
IN_THE_CONE = [*grid(s=1, b=["16/5", 4, 8], p=["1/2", "1/4"], gamma="1/2")]


z = sympy.Symbol("z", positive=True)

claim(
    "relu/text.identical-outputs",
    at="section 4, first paragraph",
    says="for every input that the affine model maps to a positive value, the ReLU model has the same output",
    proof=lambda: sympy.Max(0, z) == z and sympy.Max(0, -z) != -z,
    quote="it is identical to the ReLU model in Eq. (9) for all inputs that map to positive values",
    form=Form.OURS,
)

# ReLU model less affine model: along w, of the bias, and across w, where Lambda has the rest of its length.
DIFFERENCES = (
    linear_target.weight_gradient_along.expr - (s - p),
    linear_target.bias_gradient_form.expr - b,
    sympy.sqrt(gamma**2 - p**2) * (1 - Phi(b / s)),
)
distance = Formula(
    "norm of the difference of the expected gradients of both models, with s = ||w|| and p = w.Lambda/||w||",
    sympy.sqrt(sum(d**2 for d in DIFFERENCES)),
    [b, s, p, gamma],
    source=Source("relu", "section 4"),
    lhs=r"\left\lVert \nabla \mathcal{L} - \nabla \mathcal{L}_{\mathrm{affine}} \right\rVert",
)


def gradients_differ() -> bool:
    """Whether the gradients of both models are equal at the optimum (Lambda, 0) alone, for w other than 0.

    Across w the difference is (1 - Phi) t, so that t = 0 and p = +-gamma. The others are linear in (s, p) at
    b = kappa s, and their determinant is kappa (1 - Phi)^2 V with V the variance of u given u < -kappa, which is
    positive (:func:`moments_above`). So kappa = 0, and then s = p, which is gamma as s > 0.
    """
    kappa = sympy.Symbol("kappa", real=True)
    along, bias, _ = (sympy.expand(d.subs(b, kappa * s)) for d in DIFFERENCES)
    system = sympy.Matrix([[sympy.diff(d, v) for v in (s, p)] for d in (along, bias)])
    linear = all(vanishes(r.rewrite(sympy.exp)) for r in sympy.Matrix([along, bias]) - system * sympy.Matrix([s, p]))
    # Of u given u < -kappa, by moments_above for -kappa.
    tail, h = Phi(-kappa), phi(kappa) / Phi(-kappa)
    determinant = system.det() - kappa * tail**2 * (1 - h * (h - kappa))
    at_zero = [sympy.expand(d.subs(kappa, 0)) for d in (along, bias)]
    only_there = sympy.solve(at_zero[0], s) == [p] and vanishes(at_zero[1].subs(s, p))
    return moments_above() and linear and vanishes(determinant.rewrite(sympy.exp)) and only_there


remark = common(printed=distance, points=IN_THE_CONE)

remark(
    "relu/text.identical-regions",
    at="section 4, first paragraph",
    says="for the expected gradients of normal inputs, the parameters of both models evolve identically in "
    "certain regions of the parameter space",
    form=Form.OURS,
    relation=Always("identical gradients in the linear cone, so that their difference is 0", lambda value: value == 0),
    expects=wrong(
        "general", correct="relu/beyond.identical-nowhere relu/text.linear-cone.bias relu/text.linear-cone.weight"
    ),
    quote="we will show that the parameter evolution is identical in certain regions of the parameter space",
    note="for normal inputs the gradients are equal only at the optimum and on the ray w = 0, b > 0, which is left at "
    "once. The value is the length of their difference; s = ||w||, p = w.Lambda/s. Section 5, which this sentence "
    "announces, says 'approximately identical': relu/text.linear-cone.bias, relu/text.linear-cone.weight. On finite "
    "training data the evolution is identical while all inputs activate the unit: relu/beyond.identical-on-data",
)

remark.additional(
    "relu/beyond.identical-nowhere",
    at="additional to section 4",
    says="the expected gradients of the ReLU model and of the affine model differ wherever w is not 0, except "
    "at the optimum w = Lambda, b = 0",
    relation=Always("they differ", lambda value: value > 0),
    proof=gradients_differ,
    assumptions="x ~ N(0, I), target Lambda.x",
    note="this is the correct form of relu/text.identical-regions",
)


def identical_on_data() -> bool:
    """Whether errors, and hence gradients, of both models are equal for an input with z > 0; not for z < 0.

    An error times (x, 1) is the gradient of a sample, and that over the data is the mean of these.
    """
    y = sympy.Symbol("y", real=True)
    slope = sympy.diff(sympy.Max(0, z), z)
    return slope == 1 and (sympy.Max(0, z) - y) * slope == z - y and sympy.Max(0, -z) - y != -z - y


additional(
    "relu/beyond.identical-on-data",
    at="additional to section 4, first paragraph",
    says="on finite training data with the same targets, the gradients of both models are equal while every "
    "input activates the unit",
    proof=identical_on_data,
)
