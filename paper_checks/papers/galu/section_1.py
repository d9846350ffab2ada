"""Section 1: ReLU and GaLU neurons, equation (1), what they can express, the gradient of a gate."""

from collections.abc import Callable
from fractions import Fraction

import numpy as np
import sympy

from montecarlo import mean
from montecarlo.kernels.galu import neurons as kernels
from paper_checks import Defines, Form, additional, claim, common, concluded, grid, wrong
from paper_checks.papers.galu.networks import NETWORKS, fixed, fractions, galu, relu
from theory import Formula, Source, galu as theory
from theory.galu.neurons import z_u, z_w


def reading(function):
    """A NumPy reading of a neuron as a function of x.w and x.u, for two inputs uniform on (-1, 1)."""

    def neuron(draws, w_1, w_2, u_1, u_2):
        x_1, x_2 = (2 * draw - 1 for draw in draws(0))
        return function(x_1 * w_1 + x_2 * w_2, x_1 * u_1 + x_2 * u_2)

    return neuron


sampled = common(points=[{"w_1": "3/5", "w_2": "-7/10", "u_1": "1/2", "u_2": "9/10"}])

sampled(
    "galu/intro.relu",
    at="section 1, first display",
    says="a ReLU neuron is max{x.w, 0}",
    relation=Defines(reading(lambda w, _: np.maximum(w, 0))),
    measured=mean(kernels.neurons, 0),
    slips={"absolute value": reading(lambda w, _: np.abs(w)), "of x.u": reading(lambda _, u: np.maximum(u, 0))},
)

claim(
    "galu/intro.relu.indicator",
    at="section 1, first display",
    says="a ReLU neuron is x.w times the indicator of x.w. The indicator has no inequality; we interpret it as 1 where "
    "x.w is not 0",
    quote="(\\boldsymbol{1}_{\\boldsymbol{x}^{\\top}\\boldsymbol{w}}) \\cdot (\\boldsymbol{x}^{\\top}\\boldsymbol{w})",
    printed=Formula(
        "x.w times the indicator of x.w other than 0",
        z_w,
        [z_w],
        source=Source("galu", "section 1, first display"),
        lhs="f_w(x)",
    ),
    corrected=theory.relu,
    form=Form.OURS,
    points=grid(z_w=["-1/2", "3/2"]),
    integral=lambda z_w: (z_w + abs(z_w)) / 2,
    scale=(lambda z_w: abs(z_w), "|x.w|"),
    expects=wrong("misprint", copy=True),
    note="the display lacks the condition '> 0', which eq. (1) has. For x.w = -1/2 the display gives -1/2, whereas "
    "max{x.w, 0} is 0. With the condition the formula is correct: galu/relu-identity",
)

sampled(
    "galu/eq1",
    at="eq. (1)",
    says="a 0-1 GaLU neuron is x.w where x.u > 0, and 0 elsewhere",
    relation=Defines(reading(lambda w, u: np.where(u > 0, w, 0.0))),
    measured=mean(kernels.neurons, 1),
    slips={
        "rectified": reading(lambda w, u: np.where(u > 0, np.maximum(w, 0), 0.0)),
        "gate and linear unit exchanged": reading(lambda w, u: np.where(w > 0, u, 0.0)),
    },
)


def identity_by_cases(neuron: sympy.Expr = theory.neuron.expr) -> bool:
    """Whether g_{w,w} is max{x.w, 0} for x.w above, at and below zero."""
    t = sympy.Symbol("t", positive=True)
    return all((neuron.subs(z_u, z_w) - theory.relu.expr).subs(z_w, v) == 0 for v in (t, sympy.Integer(0), -t))


sampled(
    "galu/relu-identity",
    at="section 1, first display and after eq. (1)",
    says="f_w = g_{w,w}: max{x.w, 0} is x.w times the indicator of x.w > 0",
    relation=Defines(reading(lambda w, _: np.maximum(w, 0))),
    proof=identity_by_cases,
    measured=mean(kernels.neurons, 2),
    slips={
        "indicator of x.w other than 0": reading(lambda w, _: np.where(w != 0, w, 0.0)),
        "g_{w,u}": reading(lambda w, u: np.where(u > 0, w, 0.0)),
    },
    note="the first display of our copy lacks '> 0': galu/intro.relu.indicator. At x.w = 0 both sides are 0, so the "
    "condition x.w >= 0 is correct as well",
)


def gate_is_constant_off_the_edge(neuron: sympy.Expr = theory.neuron.expr) -> bool:
    """The neuron does not change with x.u on either side of 0, where it jumps by x.w.

    So on the edge it has no gradient, unless x.w is 0: then it is 0 for all u, and so is its gradient.
    """
    t = sympy.Symbol("t", positive=True)
    slopes = [sympy.diff(neuron.subs(z_u, side * t), t) for side in (1, -1)]
    return slopes == [0, 0] and neuron.subs(z_u, t) - neuron.subs(z_u, -t) == z_w and neuron.subs(z_w, 0) == 0


def on_the_edge(_context):
    """Difference quotients along x at x.u = 0, where x.w = 1, in exact arithmetic; beside them x.u = 2."""
    x, w = [Fraction(1), Fraction(1)], [Fraction(1), Fraction(0)]
    steps = [Fraction(1, 10**n) for n in (1, 3, 6)]

    def quotients(u):
        return [(galu(x, w, [a + t * b for a, b in zip(u, x, strict=True)]) - galu(x, w, u)) / t for t in steps]

    edge, inside = quotients([Fraction(1), Fraction(-1)]), quotients([Fraction(1), Fraction(1)])
    says = (
        f"x = (1, 1), w = (1, 0), u = (1, -1): difference quotients along x for steps of {', '.join(map(str, steps))} "
        f"are {', '.join(map(str, edge))}; for u = (1, 1) they are {', '.join(map(str, inside))}"
    )
    grows = edge == sorted(edge) and edge[-1] > 10**5
    return concluded(not grows, says, {"off the edge": not any(inside)})


claim(
    "galu/intro.gradient",
    at="section 1, after eq. (1)",
    says="the gradient of a 0-1 GaLU neuron with respect to u is always zero",
    quote="(since $\\nabla_u g_{w,u}(x)$ is always zero)",
    experiment=on_the_edge,
    expects=wrong("points", correct="galu/intro.gradient.off-edge"),
    note="at x.u = 0 the neuron jumps by x.w. It has no gradient there unless x.w is 0. Everywhere else the gradient "
    "is zero (galu/intro.gradient.off-edge), so the paper's conclusion is correct: gradients cannot train u",
)

claim(
    "galu/intro.gradient.off-edge",
    at="section 1, after eq. (1)",
    says="the gradient of a 0-1 GaLU neuron with respect to u is zero wherever it exists: for x.u other than 0, and "
    "for x.w = 0",
    proof=gate_is_constant_off_the_edge,
    note="for inputs with a density, x.u = 0 has probability zero. The paper says 'always': galu/intro.gradient",
)


def relu_networks_are_galu_networks(_context):
    """sum_j a_j f_{w_j} = sum_j a_j g_{w_j,w_j}, exactly; not with other gates."""
    rng = fixed(1)
    good, other = True, False
    for _ in range(NETWORKS):
        d, k = (int(v) for v in rng.integers(1, 5, 2))
        x, w, a, u = fractions(rng, d), fractions(rng, k, d), fractions(rng, k), fractions(rng, k, d)
        target = sum(a[j] * relu(x, w[j]) for j in range(k))
        good &= sum(a[j] * galu(x, w[j], w[j]) for j in range(k)) == target
        other |= sum(a[j] * galu(x, w[j], u[j]) for j in range(k)) != target
    return concluded(good, f"exact for {NETWORKS} rational networks of 1 to 4 neurons", {"other gates": other})


claim(
    "galu/intro.expressive",
    at="section 1, after eq. (1)",
    says="GaLU networks whose gates can be chosen are at least as expressive as ReLU networks. With u_j = w_j the two "
    "are the same network",
    proof=identity_by_cases,
    experiment=relu_networks_are_galu_networks,
    assumptions="the filters u_j are chosen together with the weights w_j, as in eq. (1)",
    note="the identity holds for each neuron, hence for networks of any size. It does not hold for filters that are "
    "fixed in advance, as they are everywhere after section 1: galu/beyond.fixed-filters",
)


def fixed_filters_are_not_enough(neuron: sympy.Expr = theory.neuron.expr) -> bool:
    """x = -1 and u = 1 in R^1: a GaLU neuron is 0 for every w, the ReLU neuron of weight -1 is 1.

    In a GaLU0 network the gates of layer 2 see x^(0): with u = 1 they are closed for x = -1, whatever layer 1 gives.
    """
    first_layer = neuron.subs(z_u, -1).subs(z_w, sympy.Symbol("hidden", real=True)) == 0
    return first_layer and theory.relu.expr.subs(z_w, 1) == 1


additional(
    "galu/beyond.fixed-filters",
    at="additional to section 1, after eq. (1)",
    says="a GaLU network with fixed filters cannot represent every ReLU network of its size. In R^1 with all filters "
    "equal to 1, a GaLU network and a GaLU0 network of any depth are 0 at x = -1 for all weights. The ReLU neuron "
    "max{-x, 0} is 1 there",
    proof=fixed_filters_are_not_enough,
    note="galu/intro.expressive is about filters that can be chosen. The networks of sections 3 to 5 have random "
    "filters that stay fixed, so they do not contain f_w = g_{w,w}. Gates in later layers of GaLU0 depend on the "
    "input of the network; a ReLU neuron in the same layer depends on the output of the layer before",
)


def galu_is_strictly_larger(neuron: sympy.Expr = theory.neuron.expr) -> bool:
    """ReLU neurons are GaLU neurons. In R^2 and beyond some of these jump, ReLU networks never do; in R^1 none does.

    On the line through (0, 1) along the first axis, u = (1, 0) and w = (0, 1): 0 on the left and 1 on the right. In
    R^1, x u > 0 says that x has the sign of u, so that the neuron is w sign(u) max{sign(u) x, 0}.
    """
    t = sympy.Symbol("t", positive=True)
    jump = neuron.subs({z_u: t, z_w: 1}) - neuron.subs({z_u: -t, z_w: 1})
    w, size = sympy.Symbol("w", real=True), sympy.Symbol("u", positive=True)
    line = all(
        neuron.subs({z_u: x * u, z_w: x * w})
        - w * sympy.sign(u) * theory.relu.expr.subs(z_w, sympy.sign(u) * x) == 0
        for x in (t, -t, 0) for u in (size, -size, 0)
    )  # fmt: skip
    return identity_by_cases(neuron) and jump == 1 and line


additional(
    "galu/beyond.strictly-more",
    at="additional to sections 1 and 4.1.1",
    says="for two or more inputs ReLU networks are strictly less expressive: the output of a ReLU network is "
    "continuous, that of a GaLU neuron is not. For one input the two are the same up to the sign of the readout",
    proof=galu_is_strictly_larger,
)


def layers_compose_to_a_linear_map(layer: Callable = lambda matrix, v: matrix * v) -> bool:
    """f(s x + t y) - s f(x) - t f(y) for two layers of any sizes; a further layer is a first one for the last."""
    d, k, outputs = sympy.symbols("d k outputs", integer=True, positive=True)
    first, second = sympy.MatrixSymbol("A", k, d), sympy.MatrixSymbol("B", outputs, k)
    x, y = (sympy.MatrixSymbol(name, d, 1) for name in "xy")
    s, t = sympy.symbols("s t", real=True)

    def network(v):
        return layer(second, layer(first, v))

    return (network(s * x + t * y) - s * network(x) - t * network(y)).expand().doit() == sympy.ZeroMatrix(outputs, 1)


claim(
    "galu/intro.linear-only",
    at="section 1.1, second paragraph",
    says="linear networks can express linear functions only, whatever their depth",
    quote="linear networks can only express linear functions",
    proof=layers_compose_to_a_linear_map,
)
