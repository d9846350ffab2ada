"""What claims on runs of a hundred inputs share, which are minutes each: ten of a setting, beside ten printed ones."""

from __future__ import annotations

from paper_checks import concluded
from paper_checks.evidence.finding import Finding
from paper_checks.papers.neural_arithmetic_units.printed_tables import Row
from paper_checks.papers.neural_arithmetic_units.trained import Runs, speed
from paper_checks.rules.means import Status
from paper_checks.rules.rates import RATE
from paper_checks.rules.strata import Stratum, p_value_of_one_law

__all__ = ["TEN", "TOGETHER", "described", "together"]

TEN = (
    "ten runs against ten printed ones: at 2e-11 exact tests tell no two counts apart, nor two medians; all rows "
    "together can be told"
)
TOGETHER = (
    "exact test of counts that are stratified by setting, error rate 2e-11; that none differs no test can show. "
    "Settings are taken for independent; their published seeds are 0 to 9 everywhere"
)


def described(runs: Runs, printed: Row) -> str:
    """Everything that a row prints, beside what runs have."""
    text = f"{runs.wilson()}, printed {printed.wilson()}"
    if runs.successes:
        text += f"; solved at {speed(runs.solved_at)}, sparsity error {runs.sparsity.mean():.2g}"
    if printed.solved:
        text += (
            f"; printed median {printed.median:.2g}, mean {printed.solved[0]:.2g} -+ {printed.solved[1]:.1g}, sparsity "
            f"error {printed.sparsity[0]:.1e} -+ {printed.sparsity[1]:.0e}"
        )
    return text


def together(strata: list[Stratum]) -> Finding:
    """Whether runs contradict printed counts of many settings, and whether failures counted for successes would."""

    def differ(rows: list[Stratum]) -> bool:
        return p_value_of_one_law(rows) <= RATE

    says = (
        f"{sum(s.successes for s in strata)} of {sum(s.n for s in strata)}, printed {sum(s.others for s in strata)} of "
        f"{sum(s.m for s in strata)}, in {len(strata)} settings: p = {p_value_of_one_law(strata):.2g}"
    )
    if differ(strata):
        return concluded(Status.REFUTED, says)
    failures = [Stratum(s.n - s.successes, s.n, s.others, s.m) for s in strata]
    return concluded(Status.INCONCLUSIVE, says, {"failures counted": differ(failures)})
