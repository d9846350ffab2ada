"""Figures of anybody's claims show what was compared: a line per combination, and simulations only where there are."""

from dataclasses import replace
from itertools import combinations

import numpy as np
import pytest
from matplotlib.figure import Figure
from sympy import Symbol

from figures import fitting, of_claims, style
from paper_checks import Claim, Finding, PointFinding, Status, Verdict
from paper_checks.claims.catalogue import load
from paper_checks.claims.points import grid, show_point
from paper_checks.record import DEFAULT, Record
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
    _, below = drawn(points(reference=1.0))
    assert texts(below) == ["a = 1", "a = 2", "published formula", "numerical value, no samples"]


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
    written = [*texts(panels[1]), panels[1].get_title(loc="left")]
    assert says in written
    assert panels[1].get_title(loc="left").startswith(f"(b)  ({below} −")
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
    own = Figure(figsize=(15, 4))
    left, right, other = own.subplots(1, 3)
    assert figures(points(reference=1.0)).draw("mine-eq1", ax=(left, right)) == (left, right)
    assert left.lines
    assert right.get_title(loc="left").endswith("magnitude")
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


KINDS = [
    "nau-eq59", "nau-eq46", "nau-eq70", "nau-eq10.mean", "nau-table5.multiplication.nac-mul.rate",
    "nau-beyond.population-loss", "constants-torch.selu.stable", "galu-text.rademacher-l2", "galu-beyond.fig3-authors",
    "galu-beyond.train-law", "nerva-sec9.time-based.hyperbola", "relu-beyond.spectral-radius", "smooth-table1.relu",
]  # fmt: skip


@pytest.fixture(scope="module")
def ours():
    """Figures of the project's claims."""
    return of_claims.ClaimFigures(load(), Record.read(DEFAULT))


@pytest.mark.parametrize("size", [(4, 3), pytest.param((10, 7.6), marks=pytest.mark.slow)], ids=["small", "usual"])
@pytest.mark.parametrize("name", KINDS)
def test_nothing_is_cut_or_covers_anything_in_axes_of_any_size(ours, name, size):
    own = Figure(figsize=size)
    panels = ours.draw(name, ax=own.subplots(2))
    own.draw_without_rendering()
    page, boxes = own.bbox.padded(1), {}
    for letter, axes in zip("ab", panels, strict=True):
        boxes |= {f"{letter} axes": axes.get_window_extent(), f"{letter} title": axes._left_title.get_window_extent()}
        boxes |= {f"{letter} {a.axis_name}": a.get_tightbbox() for a in (axes.xaxis, axes.yaxis)}
    boxes["key"] = panels[1].get_legend().get_window_extent()
    outside = [n for n, b in boxes.items() if not (page.contains(*b.min) and page.contains(*b.max))]
    assert outside == []
    covered = [pair for pair in combinations(boxes, 2) if _overlap(boxes, *pair)]
    assert covered == []
    assert min(axes.get_window_extent().height for axes in panels) > 0.1 * own.bbox.height


def _overlap(boxes, one, other):
    """Whether two boxes share more than a line; an axis may touch its own Axes and its other axis."""
    shared = type(boxes[one]).intersection(boxes[one], boxes[other])
    of_one_panel = one[0] == other[0] and {one[2:], other[2:]} <= {"axes", "x", "y"}
    return not of_one_panel and shared is not None and min(shared.width, shared.height) > 1


def test_parameters_of_a_key_are_as_many_as_needed_to_know_them():
    assert fitting.shortened(["a = 1, b = 2", "a = 1, b = 3"]) == ["b = 2", "b = 3"]
    assert fitting.shortened(["a = 1, b = 2", "a = 2, b = 3"]) == ["a = 1, …", "a = 2, …"]
    assert fitting.shortened(["a = 1, b = 2", "a = 1, b = 3", "a = 2, b = 3"])[2] == "a = 2, b = 3"
    assert fitting.shortened(["", ""]) == ["", ""]
    assert fitting.shortened(["alone, yes"]) == ["alone, yes"]
    assert fitting.shortened([]) == []


def test_margins_that_a_user_has_set_stay():
    for own in (Figure(layout="tight"), Figure()):
        panels = own.subplots(2)
        if own.get_layout_engine() is None:
            own.subplots_adjust(left=0.3)
        before = own.get_layout_engine()
        figures(points(reference=1.0)).draw("mine-eq1", ax=panels)
        assert own.get_layout_engine() is before


def test_where_no_correct_value_is_known_the_published_one_is_compared():
    found = [replace(p, truth=None, measured=2 * p.printed) for p in points()]
    _, below = drawn(found)
    assert "correct formula" not in texts(below)
    assert "− published)" in below.get_title(loc="left")
    assert below.get_ylim()[1] > 1


def test_a_caption_says_the_statement_the_verdict_and_what_the_colours_are():
    assert figures(points(reference=1.0)).caption("mine-eq1") == (
        "eq. (1): a product. Verdict: CONFIRMED. Black: numerical value, no samples. Coloured: formulas. The lower "
        "panel shows the differences."
    )
