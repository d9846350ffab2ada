"""Figures of anybody's claims show what was compared: a line per combination, and simulations only where there are."""

from dataclasses import replace

import numpy as np
import pytest
from matplotlib.figure import Figure
from sympy import Symbol

from figures import of_claims, style
from paper_checks import Status
from paper_checks.claims.claim import Claim
from paper_checks.claims.points import grid, show_point
from paper_checks.evidence.finding import Finding, PointFinding
from paper_checks.judging.verdict import Verdict
from paper_checks.record import Record
from theory import Formula

A, S = Symbol("a", positive=True), Symbol("s", positive=True)
CLAIM = Claim(
    "mine/eq1", "eq. (1)", "a product", printed=Formula("product", A * S, (A, S)),
    points=grid(a=[1, 2], s=[1, 3, 2]),
    integral=lambda a, s: a * s,
)  # fmt: skip


def points(**fields):
    """Findings at the points of the claim, whose published values are correct."""
    values = [float(p["a"]) * float(p["s"]) for p in CLAIM.points]
    return [
        PointFinding(show_point(p), Status.CONFIRMED, v, v, **fields) for p, v in zip(CLAIM.points, values, strict=True)
    ]


def verdict(found):
    """A verdict with these points."""
    status = Status.CONFIRMED
    return Verdict(CLAIM.id, status, status, status, (Finding("any", status, points=tuple(found)),), "quick", 1)


def figures(found):
    return of_claims.ClaimFigures([CLAIM], Record("quick", 1, "", (verdict(found),)))


def drawn(found):
    """The panels of the figure."""
    with style.applied():
        return figures(found).draw("mine-eq1")


def texts(axes):
    return [t.get_text() for t in axes.get_legend().get_texts()]


def test_there_is_a_line_for_each_combination_of_the_other_parameters():
    axis, lines = of_claims.lines_of(CLAIM, points())
    assert axis == "s"
    assert [says for says, _, _ in lines] == ["a = 1", "a = 2"]
    for scale, (_, x, chosen) in zip((1, 2), lines, strict=True):
        np.testing.assert_array_equal(x, [1, 2, 3])
        assert [p.printed for p in chosen] == [scale, 2 * scale, 3 * scale]
    above, _ = drawn(points(reference=1.0))
    assert [text for text in texts(above) if "formula" in text] == [
        "published formula, a = 1", "published formula, a = 2",
    ]  # fmt: skip


def test_points_are_numbered_and_not_joined_where_combinations_are_too_many_or_points_are_others():
    many = replace(CLAIM, points=grid(a=[*range(1, 9)], s=[*range(1, 9)]))
    found = [PointFinding(show_point(p), Status.CONFIRMED, 1.0, 1.0, reference=1.0) for p in many.points]
    assert of_claims.lines_of(many, found)[0] == of_claims.NUMBER
    others = [replace(p, point=f"run {i}") for i, p in enumerate(points(reference=1.0))]
    assert of_claims.lines_of(CLAIM, others)[0] == of_claims.NUMBER
    above, below = drawn(others)
    assert below.get_xlabel() == of_claims.NUMBER
    assert above.lines[0].get_linestyle() == "None"


@pytest.mark.parametrize(("fields", "says", "below"), [
    ({"reference": 2.0}, "numerical value, no samples", "numerical"),
    ({"measured": 2.0, "se": 0.1, "n": 100}, "simulation, ± 6.9 standard errors", "simulated"),
], ids=["integral", "samples"])  # fmt: skip
def test_a_simulation_is_named_where_there_are_samples_and_nowhere_else(fields, says, below):
    panels = drawn(points(**fields))
    written = [*texts(panels[0]), panels[1].get_ylabel()]
    assert says in written
    assert panels[1].get_ylabel().startswith(f"({below} −")
    assert any("simul" in text for text in written) == ("n" in fields)
    assert not any("measured" in text for text in written)
    assert [axes.get_title(loc="left")[:3] for axes in panels] == ["(a)", "(b)"]


def test_differences_lie_within_the_axis():
    _, below = drawn(points(measured=12.0, se=0.0, n=0))
    assert below.get_ylim()[1] > 11


def test_claims_without_a_comparison_are_not_drawn():
    assert not of_claims._is_comparison(points())
    assert not of_claims._is_comparison(())
    assert of_claims._is_comparison(points(reference=1.0))
    assert of_claims._is_comparison([replace(p, printed=7.0) for p in points()])


def test_a_claim_is_drawn_into_axes_of_the_user_and_touches_no_other():
    own = Figure()
    left, right, other = own.subplots(1, 3)
    assert figures(points(reference=1.0)).draw("mine-eq1", ax=(left, right)) == (left, right)
    assert left.lines
    assert right.get_ylabel().endswith("reference magnitude")
    assert right.get_xlim() == left.get_xlim()
    assert not other.has_data()
    assert own.axes == [left, right, other]


@pytest.mark.parametrize(("arguments", "says"), [
    ({"name": "mine-eq2"}, "name must be a claim with a figure, got 'mine-eq2'; see mine-eq1"),
    ({"name": "mine-eq1", "ax": Figure().subplots()}, "ax must be two Axes, for values and for differences, got 1"),
    ({"name": "mine-eq1", "ax": Figure().subplots(3)}, "ax must be two Axes, for values and for differences, got 3"),
], ids=["unknown", "one Axes", "three Axes"])  # fmt: skip
def test_what_cannot_be_drawn_is_refused(arguments, says):
    with pytest.raises(ValueError, match=says):
        figures(points(reference=1.0)).draw(**arguments)
