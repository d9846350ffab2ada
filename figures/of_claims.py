"""Figures of any claim, without a line of code: the published formula, the correct one and the evidence at each point.

Drawn from the saved verdict; for a distribution, from samples that are drawn again.
"""

import io
import math
import textwrap
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.ticker import MaxNLocator
from matplotlib.transforms import offset_copy
from numpy.typing import ArrayLike

from figures import fitting, style
from montecarlo import Store, measure
from paper_checks.claims.claim import Claim
from paper_checks.claims.points import show_point
from paper_checks.evidence import law as law_rung
from paper_checks.evidence.finding import PointFinding
from paper_checks.experiments.files import write
from paper_checks.judging.verdict import Verdict
from paper_checks.record import Record
from paper_checks.rules.laws import band
from paper_checks.rules.rates import Z

SAMPLES = 2**17
"""For a distribution: its band is 0.01."""
MOST_LAWS = 4
NUMBER = "number of the point"
COMPUTED = "computed values"
MOST_LINES = len(style.LINES) - 1
"""Where there are more combinations of parameters, points are numbered and not joined."""


class ClaimFigures:
    """The figures of claims, by the names of their files.

    Parameters
    ----------
    claims : sequence of Claim
    record : Record
        Their verdicts. A claim is drawn where its verdict compares values at points, or is about a distribution.
    """

    def __init__(self, claims: Sequence[Claim], record: Record):
        verdicts = {v.id: v for v in record.verdicts}
        known = [(claim, verdicts[claim.id]) for claim in claims if claim.id in verdicts]
        drawn = [(c, v) for c, v in known if _is_comparison(_points(v)) or c.relation.samples == "law"]
        self._pairs = {name_of(c.id): (c, v) for c, v in drawn}

    def __iter__(self) -> Iterator[str]:
        return iter(self._pairs)

    def caption(self, name: str) -> str:
        """What the claim says, its verdict, and what is drawn."""
        claim, verdict = self._pairs[name]
        if claim.relation.samples == "law":
            drawn = "Coloured: fractions of samples. Black: stated distribution functions."
        else:
            evidence = _evidence(_points(verdict))
            coloured = "published values" if evidence and evidence[0] == COMPUTED else "formulas"
            drawn = f"{f'Black: {evidence[0]}. ' if evidence else ''}Coloured: {coloured}."
        word = claim.relation.word(verdict.status)
        return f"{claim.at}: {claim.says}. Verdict: {word}. {drawn} The lower panel shows the differences."

    def draw(
        self, name: str, ax: Sequence[Axes] | None = None, *, store: Store | None = None, **options: Any
    ) -> tuple[Axes, Axes]:
        """Draw a claim: values or distribution functions into one Axes, differences into another.

        Parameters
        ----------
        name : str
            One of the names over which this object iterates.
        ax : pair of matplotlib Axes, optional
            Where to draw; by default two panels of a new figure, one above the other. Text is smaller in small Axes,
            and the key stands below the second one. A figure that has no layout gets Matplotlib's constrained layout,
            which makes space for labels and key.
        store : Store, optional
            Where samples of a distribution are kept.
        **options
            ``executor`` draws the samples of a distribution in other processes.

        Returns
        -------
        pair of matplotlib Axes

        Raises
        ------
        ValueError
            When no claim with a figure has this name, or ``ax`` is not a pair.

        Examples
        --------
        >>> from matplotlib.figure import Figure
        >>> from paper_checks.claims.catalogue import load
        >>> from paper_checks.record import DEFAULT, Record
        >>> figures = ClaimFigures(load(["nau/eq10.mean"]), Record.read(DEFAULT))
        >>> above, below = figures.draw("nau-eq10.mean", ax=Figure().subplots(2))
        >>> above.get_title(loc="left").splitlines()[0]
        '(a)  mean of a NAC multiplication unit with E[W] = 0, by a'
        """
        if name not in self._pairs:
            raise ValueError(f"draw: name must be a claim with a figure, got {name!r}; see {', '.join(self) or 'none'}")
        if ax is None:
            ax = style.new_figure(7.6, 10.0).subplots(2, 1, sharex=True, height_ratios=(2, 1))
        if np.size(ax) != 2:
            raise ValueError(f"draw: ax must be two Axes, for values and for differences, got {np.size(ax)}")
        above, below = ax
        claim, verdict = self._pairs[name]
        fitting.lay_out(above.figure)
        if claim.relation.samples == "law":
            titles = _law(claim, verdict, store, options.get("executor"), above, below)
        else:
            titles = _values(claim, verdict, above, below)
        fitting.fit(above, below, titles)
        return above, below

    def render(self, name: str, folder: str | Path, *, store: Store | None = None, **options: Any) -> Path:
        """Draw a claim into a file of a folder, and say which."""
        path = Path(folder) / f"{name}.png"
        with style.applied():
            figure = self.draw(name, store=store, **options)[0].figure
            claim, verdict = self._pairs[name]
            word = claim.relation.word(verdict.status)
            figure.suptitle(textwrap.fill(f"{claim.id}: {claim.says} ({word})", 100), fontsize=13)
            figure.savefig(buffer := io.BytesIO(), format="png", metadata={"Software": None})
        path.parent.mkdir(parents=True, exist_ok=True)
        write(path, buffer.getvalue())
        return path


def name_of(identifier: str) -> str:
    """The name of a claim's file.

    >>> name_of("he/eq9.input")
    'he-eq9.input'
    """
    return identifier.replace("/", "-")


def _points(verdict: Verdict) -> Sequence[PointFinding]:
    """The points of the evidence that says most: from samples where there are any, else from numerical values."""
    with_points = [f.points for f in verdict.findings if any(p.printed is not None for p in f.points)]
    measured = [points for points in with_points if any(p.measured is not None for p in points)]
    return next(iter(measured or with_points), ())


def _evidence(points: Sequence[PointFinding]) -> tuple[str, str] | None:
    """What the formulas are compared with, and its attribute of a point; nothing where nothing was computed."""
    if any(p.measured is not None for p in points):
        sampled = any(p.n and p.se for p in points)
        return (f"simulation, ± {Z:.1f} standard errors" if sampled else COMPUTED), "measured"
    return ("numerical value, no samples", "reference") if any(p.reference is not None for p in points) else None


def _is_comparison(points: Sequence[PointFinding]) -> bool:
    return bool(points) and (_evidence(points) is not None or _differs(points))


def _values(claim: Claim, verdict: Verdict, above: Axes, below: Axes) -> tuple[str, str]:
    """Values against the parameter that varies, a line for each combination of the others, and differences below.

    Returns the titles.
    """
    points = _points(verdict)
    axis, lines = lines_of(claim, points)
    evidence, wrong = _evidence(points), _differs(points)
    reach, line = 0.0, "-" if axis != NUMBER else ""
    names = fitting.shortened([says for says, _, _ in lines])
    for index, (says, (_, x, chosen)) in enumerate(zip(names, lines, strict=True)):
        color, aside = style.LINES[index % MOST_LINES], 4 * (index - (len(lines) - 1) / 2)
        beside = {"color": color, "transform": offset_copy(below.transData, below.figure, x=aside, y=0, units="points")}
        _draw_forms(above, x, _correct(chosen), _column(chosen, "printed") if wrong else None, color, line)
        if says:
            above.plot([], [], color=color, linewidth=4, label=says)
        if evidence:
            half = Z * np.nan_to_num(_column(chosen, "se"))
            found, right = _column(chosen, evidence[1]), _correct(chosen)
            above.errorbar(x, found, half, fmt="k.", capsize=4 if half.any() else 0,
                           label="" if index else evidence[0])  # fmt: skip
            difference = found - right
        else:
            half, difference = 0 * x, _column(chosen, "printed") - _correct(chosen)
        reach = max(reach, _draw_differences(below, x, chosen, difference, half, beside))
    kind = "formula" if any(p.truth is not None for p in points) else "value"
    # What lines mean, whatever their colour.
    says = (f"correct {kind}", f"published {kind}") if wrong else (f"published {kind}", "")
    _draw_forms(above, [], [], [] if wrong else None, "0.4" if len(lines) > 1 else style.LINES[0], line, says)
    _prices(above, claim, verdict, axis)
    below.axhline(0, color="0.6", linewidth=0.8)
    what = ("simulated" if evidence[1] == "measured" else "numerical") if evidence else "published"
    # Axes are not scaled to what is moved aside, and those of a user share no axis.
    below.set(xlim=above.get_xlim(), ylim=(-(reach or 1), reach or 1))
    below.set(xlabel=axis, ylabel="relative difference")
    if axis == NUMBER:
        below.xaxis.set_major_locator(MaxNLocator(integer=True))
    above.set_ylabel("value")
    correct = "correct" if wrong else "published"
    return claim.printed.says if claim.printed else claim.says, f"({what} − {correct}) / reference magnitude"


def _column(points: Sequence[PointFinding], name: str) -> np.ndarray:
    return np.array([math.nan if (v := getattr(p, name)) is None else v for p in points], dtype=float)


def _correct(points: Sequence[PointFinding]) -> np.ndarray:
    """Correct values, where they are known; else the published ones."""
    published, right = _column(points, "printed"), _column(points, "truth")
    return np.where(np.isnan(right), published, right)


def _differs(points: Sequence[PointFinding]) -> bool:
    published, right = _column(points, "printed"), _correct(points)
    return not np.isclose(published, right, rtol=1e-9, equal_nan=True).all()


def lines_of(
    claim: Claim, points: Sequence[PointFinding]
) -> tuple[str, list[tuple[str, np.ndarray, list[PointFinding]]]]:
    """The parameter with most values, and for each combination of the others its name, places and points.

    Points are numbered where they are not those of the claim, where no parameter varies, and where there
    are too many combinations.
    """
    known = {show_point(p): claim.namespace(p) for p in claim.points}
    numbered = NUMBER, [("", np.arange(1.0, len(points) + 1), list(points))]
    if not points or not all(p.point in known for p in points):
        return numbered
    values = [known[p.point] for p in points]
    given = [name for name in claim.points[0] if all(name in v for v in values)]
    varied = {name: len({v[name] for v in values}) for name in given}
    numeric = [n for n in given if varied[n] > 1 and all(getattr(v[n], "is_real", False) for v in values)]
    if not numeric:
        return numbered
    axis = max(numeric, key=varied.get)
    groups: dict[str, list[tuple[float, PointFinding]]] = {}
    for point, v in zip(points, values, strict=True):
        others = ", ".join(f"{name} = {v[name]}" for name in given if name != axis and varied[name] > 1)
        groups.setdefault(others, []).append((float(v[axis]), point))
    if len(groups) > MOST_LINES:
        return numbered
    ordered = {says: sorted(found, key=lambda pair: pair[0]) for says, found in groups.items()}
    return axis, [(says, np.array([x for x, _ in found]), [p for _, p in found]) for says, found in ordered.items()]


def _draw_forms(
    axes: Axes, x: ArrayLike, right: ArrayLike, published: ArrayLike | None, color: str, line: str, says: Any = ("", "")
) -> None:
    """Dots and lines of the correct formula, squares and dashes of a published one where that is another."""
    axes.plot(x, right, color=color, linestyle=line, marker="o", markersize=5, label=says[0])
    if published is not None:
        look = {"linestyle": line and "--", "marker": "s", "markerfacecolor": "white", "markersize": 6}
        axes.plot(x, published, color=color, label=says[1], **look)


def _prices(axes: Axes, claim: Claim, verdict: Verdict, axis: str) -> None:
    """Simulated values without an assumption."""
    if not verdict.price or axis not in claim.price.points[0]:
        return
    x = [float(claim.namespace(p)[axis]) for p in claim.price.points]
    y, se = ([getattr(p, name) for p in verdict.price] for name in ("measured", "se"))
    axes.errorbar(x, y, Z * np.asarray(se), fmt="x", color="0.4", label=claim.price.says)


def _draw_differences(
    axes: Axes,
    x: np.ndarray,
    points: Sequence[PointFinding],
    difference: np.ndarray,
    half: np.ndarray,
    look: Mapping[str, Any],
) -> float:
    """Draw relative differences, and say how far they reach: axes are not scaled to what is moved aside."""
    scale, right = _column(points, "scale"), np.abs(_correct(points))
    scale = np.where(np.isnan(scale), right, scale)
    scale = np.where(scale > 0, scale, 1.0)
    axes.errorbar(x, difference / scale, half / scale, fmt="o", markersize=4, capsize=4, **look)
    return 1.15 * float(np.nanmax((np.abs(difference) + half) / scale, initial=0))


def _law(
    claim: Claim, verdict: Verdict, store: Store | None, executor: Any, above: Axes, below: Axes
) -> tuple[str, str]:
    """Fractions of samples and stated distribution functions, and below them their differences; returns the titles."""
    measurements = law_rung.points(claim, verdict.tier)[:MOST_LAWS]
    jobs = [m.job(verdict.seed, (SAMPLES,)) for m in measurements]
    counted = measure(jobs, store=store, executor=executor)
    names = fitting.shortened([m.says for m in measurements])
    for m, says, record, colour in zip(measurements, names, counted, style.LINES, strict=False):
        counts = law_rung.Counts.of(claim, m, record.estimate())
        kept, style_of = np.isfinite(counts.law.edges), "steps-post" if counts.integers else "default"
        x, share = counts.law.edges[kept], counts.law.share[kept]
        above.step(x, share, color=colour, where="post",
                   label=f"samples{f', {says}' if says else ''}")  # fmt: skip
        for form, (line, name) in _forms(claim).items():
            said, first = counts.said(claim, form)[0][kept], m is measurements[0]
            above.plot(x, said, line, color="k", linewidth=1, drawstyle=style_of, label=name if first else "")
            below.plot(x, share - said, line, color=colour, drawstyle=style_of)
    below.axhspan(
        -band(SAMPLES), band(SAMPLES), facecolor="0.9", edgecolor="0.6", label=f"band of chance, {SAMPLES:,} samples"
    )
    below.set(xlabel=claim.relation.variable, ylabel="difference")
    above.set_ylabel("distribution function")
    return claim.says, "fraction of samples − stated distribution function"


def _forms(claim: Claim) -> Mapping[Any, tuple[str, str]]:
    """The correct formula as a line, the published one dashed where it is another."""
    if claim.printed is claim.truth:
        return {claim.truth: ("-", "published formula")}
    return {claim.truth: ("-", "correct formula"), claim.printed: ("--", "published formula")}
