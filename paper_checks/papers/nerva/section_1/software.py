"""Sentences about the author's software, which the document cannot decide, and the names that its code uses."""

from __future__ import annotations

from paper_checks import WRONG, Kind, Status, claim, concluded, unchecked

for _id, _at, _says, _quote in (
    (
        "nerva/sec1.repository", "section 1",
        "the code in the repository closely matches the equations",
        "closely matches the equations in this document",
    ),
    (
        "nerva/sec4.validated", "section 4, first paragraph",
        "the equations and derivations have been validated with SymPy",
        "the correctness of the equations and derivations has been validated using SymPy",
    ),
    (
        "nerva/sec4.implemented", "section 4, first paragraph",
        "all layers are implemented in the Nerva Python packages",
        "All layers are implemented in our Nerva Python packages",
    ),
    (
        "nerva/sec4.1.validated", "section 4.1, below Property 1",
        "the properties have been validated with SymPy",
        "All properties have been validated with SymPy.",
    ),
):  # fmt: skip
    claim(
        _id, at=_at, says=_says, quote=_quote,
        expects=unchecked(
            "a sentence about software that is not part of the document; the equations themselves are judged"
        ),
    )  # fmt: skip

TABLE_1 = (
    "zeros ones identity dot hadamard diag Diag elements_sum column_repeat row_repeat columns_sum rows_sum columns_max "
    "rows_max columns_mean rows_mean apply exp log reciprocal sqrt inv_sqrt log_sigmoid"
)
# Functions called in the code of section 4, those of layers themselves (act, softmax, log_softmax) left out.
CALLED = {
    "linear layer": "row_repeat columns_sum",
    "activation layer": "row_repeat hadamard columns_sum",
    "SReLU layer": "repeat_row apply hadamard sum_columns sum_elements",
    "softmax layer": "row_repeat hadamard column_repeat diag columns_sum",
    "log-softmax layer": "row_repeat hadamard column_repeat rows_sum columns_sum",
    "batch normalization layer": "row_repeat columns_mean diag inv_sqrt hadamard columns_sum identity ones",
    "linear dropout layer": "hadamard row_repeat columns_sum",
    "activation dropout layer": "hadamard row_repeat columns_sum",
}


def names_of_table_1(_context):
    """What is called and not listed, by layer."""
    listed = set(TABLE_1.split())
    unknown = {layer: sorted(set(names.split()) - listed) for layer, names in CALLED.items()}
    found = {layer: names for layer, names in unknown.items() if names}
    says = "; ".join(f"{layer}: {', '.join(names)}" for layer, names in found.items()) or "all are listed"
    turned = {"repeat_row": "row_repeat", "sum_columns": "columns_sum", "sum_elements": "elements_sum"}
    mended = all(turned.get(name, name) in listed for names in found.values() for name in names)
    slips = {"the two words exchanged": mended}
    return concluded(Status.REFUTED if found else Status.CONFIRMED, says, slips)


claim(
    "nerva/sec4.code-names",
    at="section 4, code of the layers",
    says="the code of the layers calls the operations by the names that Table 1 gives them; the SReLU layer has them "
    "with the two words exchanged",
    experiment=names_of_table_1,
    kind=Kind.ALTERNATIVE,
    expects=WRONG,
    note="in the same lines a_l, t_l, a_r and t_r are at once the parameters and the functions that are applied to Z",
)
