"""Section 4: its claims, in the order of the paper."""

from paper_checks.papers.galu.section_4 import features, labels, theorem_1, rank, rank_laws, sizes  # noqa: F401, I001
from paper_checks.papers.galu.section_4 import figure_2, figure_2_margin, algorithm_1, generalisation  # noqa: F401
from paper_checks.papers.galu.section_4 import figure_3, figure_3_caption, figure_4, least_squares  # noqa: F401
from paper_checks.papers.galu.section_4 import lemma_1_laws, lemma_1_independence, comparison  # noqa: F401
from paper_checks.papers.galu.section_4 import double_descent  # noqa: F401
