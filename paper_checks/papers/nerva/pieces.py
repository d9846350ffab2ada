"""Derivatives of piecewise functions, proved case by case: which case applies depends only on the order of symbols."""

import itertools
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import sympy
from sympy import Expr, Piecewise, Rational, Symbol

from paper_checks import Finding, concluded
from paper_checks.claims.points import show_point
from theory import Formula

Cell = Mapping[Symbol, Expr]
# Which of two slopes is meant in a cell.
Side = Callable[[Cell], int]
LEFT, RIGHT = 0, 1
# A cell that has one of these means it; any other number stands for all that are in the same order.
CONSTANTS = (0, 1)
# Smaller than any gap between the numbers of a cell.
STEP = Rational(1, 1000)


def orders(*symbols: Symbol) -> list[dict[Symbol, Expr]]:
    """A representative of each way in which symbols may be ordered, ties included: 13 ways for three of them."""
    ranks = itertools.product(range(len(symbols)), repeat=len(symbols))
    dense = {tuple(sorted(set(r)).index(v) for v in r) for r in ranks}
    return [{s: sympy.Integer(v + 2) for s, v in zip(symbols, r, strict=True)} for r in sorted(dense)]


def piece(expr: Expr, cell: Cell) -> Expr:
    """The expression that applies in a cell."""
    selected = expr.rewrite(Piecewise).replace(
        lambda e: isinstance(e, Piecewise),
        lambda e: next(value for value, condition in e.args if condition.subs(cell) == True),  # noqa: E712
    )
    return sympy.expand(selected)


def _known(cell: Cell, by: Symbol | None = None) -> dict[Symbol, Expr]:
    """What is known of a cell's symbols beside their order: constants, and those that are equal to a symbol."""
    known = {s: v for s, v in cell.items() if v in CONSTANTS}
    return known | {s: by for s, v in cell.items() if by in cell and v == cell[by] and s not in known}


def _slopes(function: Expr, by: Symbol, cell: Cell) -> list[Expr]:
    """The derivatives on the left and on the right, where the function does not jump on that side."""
    known = _known(cell, by)
    here = piece(function, cell).subs(known)
    slopes = []
    for side in (-STEP, STEP):
        beside = piece(function, {**cell, by: cell[by] + side} if by in cell else cell)
        if sympy.expand(beside.subs(known) - here) == 0:
            slopes.append(sympy.expand(sympy.diff(beside, by).subs(known)))
    return slopes


def wrong_at(
    function: Expr, claimed: Expr, by: Symbol, cells: Sequence[Cell], side: Side | None = None
) -> list[Cell]:  # fmt: skip
    """The cells in which a form is not the derivative; where there are two, not that of the side, or neither."""

    def right(cell: Cell) -> bool:
        value = sympy.expand(piece(claimed, cell).subs(_known(cell, by)))
        slopes = _slopes(function, by, cell)
        if side and len(slopes) == 2:
            slopes = [slopes[side(cell)]]
        return any(sympy.expand(value - slope) == 0 for slope in slopes)

    return [cell for cell in cells if not right(cell)]


def same_pieces(one: Expr, other: Expr, cells: Sequence[Cell]) -> list[Cell]:
    """The cells in which two forms differ."""
    return [c for c in cells if sympy.expand((piece(one, c) - piece(other, c)).subs(_known(c))) != 0]


def derivative(
    function: Formula, by: Symbol, cells: Sequence[Cell], *, printed: Formula, corrected: Formula | None = None,
    slips: Mapping[str, Expr], side: Side | None = None,
) -> dict[str, Any]:  # fmt: skip
    """Fields of a claim on a published derivative: proved, or refuted with the cells in which it is wrong."""

    def proof() -> bool:
        return wrong_at(function.expr, (corrected or printed).expr, by, cells, side) == []

    def experiment(_context: Any) -> Finding:
        wrong = wrong_at(function.expr, printed.expr, by, cells, side)
        says = f"correct in {len(cells) - len(wrong)} of {len(cells)} cases of {', '.join(map(str, cells[0]))}"
        if wrong:
            cell = max(wrong, key=lambda c: len(set(c.values())))
            slope = _slopes(function.expr, by, cell)[0]
            says += f"; at {show_point(cell)} the derivative is {slope}, but published is {piece(printed.expr, cell)}"
        rejected: dict[str, bool] = {k: wrong_at(function.expr, v, by, cells, side) != [] for k, v in slips.items()}
        return concluded(not wrong, says, rejected)

    fields: dict[str, Callable | Formula] = {"printed": printed, "proof": proof, "experiment": experiment}
    return fields | ({"corrected": corrected} if corrected else {})
