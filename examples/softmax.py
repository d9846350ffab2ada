"""Softmax: identities proved, and what it makes of normal scores."""

from sympy import Symbol, exp, tanh
from sympy.stats import Normal

from montecarlo import covariance, mean
from paper_checks import WRONG, Everywhere, Kind, Simulated, claim, grid, paper
from theory import Formula

paper("softmax", "Softmax (an example)", "after textbooks")

a, b, c = (Symbol(name, real=True) for name in "abc")
s = Symbol("s", positive=True)
share = exp(a) / (exp(a) + exp(b))

claim(
    "softmax/shift", at="p. 1", says="a constant added to all scores changes nothing",
    printed=Formula("share", share, (a, b, c)), derivation=lambda: share.subs({a: a + c, b: b + c}, simultaneous=True),
)  # fmt: skip
claim(
    "softmax/derivative", at="p. 1", says="the derivative of p with respect to its score is p (1 - p)",
    printed=Formula("derivative", share * (1 - share), (a, b)), derivation=lambda: share.diff(a),
)  # fmt: skip
claim(
    "softmax/slope", at="p. 2", says="the derivative by a difference of scores is positive and below 0.26, up to 20",
    printed=Formula("derivative", (1 - tanh(a / 2) ** 2) / 4), points=[],
    relation=Everywhere({"a": (-20, 20)}, below="26/100", above=0), slips={"half": (1 - tanh(a / 2) ** 2) / 2},
)  # fmt: skip
x, y = Normal("x", 0, s), Normal("y", 0, s)
claim(
    "softmax/mean", at="p. 3", says="two scores of one distribution have the weight 1/2 each on average",
    printed=Formula("share", s**0 / 2, (s,)), points=grid(s=[1, 3]), measured=mean(Simulated(1 / (1 + exp(y - x)))),
)  # fmt: skip
claim(
    "softmax/stein", at="p. 3", says="the covariance of a score with its weight is s^2 / 4",
    kind=Kind.ALTERNATIVE, expects=WRONG, printed=Formula("covariance", s**2 / 4), points=grid(s=[1, 3]),
    measured=covariance(Simulated(x, 1 / (1 + exp(y - x)))),
)  # fmt: skip
