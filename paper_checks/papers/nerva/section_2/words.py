"""What sections 2 and 5 say of other places of the paper: the section of Table 1, and the matrix of an activation."""

import re
from pathlib import Path

from paper_checks import Finding, Kind, Status, claim, concluded, wrong
from paper_checks.claims.statements import statements

# The list of the paper's statements has its headings, and the equations of all layers.
LISTED = Path(__file__).parents[1] / "statements.txt"


def section_of_table(number: int):
    """An experiment: whether Table 1 stands in a section."""

    def experiment(_context) -> Finding:
        headings = {s.section for s in statements(LISTED) if s.place.startswith("Table 1,")}
        (found,) = {int(re.match(r"\d+", heading).group()) for heading in headings}
        status = Status.CONFIRMED if found == number else Status.REFUTED
        slips = {"the section before": found != number - 1} if found == number else None
        return concluded(status, f"Table 1 stands in section {found}", slips)

    return experiment


def activated(matrix: str):
    """An experiment: whether each layer with a univariate activation function applies it to a matrix."""

    def experiment(_context) -> Finding:
        equations = [re.match(r"Y = (act|srelu)\((\w+)\)", s.words) for s in statements(LISTED)]
        arguments = dict.fromkeys((e.group(1), e.group(2)) for e in equations if e)
        says = ", ".join(f"Y = {act}({of})" for act, of in arguments)
        good = all(of == matrix for _, of in arguments)
        other = not all(of == "Y" for _, of in arguments)
        return concluded(Status.CONFIRMED if good else Status.REFUTED, says, {"Y": other} if good else None)

    return experiment


claim(
    "nerva/sec2.table",
    at="section 2, first paragraph",
    says="section 2 has the table with matrix operations",
    quote="In this section we provide notational conventions, we provide definitions for the gradient and the "
    "Jacobian, and a comprehensive table with matrix operations",
    experiment=section_of_table(2),
    expects=wrong("misprint", correct="nerva/sec2.table.section"),
    note="the table has a section of its own, section 3",
)

claim(
    "nerva/sec2.table.section",
    at="section 2, first paragraph, corrected",
    says="section 3 has the table with matrix operations",
    experiment=section_of_table(3),
    kind=Kind.ADDITIONAL,
)

claim(
    "nerva/sec5.output-matrix",
    at="section 5, first paragraph",
    says="activation functions are typically applied element-wise to the output matrix Y of a neural network",
    quote="These activation functions are typically applied element-wise to the output matrix  $Y$  of a neural "
    "network.",
    experiment=activated("Y"),
    expects=wrong("misprint", correct="nerva/sec5.output-matrix.Z"),
    note="the layers of section 4 apply them to the matrix Z with intermediate values. Y is the result",
)

claim(
    "nerva/sec5.output-matrix.Z",
    at="section 5, first paragraph, corrected",
    says="each layer with a univariate activation function applies it to its intermediate values Z. Y is the result",
    experiment=activated("Z"),
    kind=Kind.ADDITIONAL,
)
