r"""Rademacher complexity of norm-bounded linear predictors on a sample.

With independent signs e_i the complexity of {x -> x . w : |w|_p <= B} on x_1, ..., x_m is

.. math:: R = \frac1m E \sup_{\|w\|_p \le B} \sum_i e_i x_i \cdot w = \frac{B}{m} E \Bigl\|\sum_i e_i x_i\Bigr\|_q,
          \qquad \frac1p + \frac1q = 1.

>>> from theory.galu import rademacher
>>> rademacher.bound_l2(B_2=1, norm_2=3, m=900)
0.1
"""

from sympy import log, sqrt

from theory.formula import Formula, Interval, Source
from theory.symbols import count, positive

SOURCE = Source("galu", "section 4.2.1")
MODERATE = Interval(1e-70, 1e70)

B_1, B_2, norm_2, norm_inf = positive("B_1 B_2 norm_2 norm_inf")
d, m = count("d m")

bound_l2 = Formula(
    "bound of the Rademacher complexity of |w|_2 <= B_2 where |x_i|_2 <= norm_2",
    sqrt(B_2**2 * norm_2**2 / m),
    [B_2, norm_2, m],
    source=SOURCE,
    domain={B_2: MODERATE, norm_2: MODERATE},
    lhs=r"\mathcal{R}(\mathcal{H}_2 \circ S)",
)

bound_l1 = Formula(
    "bound of the Rademacher complexity of |w|_1 <= B_1 in d dimensions where |x_i|_inf <= norm_inf",
    sqrt(2 * log(2 * d) * B_1**2 * norm_inf**2 / m),
    [B_1, norm_inf, d, m],
    source=SOURCE,
    domain={B_1: MODERATE, norm_inf: MODERATE},
    lhs=r"\mathcal{R}(\mathcal{H}_1 \circ S)",
)
