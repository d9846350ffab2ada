"""Section 4: its claims, in the order of the paper."""

from paper_checks.papers.galu.section_4 import features, labels, theorem_1, theorem_1_laws, rank  # noqa: F401, I001
from paper_checks.papers.galu.section_4 import rank_plane, rank_open_rows, rank_special_sizes  # noqa: F401
from paper_checks.papers.galu.section_4 import rank_smallest_k, sizes, figure_2, figure_2_margin  # noqa: F401
from paper_checks.papers.galu.section_4 import algorithm_1, generalisation, figure_3, figure_3_caption  # noqa: F401
from paper_checks.papers.galu.section_4 import figure_4, least_squares, lemma_1, lemma_1_laws  # noqa: F401
from paper_checks.papers.galu.section_4 import lemma_1_independence, comparison, double_descent  # noqa: F401
