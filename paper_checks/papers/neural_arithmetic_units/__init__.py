"""*Neural Arithmetic Units* (Madsen and Johansen): its claims, one module per part, in the order of the paper."""

from paper_checks import paper
from paper_checks.experiments.trials import Trial


def _trials() -> list[Trial]:
    # Here: the paper is declared before what is imported of it.
    from paper_checks.papers.neural_arithmetic_units import measured

    return measured.trials()


paper("nau", "Neural Arithmetic Units", "A. Madsen and A. Rosenberg Johansen", trials=_trials)

from paper_checks.papers.neural_arithmetic_units import (  # noqa: E402, F401, I001
    section_1,
    section_2,
    section_3,
    section_5,
    appendix_a,
    appendix_b,
    appendix_b4,
    appendix_c,
)
