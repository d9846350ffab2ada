"""Figures of any claim, without a line of code: what was printed, what is right, what was measured, point by point.

Drawn from the recorded verdict; for a law, from counts that are taken again.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from figures import style
from montecarlo import Store, measure
from paper_checks.claims.claim import Claim
from paper_checks.evidence import law as law_rung
from paper_checks.evidence.finding import PointFinding
from paper_checks.experiments.files import write
from paper_checks.judging.verdict import Verdict
from paper_checks.record import Record
from paper_checks.rules.laws import band
from paper_checks.rules.rates import Z

__all__ = ["ClaimFigures"]

SAMPLES = 2**17
"""Of a law: its band is 0.01."""
MOST_LAWS = 4


class ClaimFigures:
    """The figures of claims, by the names of their files.

    Parameters
    ----------
    claims : sequence of Claim
    record : Record
        Their verdicts; a claim without points is not drawn.
    """

    def __init__(self, claims: Sequence[Claim], record: Record):
        verdicts = {v.id: v for v in record.verdicts}
        known = [(claim, verdicts[claim.id]) for claim in claims if claim.id in verdicts]
        self._pairs = {name_of(c.id): (c, v) for c, v in known if _points(v) or c.relation.samples == "law"}

    def __iter__(self) -> Iterator[str]:
        return iter(self._pairs)

    def caption(self, name: str) -> str:
        """What the claim says, and what came out."""
        claim, verdict = self._pairs[name]
        return f"{claim.at}: {claim.says}. {verdict.status}"

    def render(self, name: str, folder: str | Path, *, store: Store | None = None, **options: Any) -> Path:
        """Draw a claim into a file of a folder, and say which."""
        claim, verdict = self._pairs[name]
        path = Path(folder) / f"{name}.png"
        with style.applied():
            if claim.relation.samples == "law":
                figure = _law(claim, verdict, store, options.get("executor"))
            else:
                figure = _values(claim, verdict)
            figure.suptitle(f"{claim.id}: {claim.says} ({verdict.status})", fontsize=13)
            path.parent.mkdir(parents=True, exist_ok=True)
            write(path, _png(figure))
        return path


def name_of(identifier: str) -> str:
    """The name of a claim's file.

    >>> name_of("he/eq9.input")
    'he-eq9.input'
    """
    return identifier.replace("/", "-")


def _png(figure: Figure) -> bytes:
    import io

    buffer = io.BytesIO()
    figure.savefig(buffer, format="png", metadata={"Software": None})
    return buffer.getvalue()


def _points(verdict: Verdict) -> Sequence[PointFinding]:
    """The points of the rung that says most: where something was measured, else where something was computed."""
    with_points = [f.points for f in verdict.findings if any(p.printed is not None for p in f.points)]
    measured = [points for points in with_points if any(p.measured is not None for p in points)]
    return next(iter(measured or with_points), ())


def _values(claim: Claim, verdict: Verdict) -> Figure:
    """Values against the parameter that varies, and below them what was measured minus what is right."""
    points = _points(verdict)
    axis, places = _axis(claim, points)
    figure = style.new_figure(7.0, 10.0)
    above, below = figure.subplots(2, 1, sharex=True, height_ratios=(2, 1))
    order = np.argsort(places, kind="stable")

    def column(name: str) -> np.ndarray:
        values = [getattr(points[i], name) for i in order]
        return np.array([math.nan if v is None else v for v in values], dtype=float)

    x, printed, right = np.asarray(places)[order], column("printed"), column("truth")
    wrong = ~np.isclose(printed, right, rtol=1e-9, equal_nan=True)
    above.plot(x, right, "-o", label="right form" if wrong.any() else "printed form", markersize=4)
    if wrong.any():
        above.plot(x, printed, "--s", label="printed form", markersize=4)
    measured, se, scale = column("measured"), column("se"), column("scale")
    measured = np.where(np.isnan(measured), column("reference"), measured)
    se = np.where(np.isnan(se), 0.0, se)
    above.errorbar(x, measured, Z * se, fmt="k.", capsize=4, label=f"measured, ± {Z:.1f} standard errors")
    _prices(above, claim, verdict, axis)
    _differences(below, x, measured - right, Z * se, np.where(np.isnan(scale), np.abs(right), scale))
    below.set_xlabel(axis)
    above.set_ylabel(claim.printed.says if claim.printed else claim.says)
    above.legend()
    return figure


def _axis(claim: Claim, points: Sequence[PointFinding]) -> tuple[str, list[float]]:
    """The first parameter that varies, and its values; the number of the point where none does."""
    values = claim.namespaces()[: len(points)]
    for name in values[0] if len(values) == len(points) else ():
        numbers = [float(v[name]) for v in values]
        if len(set(numbers)) > 1:
            return name, numbers
    return "point", [float(i) for i in range(1, len(points) + 1)]


def _prices(axes: Axes, claim: Claim, verdict: Verdict, axis: str) -> None:
    """What was measured without an assumption."""
    if not verdict.price or axis not in claim.price.points[0]:
        return
    x = [float(p[axis]) for p in claim.price.points]
    y, se = ([getattr(p, name) for p in verdict.price] for name in ("measured", "se"))
    axes.errorbar(x, y, Z * np.asarray(se), fmt="x", color=style.LINES[3], label=claim.price.says)


def _differences(axes: Axes, x: np.ndarray, difference: np.ndarray, half: np.ndarray, scale: np.ndarray) -> None:
    scale = np.where(scale > 0, scale, 1.0)
    axes.axhline(0, color="0.6", linewidth=0.8)
    axes.errorbar(x, difference / scale, half / scale, fmt="k.", capsize=4)
    axes.set_ylabel("(measured - right) / scale")


def _law(claim: Claim, verdict: Verdict, store: Store | None, executor: Any) -> Figure:
    """The distribution function that was counted against what is printed, and below them their differences."""
    measurements = law_rung.points(claim, verdict.tier)[:MOST_LAWS]
    jobs = [m.job(verdict.seed, (SAMPLES,)) for m in measurements]
    figure = style.new_figure(7.0, 10.0)
    above, below = figure.subplots(2, 1, sharex=True, height_ratios=(2, 1))
    counted = measure(jobs, store=store, executor=executor)
    for m, record, colour in zip(measurements, counted, style.LINES, strict=False):
        counts = law_rung.Counts.of(claim, m, record.estimate())
        kept, style_of = np.isfinite(counts.law.edges), "steps-post" if counts.integers else "default"
        x, share = counts.law.edges[kept], counts.law.share[kept]
        above.step(x, share, color=colour, label=f"counted{f' at {m.says}' if m.says else ''}", where="post")
        for form, line in _forms(claim).items():
            said = counts.said(claim, form)[0][kept]
            above.plot(x, said, line, color="k", linewidth=1, drawstyle=style_of)
            below.plot(x, share - said, line, color=colour, drawstyle=style_of)
    below.axhspan(-band(SAMPLES), band(SAMPLES), color="0.9")
    below.set_xlabel(claim.relation.variable)
    below.set_ylabel("counted - stated")
    above.set_ylabel("distribution function")
    above.legend()
    return figure


def _forms(claim: Claim) -> Mapping[Any, str]:
    """The right form as a line, the printed one dashed where it is another."""
    return {claim.truth: "-", claim.printed: "--"} if claim.printed is not claim.truth else {claim.truth: "-"}
