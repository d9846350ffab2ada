"""Evidence for definitions: the kernel simulates the definition draw by draw, as a plain NumPy version of it does."""

from collections.abc import Callable

import numpy as np

from montecarlo import Kernel
from montecarlo.kernels.raw_draws import halves, uniforms
from montecarlo.streams.philox import Stream, stream
from paper_checks.claims.claim import Claim
from paper_checks.claims.points import show_point
from paper_checks.evidence.finding import Finding, PointFinding
from paper_checks.evidence.mutation import status_of, tried
from paper_checks.evidence.rung import Rung, Work
from paper_checks.rules.means import combine

DRAWS = 4096
AGREEMENT = 1e-12


def find(claim: Claim, _work: Work) -> Finding:
    """The largest relative difference on the same draws; each hand-written mistake must differ at some point."""
    kernel = claim.measured.kernel
    key = stream(0, claim.id, 0)
    played = []
    for point in claim.points:
        numbers = {k: float(v) for k, v in claim.namespace(point).items()}
        out = kernel.rows(DRAWS)
        kernel(key, 0, *kernel.arguments(numbers), out)
        played.append((point, numbers, out[:, claim.measured.columns[0]]))

    def distances(reading: Callable) -> list[float]:
        return [_distance(column, reading(_Draws(key), **numbers)) for _, numbers, column in played]

    far = distances(claim.relation.reference)
    points = [
        PointFinding(show_point(point), status_of(d <= AGREEMENT), reason=f"largest relative difference {_shown(d)}")
        for (point, _, _), d in zip(played, far, strict=True)
    ]
    outcome = tried(claim.slips.items(), lambda wrong: not all(d <= AGREEMENT for d in distances(wrong)))
    status = combine([p.status for p in points])
    says = f"the kernel agrees with a plain version of the definition on {DRAWS} draws"
    return Finding("definition", status, status, says, points=tuple(points), **outcome._asdict())


def _shown(distance: float) -> str:
    """The difference as text; rounding differences as a bound that any processor meets."""
    return f"below {AGREEMENT:.0e}" if distance <= AGREEMENT else f"{distance:.1e}"


def _distance(played: np.ndarray, reference: np.ndarray) -> float:
    """The largest difference, relative to the value, or to the root mean square where terms cancel."""
    scale = np.maximum(np.abs(reference), np.sqrt(np.mean(reference**2)) or 1.0)
    return float(np.max(np.abs(played - reference) / scale))


class _Draws:
    """The uniform values of samples by draw index."""

    def __init__(self, key: Stream):
        self._key = key

    def __call__(self, index: int) -> np.ndarray:
        """The two of `uniform2`."""
        return self._rows(uniforms, index)

    def four(self, index: int) -> np.ndarray:
        """The four of `uniform4`, of 32 bits each."""
        return (self._rows(halves, index) + 0.5) / 2**32

    def _rows(self, kernel: Kernel, index: int) -> np.ndarray:
        out = kernel.rows(DRAWS)
        kernel(self._key, 0, index, out)
        return out.T


RUNG = Rung(
    name="definition", letter="D", title="the model follows the definition draw by draw", section="definition",
    rank=60, applies=lambda claim: claim.relation.rung == "definition", find=find,
)  # fmt: skip
