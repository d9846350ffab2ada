"""Sections 4 and 5: SReLU, its derivatives by x and by its parameters, where its pieces overlap, its start."""

from __future__ import annotations

import sympy
from sympy import Expr, Piecewise

from paper_checks import Kind, Status, claim, concluded, wrong
from paper_checks.papers.nerva.pieces import LEFT, RIGHT, derivative, orders, piece, same_pieces
from theory import Formula, Source, activations
from theory.activations.piecewise import SRELU, a_l, a_r, alpha, t_l, t_r, x

ORDERS = orders(x, t_l, t_r)
OVERLAP = "with t_l >= t_r the first alternative that applies is taken, as section 5 says"

claim(
    "nerva/sec5.srelu-derivative",
    at="section 5, table",
    says="the derivative of SReLU is a_l up to t_l, 1 between t_l and t_r, a_r from t_r on, for any order of t_l and "
    "t_r; at t_l the slope on the left, at t_r on the right",
    **derivative(
        activations.srelu, x, ORDERS, printed=activations.srelu_slope,
        slips={
            "the third alternative first": Piecewise((a_r, x >= t_r), (a_l, x <= t_l), (1, True)),
            "a_l and a_r exchanged": activations.srelu_slope.expr.xreplace({a_l: a_r, a_r: a_l}),
            "1 at t_r": Piecewise((a_l, x <= t_l), (1, x <= t_r), (a_r, True)),
        },
        side=lambda cell: LEFT if cell[x] == cell[t_l] else RIGHT,
    ),
    assumptions=OVERLAP,
)  # fmt: skip

AT = "section 4, SReLU layer"

claim(
    "nerva/sec4.srelu.A-l",
    at=AT,
    says="A^l, the derivative by a_l, is x - t_l up to t_l and 0 above",
    **derivative(
        activations.srelu, a_l, ORDERS, printed=activations.srelu_by_a_l,
        slips={"below t_r": Piecewise((x - t_l, x <= t_r), (0, True)), "x": Piecewise((x, x <= t_l), (0, True))},
    ),
    assumptions=OVERLAP,
)  # fmt: skip

claim(
    "nerva/sec4.srelu.A-r",
    at=AT,
    says="A^r, the derivative by a_r, is 0 where x <= t_l or x < t_r, and x - t_r elsewhere",
    **derivative(
        activations.srelu, a_r, ORDERS, printed=activations.srelu_by_a_r,
        slips={"only x < t_r looked at": Piecewise((0, x < t_r), (x - t_r, True))},
    ),
    assumptions=OVERLAP,
)  # fmt: skip

claim(
    "nerva/sec4.srelu.T-l",
    at=AT,
    says="T^l, the derivative by t_l, is 1 - a_l up to t_l and 0 above; at t_l = x the slope for larger t_l, and what "
    "the jump does there is left out",
    **derivative(
        activations.srelu, t_l, ORDERS, printed=activations.srelu_by_t_l,
        slips={
            "-a_l": Piecewise((-a_l, x <= t_l), (0, True)), "1": Piecewise((1, x <= t_l), (0, True)),
            "0 at t_l": Piecewise((1 - a_l, x < t_l), (0, True)),
        },
        side=lambda _: RIGHT,
    ),
    assumptions=OVERLAP,
)  # fmt: skip

claim(
    "nerva/sec4.srelu.T-r",
    at=AT,
    expects=wrong("general"),
    says="T^r, the derivative by t_r, is 1 - a_r wherever x >= t_r; but with t_r <= x <= t_l the first piece applies, "
    "which knows no t_r: it is 0 there",
    **derivative(
        activations.srelu, t_r, ORDERS,
        printed=Formula("T^r as printed", Piecewise((1 - a_r, x >= t_r), (0, True)), SRELU,
                        source=Source("nerva", "section 4")),
        corrected=activations.srelu_by_t_r,
        slips={"the guard of T^l": Piecewise((1 - a_r, x > t_l), (0, True))},
    ),
    assumptions=OVERLAP,
    note="right for t_l < t_r. A^r, printed above it, has the second condition. With t_l = 1, t_r = 0, a_l = a_r = 0, "
    "x = 1/2 SReLU is 1 whatever t_r in (0, 1/2) is, and T^r = 1. The parameters are learnt, so that their order "
    "may change",
)  # fmt: skip


def jumps_by(srelu: sympy.Expr = activations.srelu.expr) -> bool:
    """At t_l the first piece applies, and right of it the third where t_l > t_r: their values at t_l.

    Where t_l < t_r the second applies there, without a jump.
    """

    def jump(right: int, at: int, third: int) -> Expr:
        here, beside = (piece(srelu, {x: v, t_l: at, t_r: third}).subs(x, t_l) for v in (at, right))
        return sympy.expand(beside - here)

    return jump(3, 2, 1) == sympy.expand((t_l - t_r) * (a_r - 1)) and jump(3, 2, 4) == 0


claim(
    "nerva/sec5.srelu-jump",
    at="section 5, below the table",
    says="where the cases overlap, t_l > t_r, SReLU with the first alternative jumps at t_l by (t_l - t_r)(a_r - 1)",
    proof=jumps_by,
    kind=Kind.ADDITIONAL,
    note="no gradient sees the jump, so that t_l and t_r are not led past it",
)

HALF = sympy.Rational(1, 2)
START = {a_l: 0, t_l: 0, a_r: 0, t_r: 1}
LINE = [{x: v * HALF} for v in (-1, 0, 1, 2, 3)]


def at_start(**changed):
    values = {**START, **{s: changed[str(s)] for s in START if str(s) in changed}}
    return activations.srelu.expr.subs(values)


def start_against_relu(_context):
    """Piece by piece on (-oo, 0), 0, (0, 1), 1, (1, oo)."""
    clip = sympy.Min(sympy.Max(x, 0), 1)
    differ = same_pieces(at_start(), activations.relu.expr, LINE)
    if same_pieces(at_start(), clip, LINE) or differ != LINE[-1:]:
        return concluded(Status.INCONCLUSIVE, "SReLU at its start is not min(max(x, 0), 1)")
    says = "at a_l, t_l, a_r, t_r = 0, 0, 0, 1 SReLU is min(max(x, 0), 1): 1 at x = 3/2, where ReLU is 3/2"
    wrong = {"a_r = 1 and a_l = 1": {"a_l": 1}, "a_r = 1 and t_l = -1": {"t_l": -1}, "a_r = 1/2": {"a_r": HALF}}
    slips = {k: bool(same_pieces(at_start(**{"a_r": 1, **v}), activations.relu.expr, LINE)) for k, v in wrong.items()}
    return concluded(Status.REFUTED, says, slips)


claim(
    "nerva/sec5.srelu-start",
    at="section 5, last paragraph",
    expects=wrong("algebra"),
    says="with a_l, t_l, a_r, t_r = 0, 0, 0, 1 SReLU is the ReLU function; it is ReLU up to 1 and constant above; ReLU "
    "itself is a_r = 1",
    quote="This corresponds to the ReLU function.",
    printed=Formula(
        "SReLU at the printed start", sympy.Min(sympy.Max(x, 0), 1), [x], source=Source("nerva", "section 5")
    ),
    corrected=activations.relu,
    proof=lambda: same_pieces(at_start(a_r=1), activations.relu.expr, LINE) == [],
    experiment=start_against_relu,
    note="inputs above 1 have no gradient at this start: for N(0, 1) the share that has one is 0.34 and not 0.5",
)


def alpha_of_srelu(_context):
    """The parameters of both by their formulas."""
    of = {name: set(getattr(activations, name).arguments) - {x} for name in ("all_relu", "srelu")}
    if alpha not in of["all_relu"]:
        return concluded(Status.INCONCLUSIVE, "All-ReLU has no alpha either")
    says = f"parameters of All-ReLU: alpha; of SReLU: {', '.join(sorted(map(str, of['srelu'])))}"
    return concluded(Status.CONFIRMED if alpha in of["srelu"] else Status.REFUTED, says)


claim(
    "nerva/sec5.srelu-alpha",
    at="section 5, below the table",
    expects=wrong("misprint"),
    says="SReLU layers have a parameter alpha whose sign alternates; they have none: four parameters, by the sentence "
    "before the last",
    quote="For All-ReLU and SReLU layers the sign of the parameter",
    experiment=alpha_of_srelu,
    note="Leaky ReLU has one. The example that follows is about All-ReLU",
)

layer = sympy.Symbol("layer", integer=True, positive=True)


def alternates(sign: Expr = (-1) ** (layer - 1)) -> bool:
    """(-1)^(l-1) alpha is -alpha, alpha, -alpha in the layers 2, 3, 4, and changes sign from each layer to the next."""
    first = [sign.subs(layer, v) for v in (2, 3, 4)]
    return first == [-1, 1, -1] and sympy.simplify(sign.subs(layer, layer + 1) / sign) == -1


claim(
    "nerva/sec5.alternation",
    at="section 5, below the table",
    says="the parameters -alpha, alpha, -alpha, ... of the layers 2, 3, 4, ... alternate: layer l has (-1)^(l-1) alpha",
    proof=alternates,
)
