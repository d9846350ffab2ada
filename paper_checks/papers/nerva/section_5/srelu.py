"""Sections 4 and 5: SReLU, its derivatives, where its cases overlap, and its initial values."""

import math
from typing import Any

import sympy
from sympy import Expr, Piecewise, Symbol

from paper_checks import Status, additional, claim, common, concluded, wrong
from paper_checks.papers.nerva.pieces import LEFT, RIGHT, derivative, orders, piece, same_pieces
from theory import Formula, Source, activations
from theory.activations.entrywise import SRELU, a_l, a_r, alpha, t_l, t_r, x
from theory.symbols import real

ORDERS = orders(x, t_l, t_r)
OVERLAP = "for t_l >= t_r the first case that applies is taken, as section 5 says"

claim(
    "nerva/sec5.srelu-derivative",
    at="section 5, table",
    says="the derivative of SReLU is a_l for x <= t_l, 1 for t_l < x < t_r and a_r for x >= t_r, in whichever order "
    "t_l and t_r are. At t_l the published value is the slope on the left, at t_r, if it is not t_l, that on the right",
    **derivative(
        activations.srelu, x, ORDERS, printed=activations.srelu_slope,
        slips={
            "the third case first": Piecewise((a_r, x >= t_r), (a_l, x <= t_l), (1, True)),
            "a_l and a_r swapped": activations.srelu_slope.expr.xreplace({a_l: a_r, a_r: a_l}),
            "1 at t_r": Piecewise((a_l, x <= t_l), (1, x <= t_r), (a_r, True)),
        },
        side=lambda cell: LEFT if cell[x] == cell[t_l] else RIGHT,
    ),
    assumptions=OVERLAP,
)  # fmt: skip

# Section 4 applies the derivatives by the parameters to the entries of Z.
z = real("Z_ij")
ENTRIES = orders(z, t_l, t_r)


def of_entry(form: Formula) -> Formula:
    """The same formula with Z_ij for x."""
    symbols = {"Z_ij": "entry of Z"}
    return Formula(form.says, form.expr.subs(x, z), [z, *SRELU[1:]], source=form.source, lhs=form.lhs, symbols=symbols)


def by_parameter(by: Symbol, printed: Formula, **fields: Any) -> dict[str, Any]:
    """Fields of a claim on a derivative by a parameter."""
    return derivative(of_entry(activations.srelu), by, ENTRIES, printed=of_entry(printed), **fields)


of_layer = common(at="section 4, SReLU layer", assumptions=OVERLAP)

of_layer(
    "nerva/sec4.srelu.A-l",
    says="A^l, the derivative of SReLU with respect to a_l, is Z_ij - t_l for Z_ij <= t_l and 0 for Z_ij > t_l",
    **by_parameter(
        a_l, activations.srelu_by_a_l,
        slips={"up to t_r": Piecewise((z - t_l, z <= t_r), (0, True)), "Z_ij": Piecewise((z, z <= t_l), (0, True))},
    ),
)  # fmt: skip

of_layer(
    "nerva/sec4.srelu.A-r",
    says="A^r, the derivative of SReLU with respect to a_r, is 0 where Z_ij <= t_l or Z_ij < t_r, and Z_ij - t_r "
    "elsewhere",
    **by_parameter(
        a_r, activations.srelu_by_a_r,
        slips={"the condition Z_ij < t_r alone": Piecewise((0, z < t_r), (z - t_r, True))},
    ),
)  # fmt: skip

of_layer(
    "nerva/sec4.srelu.T-l",
    says="T^l, the derivative of SReLU with respect to t_l, is 1 - a_l for Z_ij <= t_l and 0 for Z_ij > t_l. At t_l = "
    "Z_ij the published value is the slope for larger t_l, which does not include the jump",
    **by_parameter(
        t_l, activations.srelu_by_t_l,
        slips={
            "-a_l": Piecewise((-a_l, z <= t_l), (0, True)), "1": Piecewise((1, z <= t_l), (0, True)),
            "0 at t_l": Piecewise((1 - a_l, z < t_l), (0, True)),
        },
        side=lambda _: RIGHT,
    ),
)  # fmt: skip

PUBLISHED = Formula("published T^r", Piecewise((1 - a_r, x >= t_r), (0, True)), SRELU, lhs="T^r_{ij}",
                    source=Source("nerva", "section 4"))  # fmt: skip
LIKE_T_L = {"the condition of T^l": Piecewise((1 - a_r, z > t_l), (0, True))}

of_layer(
    "nerva/sec4.srelu.T-r",
    expects=wrong("general", correct="nerva/sec4.srelu.T-r.guarded"),
    says="T^r, the derivative of SReLU with respect to t_r, is 1 - a_r wherever Z_ij >= t_r",
    quote=r"1 - a_r & \text{if } Z_{ij} \geq t_r",
    **by_parameter(t_r, PUBLISHED, corrected=of_entry(activations.srelu_by_t_r), slips=LIKE_T_L),
    note="the published T^r is correct for t_l < t_r. For t_r <= Z_ij <= t_l the first case of SReLU applies, which "
    "does not depend on t_r. The author's C++ code of 9 September 2024 has the published T^r (nerva-rowwise, commit "
    "8ad2beb). His five Python packages and his SymPy test have the correct one (for the commits see "
    "nerva/sec4.implemented). The order of t_l and t_r may change during training, because both are learnt",
)

of_layer.additional(
    "nerva/sec4.srelu.T-r.guarded",
    says="the derivative of SReLU with respect to t_r is 0 where Z_ij <= t_l or Z_ij < t_r, and 1 - a_r elsewhere",
    **by_parameter(
        t_r, activations.srelu_by_t_r, slips=LIKE_T_L | {"the published T^r": of_entry(PUBLISHED).expr}
    ),
    note="this replaces the published T^r, see nerva/sec4.srelu.T-r",
)  # fmt: skip


def numbers_for_functions(_context):
    """What stands first in apply in the four lines, and what Table 1 has there."""
    numbers = [str(symbol) for symbol in (a_l, a_r, t_l, t_r) if symbol.is_real]
    meant = sympy.Lambda((x, t_l), activations.srelu_by_a_l.expr)
    says = f"{', '.join(numbers)} are numbers in the notations of section 4, but apply(f, X) needs a function f: R -> R"
    return concluded(not numbers, says, {"A^l as a function": not meant.is_real})


claim(
    "nerva/sec4.srelu.apply",
    at="section 4, SReLU layer, code",
    says="in A_l = apply(a_l, Z), which is code, the first argument of apply is a function from R to R. The same holds "
    "for A_r, T_l and T_r",
    quote=r"A_l = \text{apply}(a_l, Z)",
    expects=wrong("misprint", correct="nerva/sec4.srelu.A-l nerva/srelu.parameters.code"),
    experiment=numbers_for_functions,
    note="the author's LaTeX has this line as code: Al = apply(al, Z). There al is the number a_l, whose gradient is "
    "Dal in the same block. In the author's five Python packages al is the number as well, and Al the function. With "
    "the function that is x - t_l for x <= t_l and 0 elsewhere in place of a_l the line is correct: "
    "nerva/sec4.srelu.A-l",
)


def jumps_by(srelu: sympy.Expr = activations.srelu.expr) -> bool:
    """At t_l the first piece applies, and right of it the third where t_l > t_r: their values at t_l.

    Where t_l < t_r the second applies there, without a jump.
    """

    def jump(right: int, at: int, third: int) -> Expr:
        here, beside = (piece(srelu, {x: v, t_l: at, t_r: third}).subs(x, t_l) for v in (at, right))
        return sympy.expand(beside - here)

    return jump(3, 2, 1) == sympy.expand((t_l - t_r) * (a_r - 1)) and jump(3, 2, 4) == 0


additional(
    "nerva/sec5.srelu-jump",
    at="additional to section 5",
    says="if t_l > t_r and the first case that applies is taken, SReLU jumps at t_l by (t_l - t_r)(a_r - 1)",
    proof=jumps_by,
    note="the derivatives with respect to t_l and t_r do not include the jump: nerva/sec4.srelu.T-l",
)

HALF = sympy.Rational(1, 2)
START = {a_l: 0, t_l: 0, a_r: 0, t_r: 1}
AT_START = r"\mathrm{srelu}(x)\big|_{(a_l, t_l, a_r, t_r) = (0, 0, 0, 1)}"
AS_PUBLISHED = Formula(
    "the function to which the initial values are said to correspond", activations.relu.expr, [x],
    source=Source("nerva", "section 5"), lhs=AT_START,
)  # fmt: skip
LINE = [{x: v * HALF} for v in (-1, 0, 1, 2, 3)]
CLIP = Formula(
    "SReLU with its initial values", sympy.Min(sympy.Max(x, 0), 1), [x], source=Source("nerva", "section 5"),
    lhs=AT_START,
)  # fmt: skip
SHARE = math.erf(math.sqrt(0.5)) / 2


def at_start(**changed):
    return activations.srelu.expr.subs({**START, **{s: changed[str(s)] for s in START if str(s) in changed}})


def start_against_relu(_context):
    """Piece by piece on (-oo, 0), 0, (0, 1), 1, (1, oo)."""
    differ = same_pieces(at_start(), activations.relu.expr, LINE)
    says = "at x = 3/2 SReLU with a_l, t_l, a_r, t_r = 0, 0, 0, 1 is 1, but ReLU is 3/2"
    slips = {
        f"{name} = {v}": bool(same_pieces(at_start(**{"a_r": 1, name: v}), activations.relu.expr, LINE))
        for name, v in (("a_l", 1), ("t_l", -1), ("a_r", HALF))
    }
    return concluded(Status.REFUTED if differ == LINE[-1:] else Status.INCONCLUSIVE, says, slips)


initial = common(at="section 5, last paragraph")

initial(
    "nerva/sec5.srelu-start",
    expects=wrong("algebra", correct="nerva/sec5.srelu-start.relu"),
    says="with a_l, t_l, a_r, t_r = 0, 0, 0, 1 SReLU is the ReLU function",
    quote="This corresponds to the ReLU function.",
    printed=AS_PUBLISHED,
    corrected=CLIP,
    proof=lambda: same_pieces(at_start(), CLIP.expr, LINE) == [],
    experiment=start_against_relu,
    note="SReLU with these values equals ReLU for x <= 1 and is constant for x >= 1, where its gradient is zero. Of "
    f"inputs from N(0, 1) a fraction of {SHARE:.2f} has a gradient that is not zero. With ReLU the fraction is 0.5",
)


def relu_for_any_t_r(slope: Expr = sympy.Integer(1)) -> bool:
    """With a_r = 1, or another slope, and t_r in all orders against x and 0."""
    cells = [{x: sympy.Integer(v), t_r: sympy.Integer(w)} for v in (-2, 0, 2) for w in (-3, -2, -1, 0, 1, 2, 3)]
    return same_pieces(activations.srelu.expr.subs({a_l: 0, t_l: 0, a_r: slope}), activations.relu.expr, cells) == []


initial.additional(
    "nerva/sec5.srelu-start.relu",
    says="with a_l, t_l, a_r = 0, 0, 1 SReLU is the ReLU function for every t_r",
    proof=relu_for_any_t_r,
)


def cases_overlap(signs: tuple[int, ...] = (0, 1)) -> bool:
    """Over all orders of x, t_l and t_r: the signs of t_l - t_r for which some x has two cases, the first and third."""
    found, pairs = set(), set()
    for cell in ORDERS:
        at, low, high = (int(cell[s]) for s in (x, t_l, t_r))
        cases = (at <= low, low < at < high, at >= high)
        if sum(cases) > 1:
            pairs.add(cases)
            found.add((low > high) - (low < high))
    return found == set(signs) and pairs == {(True, False, True)}


below_table = common(at="section 5, below the table")

below_table(
    "nerva/sec5.srelu-overlap",
    says="the cases of SReLU overlap if and only if t_l >= t_r. Then the first and the third case overlap, and the "
    "second is empty",
    quote="The three cases of the SReLU function overlap if",
    proof=cases_overlap,
)


def parameters(name: str) -> set[sympy.Symbol]:
    """What the formula of a function has besides x."""
    return getattr(activations, name).expr.free_symbols - {x}


def stated_parameters(_context):
    stated = {"leaky_relu": {alpha}, "all_relu": {alpha}, "srelu": {a_l, t_l, a_r, t_r}}
    says = "; ".join(f"parameters of {k}: {', '.join(sorted(map(str, parameters(k))))}" for k in stated)
    slips = {"SReLU with alpha": parameters("srelu") != {alpha}, "ReLU with alpha": parameters("relu") != {alpha}}
    return concluded(all(parameters(name) == symbols for name, symbols in stated.items()), says, slips)


below_table(
    "nerva/sec5.parameters",
    says="Leaky ReLU and All-ReLU depend on a parameter alpha, SReLU on four parameters a_l, t_l, a_r, t_r",
    quote="Note that Leaky ReLU and All-ReLU depend on a parameter",
    experiment=stated_parameters,
)


def alpha_of_srelu(_context):
    """The parameters of both by their formulas."""
    if alpha not in parameters("all_relu"):
        return concluded(Status.INCONCLUSIVE, "All-ReLU has no parameter alpha either")
    says = f"the parameters of SReLU are {', '.join(sorted(map(str, parameters('srelu'))))}. Only All-ReLU has alpha"
    return concluded(alpha in parameters("srelu"), says)


below_table(
    "nerva/sec5.srelu-alpha",
    expects=wrong("misprint", correct="nerva/sec5.parameters nerva/sec5.alternation"),
    says="All-ReLU and SReLU layers have a parameter alpha, whose sign alternates",
    quote=r"For All-ReLU and SReLU layers the sign of the parameter  $\alpha$  should be alternated.",
    experiment=alpha_of_srelu,
    note="SReLU has no parameter alpha, Leaky ReLU has one. The example in the next sentence is about All-ReLU",
)

layer = sympy.Symbol("layer", integer=True, positive=True)


def alternates(sign: Expr = (-1) ** (layer - 1)) -> bool:
    """(-1)^(l-1) alpha is -alpha, alpha, -alpha in the layers 2, 3, 4, and changes sign from each layer to the next."""
    first = [sign.subs(layer, v) for v in (2, 3, 4)]
    return first == [-1, 1, -1] and sympy.simplify(sign.subs(layer, layer + 1) / sign) == -1


below_table(
    "nerva/sec5.alternation",
    says="the parameters -alpha, alpha, -alpha, ... of the layers 2, 3, 4, ... alternate in sign: layer l has "
    "(-1)^(l-1) alpha",
    proof=alternates,
)
