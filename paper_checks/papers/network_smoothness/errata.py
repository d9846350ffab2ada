"""Texts as published and the words that they contain; an error of the paper with the correct statement."""

from typing import Any

from paper_checks import Finding, Kind, common, concluded, wrong
from paper_checks.papers.network_smoothness.by_length import asked

FIGURE_3 = "The top right plot shows the different losses (mean squared error – MSE, and log likelihood)"
FIGURE_3_TOP = "Top row shows GP models with different length scales"
FIGURE_5 = "Accuracy as a function of (FGSM) perturbation strength for TanH NN models with different length scales"
FIGURE_8 = "for TanH NN models with different levels of weight decay."
OF_FIGURE_4 = "similar to a GP with a well adjusted learning scale for its RBF kernel"
FIGURE_12 = r"TanH model ( $\sigma^{-1} = 1.0$ ) trained on disc addition task (Fig. 1)"
FIGURE_13 = "Results of ReLU network trained on both addition (Fig. 1) and multiplication."
JORDAN_2019 = "Provable certificates for adversarial examples: Fitting a ball in the union of polytopes"
JORDAN_2022 = "Repair: Renormalizing permuted activations for interpolation repair"


@asked
def names(_context, caption: str, words: str, other: str, what: str = "caption") -> Finding:
    """An experiment: whether a text has these words. Another text has them, where this one has not."""
    found = words in caption
    return concluded(found, f"the {what} says: {caption}", {f"the text '{other}'": (words in other) is not found})


def erratum(
    id: str, correct: str, fault: str, *, at: str, quote: str, note: str, assumptions: str = "",
    copy: bool = False, kind: Kind = Kind.PUBLISHED, **pairs: tuple[Any, Any],
):  # fmt: skip
    """Declare a sentence that is wrong as published, and the sentence that is correct.

    Parameters
    ----------
    id, correct : str
        Ids of the two claims.
    fault, copy
        See :func:`~paper_checks.wrong`.
    at, quote, note : str
        Of the paper's sentence.
    assumptions : str
        Of both.
    kind : Kind
        Whose sentence the wrong one is.
    **pairs : pair of values by field
        Fields of the two claims, in this order: ``says``, and ``experiment`` or ``evidence``.
    """
    published, corrected = ({name: values[k] for name, values in pairs.items()} for k in (0, 1))
    expects, links = wrong(fault, copy=copy, correct=correct), (note, f"Published: {id}")
    both = common(assumptions=assumptions)
    both(id, at=at, quote=quote, kind=kind, expects=expects, note=links[0], **published)
    both(correct, at=f"{at}, corrected", kind=Kind.ADDITIONAL, note=links[1], **corrected)
