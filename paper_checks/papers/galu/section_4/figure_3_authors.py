"""Figure 3: its sentences in the authors' public results, after 100,000 steps of Adam, and in our runs as well."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np

from paper_checks import Finding, Status
from paper_checks.papers.galu.authors_results import CLASSIFICATION, HINGE, NOISE, REGRESSION

# By task, kind of network, and training or test: errors by level of noise.
Errors = dict[str, dict[str, dict[str, np.ndarray]]]
AUTHORS: Errors = {
    task: {kind: {side: np.array(found[kind][side]) for side in ("train", "test")} for kind in ("GaLU", "ReLU")}
    for task, found in (("regression", REGRESSION), ("classification", CLASSIFICATION), ("hinge loss", HINGE))
}
# The captions speak of two graphs; the authors' public script draws a third.
THIRD = {"hinge loss": AUTHORS.pop("hinge loss")}
OPTIMAL = {"regression": np.square(NOISE), "classification": np.array(NOISE) / 2, "hinge loss": np.array(NOISE) / 2}
Judged = Callable[[Errors], tuple[bool, str]]


def with_theirs(
    judged: Judged, altered: str, change: Callable[[np.ndarray], np.ndarray], ours: Callable[[Any], Finding]
):
    """An experiment: a sentence in the authors' numbers, not in those with GaLU's test errors changed, and in ours."""
    changed = {
        task: {**kinds, "GaLU": {**kinds["GaLU"], "test": change(kinds["GaLU"]["test"])}}
        for task, kinds in AUTHORS.items()
    }

    def run(context) -> Finding:
        (good, says), found = judged(AUTHORS), ours(context)
        rejected = not judged(changed)[0]
        return replace(
            found,
            printed=found.printed if good else Status.REFUTED,
            says=f"the authors' results: {says}. Our runs: {found.says}",
            killed=found.killed + rejected,
            total=found.total + 1,
            survivors=found.survivors if rejected else (*found.survivors, altered),
        )

    return run


def gaps(errors: Errors) -> dict[str, np.ndarray]:
    """By task and kind, test less training error by level of noise."""
    return {f"{t}, {k}": e["test"] - e["train"] for t, kinds in errors.items() for k, e in kinds.items()}


def alike(errors: Errors) -> tuple[bool, str]:
    found = {task: kinds["GaLU"]["test"][1:] / kinds["ReLU"]["test"][1:] for task, kinds in errors.items()}
    says = " and ".join(f"{r.min():.2f} to {r.max():.2f} in {task}" for task, r in found.items())
    good = all((abs(np.log(r)) < np.log(2)).all() for r in found.values())
    return good, f"GaLU's test error over ReLU's is {says}, with noise"


def larger(errors: Errors) -> tuple[bool, str]:
    found = {kind: e["test"] for kind, e in errors["regression"].items()}
    more = found["GaLU"] > found["ReLU"]
    says = f"GaLU's test error is larger at {more.sum()} of {len(more)} levels, that without noise too"
    return bool(more.all()), says


def grows(errors: Errors) -> tuple[bool, str]:
    steps = np.concatenate([np.diff(gap) for gap in gaps(errors).values()])
    return bool((steps > 0).all()), f"the gap grows in {(steps > 0).sum()} of {len(steps)} steps of the noise"


def explained(errors: Errors) -> tuple[bool, str]:
    shares = {name: np.corrcoef(gap, OPTIMAL[name.split(",")[0]])[0, 1] ** 2 for name, gap in gaps(errors).items()}
    return min(shares.values()) > 0.5, "R^2 " + ", ".join(f"{v:.3f} ({name})" for name, v in shares.items())


def of_third(judged: Judged) -> str:
    """What a sentence's experiment finds in the third panel, for a note."""
    return f"In the hinge loss, a third panel of the authors' public script, {judged(THIRD)[1]}"
