"""Orders for workers: each loads the claims of a run itself and judges them."""

import hashlib
import threading
import time
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path

from montecarlo.engine.run import Here
from paper_checks.claims import catalogue
from paper_checks.claims.claim import Claim
from paper_checks.evidence.finding import Finding
from paper_checks.evidence.setting import Setting
from paper_checks.judging.judge import failed, judge
from paper_checks.judging.verdict import Verdict


class SourcesChanged(Exception):
    """Error of a worker whose files of claims differ from those at the beginning of the run."""


@dataclass(frozen=True)
class Order:
    """The claims of a run and the settings with which workers judge them.

    Attributes
    ----------
    papers, files : tuple of str
        Short names of installed papers, or files of claims.
    tier, budget
        See :class:`Setting`; seconds count from the beginning of the run.
    seeds : tuple of int
        Each claim is judged at each of them.
    begun : float
        Time at which the run began.
    sources : str
        Digest of the files of claims at that time.
    """

    papers: tuple[str, ...]
    files: tuple[str, ...]
    tier: str
    seeds: tuple[int, ...]
    budget: int | float | None = None
    begun: float = field(default_factory=time.time)
    sources: str = ""

    def __post_init__(self):
        if not self.sources:
            object.__setattr__(self, "sources", _digest(self.files))

    @property
    def left(self) -> int | float | None:
        """The budget, without the seconds that have passed."""
        if not isinstance(self.budget, float):
            return self.budget
        return max(self.budget - (time.time() - self.begun), 1e-9)

    def settings(self) -> Iterator[Setting]:
        """The setting for each seed."""
        for seed in self.seeds:
            yield Setting(self.tier, seed, self.left)

    def not_judged(self, claim: Claim, error: Exception) -> list[Verdict]:
        """The verdicts on a claim that could not be judged."""
        return [failed(claim, setting, error) for setting in self.settings()]


def _digest(files: Iterable[str]) -> str:
    return hashlib.blake2b(b"".join(Path(file).read_bytes() for file in files), digest_size=16).hexdigest()


_LOADING = threading.Lock()


@lru_cache(maxsize=1)
def _run(order: Order) -> tuple[dict[str, Claim], dict[int, Setting]]:
    """Those of the last run are kept."""
    if _digest(order.files) != order.sources:
        raise SourcesChanged(f"{' '.join(order.files)}: edited while claims were judged, or different on this machine")
    registry = catalogue.load_files(order.files) if order.files else catalogue.load(order.papers)
    return {claim.id: claim for claim in registry}, {seed: Setting(order.tier, seed) for seed in order.seeds}


def load(order: Order) -> tuple[dict[str, Claim], dict[int, Setting]]:
    """Claims of a run by id, and its settings by seed."""
    with _LOADING:
        return _run(order)


def judged(name: str, order: Order, threads: int = 1) -> list[Verdict]:
    """Verdicts on a claim in a worker, one for each seed."""
    claims, shared = load(order)
    known: dict[str, Finding] = {}
    with Here() if threads == 1 else ThreadPoolExecutor(threads) as executor:
        settings = [shared[seed].by(executor, order.left) for seed in order.seeds]
        return [judge(claims[name], setting, known) for setting in settings]
