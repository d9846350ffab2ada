"""Arguments of a formula that come from a distribution: its moments, or the bounds of a uniform one."""

import math
from dataclasses import dataclass, fields
from typing import Any

from sympy import sympify

from theory.arguments import shown
from theory.law import Law

# Of a moment that a formula takes for granted.
ROUNDING = 1e-12


@dataclass(frozen=True)
class AnyLaw:
    """Placeholder for any distribution whose mean and variance a formula uses or assumes; None where it does not.

    A formula declares the distributions behind its arguments with these as symbols: a symbol is taken from the
    distribution of a call, anything else must hold of it.

    Examples
    --------
    >>> from theory import nac_mul
    >>> from theory.initialisation import Uniform
    >>> nac_mul.taylor_mean.laws["w"]
    AnyLaw(mean=0, variance=var_w)
    >>> nac_mul.exact_mean.laws["w"]
    Uniform(low=-r_w, high=r_w)
    >>> nac_mul.taylor_mean(w=Uniform(-0.5, 0.5), z=Uniform(1, 2), eps=0, fan_in=1)
    1.0068...
    >>> nac_mul.taylor_mean(w=Uniform(0, 1), z=Uniform(1, 2), eps=0, fan_in=1)
    Traceback (most recent call last):
    ...
    ValueError: nac_mul.taylor_mean: w must have mean = 0, got 0.5 of U[0, 1]; take another law
    """

    mean: Any = None
    variance: Any = None


def arguments_of(label: str, name: str, declared: Law | AnyLaw, law: Any) -> dict[str, float]:
    """Arguments of a formula, by name, from a distribution.

    Raises
    ------
    ValueError
        For what is no law, one of another kind, or one of which something does not hold that the formula takes for
        granted.
    """
    kind = type(declared) if isinstance(declared, Law) else Law
    if not isinstance(law, kind):
        wanted = "a distribution, such as Uniform(0, 1)" if kind is Law else f"a distribution {kind.__name__}(...)"
        raise ValueError(f"{label}: {name} must be {wanted}, got {shown(law)}; see theory.initialisation")
    stated = {f.name: getattr(declared, f.name) for f in fields(declared)}
    stated = {attribute: sympify(value) for attribute, value in stated.items() if value is not None}
    given = {value: getattr(law, attribute) for attribute, value in stated.items() if value.is_Symbol}
    for attribute, value in stated.items():
        expected, got = float(value.subs(given)), getattr(law, attribute)
        if not math.isclose(expected, got, rel_tol=ROUNDING, abs_tol=ROUNDING):
            raise ValueError(f"{label}: {name} must have {attribute} = {value}, got {got:g} of {law}; take another law")
    return {str(symbol): value for symbol, value in given.items()}
