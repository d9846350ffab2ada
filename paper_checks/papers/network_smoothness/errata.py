"""An error of the paper and the correct statement, declared together: two claims that name each other."""

from typing import Any

from paper_checks import Kind, common, wrong


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
