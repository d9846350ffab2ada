"""He's and Glorot's variances of weights: what keeps the size of a signal, with and without ReLU."""

from sympy import Max, Rational, Symbol, sqrt
from sympy.stats import Normal, Uniform

from montecarlo import moment, variance
from paper_checks import Kind, Simulated, claim, grid, paper
from theory import Formula

paper("he", "Initialisation of deep networks (an example)", "after Glorot, Bengio, He and others")

n, m, v = (Symbol(name, positive=True) for name in "nmv")
z, w = Normal("z", 0, sqrt(v)), Normal("w", 0, sqrt(2))
side = sqrt(6 / (n + m))

claim(
    "he/glorot", at="eq. (16)", says="U[-r, r] with r = sqrt(6 / (n + m)) has variance 2 / (n + m)",
    printed=Formula("variance", 2 / (n + m), (n, m)), points=grid(n=[10, 50], m=[10, 7]),
    measured=variance(Simulated(Uniform("u", -side, side))),
)  # fmt: skip
claim(
    "he/relu", at="eq. (10)", says="n terms w ReLU(z), weights of variance 2 / n, are of the size of z",
    printed=Formula("n times the second moment of a term", v), points=grid(v=[1, 3]),
    measured=moment(Simulated(w * Max(z, 0)), 2),
)  # fmt: skip
claim(
    "he/linear", at="eq. (10)", says="so they are without ReLU", kind=Kind.ALTERNATIVE, printed=Formula("the same", v),
    corrected=Formula("twice as large", 2 * v), points=grid(v=[1, 3]), measured=moment(Simulated(w * z), 2),
)  # fmt: skip
claim(
    "he/half", at="eq. (8)", says="ReLU leaves half of a symmetric second moment",
    printed=Formula("second moment", v * Rational(1, 2)), points=grid(v=[1, 3]),
    measured=moment(Simulated(Max(z, 0)), 2),
)  # fmt: skip
