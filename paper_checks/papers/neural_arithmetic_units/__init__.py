"""*Neural Arithmetic Units* (Madsen and Johansen): its claims, one module per part, in the order of the paper."""

from paper_checks import paper
from paper_checks.experiments.trials import Trial


def _trials() -> list[Trial]:
    # Here: the paper is declared before what is imported of it.
    from paper_checks.papers.neural_arithmetic_units import measured

    return measured.trials()


paper("nau", "Neural Arithmetic Units", "A. Madsen and A. Rosenberg Johansen", trials=_trials)

from paper_checks.papers.neural_arithmetic_units import (  # noqa: E402, F401, I001
    section_1_findings,
    section_2_definitions,
    section_2_precision,
    section_2_gradients,
    section_2_zero_mean,
    section_2_nau,
    section_2_division,
    figure_2,
    section_2_nmu,
    section_2_nmu_gradients,
    section_2_start,
    section_2_moments,
    section_3_task,
    section_3_threshold,
    section_3_criterion,
    section_3_narrow,
    section_3_tables,
    section_3_very_simple,
    section_3_failures,
    table_3_again,
    section_3_comparison,
    section_3_figures,
    section_3_stress,
    section_5_conclusion,
    population,
    appendix_a,
    appendix_b1,
    appendix_b1_backward,
    appendix_b2,
    appendix_b3,
    figure_8,
    appendix_b3_exact,
    appendix_b3_backward,
    appendix_b3_backward_variance,
    appendix_b3_backward_exact,
    appendix_b4,
    appendix_b4_backward,
    appendix_b4_backward_variance,
    appendix_b4_backward_real,
    appendix_b4_initialisation,
    appendix_b4_quarter,
    appendix_b4_initialisation_attainable,
    depth_nmu,
    depth_nac_mul,
    initialisation_linear,
    initialisation_units,
    appendix_c,
    appendix_c_tables,
    appendix_c_trained,
    appendix_c_reach,
    appendix_c_ablation,
    appendix_c_regularisation,
)
