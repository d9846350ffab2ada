"""Sentences about the author's software, which the document does not contain, and the names that its code uses."""

from paper_checks import Status, claim, concluded, unchecked, wrong
from paper_checks.papers.nerva.layer_code import TURNED

SOFTWARE = "this sentence is about the author's software and how it was used, which the document does not contain"

for _id, _at, _says, _quote, _why in (
    (
        "nerva/sec1.repository", "section 1",
        "the code in the repository closely matches the equations",
        "closely matches the equations in this document",
        f"{SOFTWARE}. The word 'closely' also has no measure",
    ),
    (
        "nerva/sec4.validated", "section 4, first paragraph",
        "the equations and derivations have been validated with SymPy",
        "the correctness of the equations and derivations has been validated using SymPy",
        f"{SOFTWARE}. We check each equation and each derivation of section 4 in a claim of its own. These are "
        "wrong: nerva/eq16.e, nerva/eq16.sums, nerva/eq21, nerva/sec4.srelu.T-r and "
        "nerva/sec4.srelu.apply",
    ),
    (
        "nerva/sec4.implemented", "section 4, first paragraph",
        "all layers are implemented in the Nerva Python packages",
        "All layers are implemented in our Nerva Python packages",
        f"{SOFTWARE}. We do not know which layers the packages had in September 2024",
    ),
    (
        "nerva/sec4.1.validated", "section 4.1, below Property 1",
        "the properties have been validated with SymPy",
        "All properties have been validated with SymPy.",
        f"{SOFTWARE}. The properties themselves are correct: nerva/eq10 to nerva/eq15",
    ),
):  # fmt: skip
    claim(_id, at=_at, says=_says, quote=_quote, expects=unchecked(_why))

TABLE_1 = (
    "zeros ones identity dot hadamard diag Diag elements_sum column_repeat row_repeat columns_sum rows_sum columns_max "
    "rows_max columns_mean rows_mean apply exp log reciprocal sqrt inv_sqrt log_sigmoid"
)


def names_of_table_1(_context):
    """The three names that are not listed."""
    listed = set(TABLE_1.split())
    unknown = [name for name in TURNED if name not in listed]
    says = f"Table 1 lists {', '.join(TURNED.values())}, but not {', '.join(unknown)}"
    slips = {"the two words swapped": listed.issuperset(TURNED.values())}
    return concluded(Status.REFUTED if unknown else Status.CONFIRMED, says, slips)


claim(
    "nerva/sec4.code-names",
    at="section 4, code of the SReLU layer",
    says="repeat_row, sum_columns and sum_elements are operations of Table 1",
    quote=r"\text{repeat\_row}(b, N)",
    experiment=names_of_table_1,
    expects=wrong("misprint", correct="nerva/srelu.Z.code nerva/srelu.Db.code nerva/srelu.parameters.code"),
    note="the two words of each name are swapped. The code of the other layers uses the names of Table 1",
)
