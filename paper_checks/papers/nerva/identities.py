"""Claims that matrix identities hold for all sizes."""

from collections.abc import Callable
from typing import Any

from paper_checks import AllSizes, claim
from theory.matrix_calculus import Gradient, Identity

ANY_LOSS = "the loss is any differentiable function of the output"


def stated(id: str, at: str, says: str, *statements: Callable[[], Identity], where: str = "", **fields: Any) -> None:
    """Declare a claim on statements that hold for all sizes; a gradient is that of an arbitrary loss."""
    of_any_loss = any(isinstance(one, Gradient) and one.cotangent != "c" for one in (make() for make in statements))
    assumptions = "; ".join(filter(None, [ANY_LOSS if of_any_loss else "", where]))
    claim(id, at=at, says=says, evidence=[AllSizes(s) for s in statements], **{"assumptions": assumptions, **fields})


def stated_each(*rows: tuple[Any, ...], **fields: Any) -> None:
    """Declare such claims in turn: id, place, what is said, the statements, and at the end a dict of its own fields."""
    for id, at, says, *statements in rows:
        own = statements.pop() if isinstance(statements[-1], dict) else {}
        stated(id, at, says, *statements, **{**fields, **own})


def stated_at(at: str, *rows: tuple[Any, ...], **fields: Any) -> None:
    """Declare such claims at one place, which their rows leave out."""
    stated_each(*((id, at, *row) for id, *row in rows), **fields)
