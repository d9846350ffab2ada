"""``paper-checks gradient``: the gradient of a matrix expression, proved and tested."""

import argparse
import json
import textwrap

TEXT = "Show the gradient of a matrix expression for matrices of all sizes, and whether it is proved."
MORE = """\
  paper-checks gradient 'total((X @ w - y)**2)' --by w X:N,D w:D y:N
  paper-checks gradient 'tanh(X @ W.T)' --by W X:N,D W:K,D
  paper-checks gradient 'log(det(A)) + trace(S @ inverse(A))' --by A A:n,n S:n,n:symmetric

A * B and A ** 2 act entry by entry; A @ B is the matrix product. If the output is not a number, DY is the gradient
of an arbitrary loss with respect to it. In the output, (.) is the product entry by entry, X^(2) has the square of
each entry, and 1_N is a column of ones."""

DY = "DY"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of this command."""
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.epilog = "examples:\n" + MORE
    parser.add_argument("expression", metavar="EXPRESSION", help="the expression in Python's notation")
    parser.add_argument(
        "matrices", nargs="+", metavar="NAME:ROWS,COLUMNS",
        help="each matrix, with names or numbers as sizes; NAME:ROWS is a column, NAME alone a number; "
        ":positive, :symmetric or :orthogonal may follow",
    )  # fmt: skip
    parser.add_argument("--json", action="store_true", help="one JSON object")
    parser.add_argument(
        "--by", required=True, metavar="NAME", help="the matrix with respect to which the gradient is taken"
    )


def run(options: argparse.Namespace) -> bool:
    """Print the gradient; whether it is proved and passes the test."""
    from theory.matrix_calculus import Gradient, gradient_of
    from theory.matrix_calculus.expression import names_in
    from theory.matrix_calculus.reading import declared, read

    matrices = declared(options.matrices)
    if options.by not in matrices:
        raise ValueError(f"--by must be a matrix that is declared, got {options.by!r}; known are {', '.join(matrices)}")
    output, by = read(options.expression, matrices), matrices[options.by]
    if output.shape != (1, 1) and DY in names_in([output]).matrices:
        raise ValueError(
            f"gradient: matrices must not be named {DY}, which is the gradient of a loss here, got "
            f"{options.expression!r}; give {DY} another name"
        )
    found = gradient_of(output, by)
    statement = Gradient(output, by, found, cotangent="" if output.shape == (1, 1) else DY)
    proved, tested = statement.proved(), statement.tested()
    as_expected = proved and (tested.holds or tested.empty)
    if options.json:
        print(
            json.dumps({"gradient": str(found), "proved": proved, "tested": bool(tested.holds), "by": str(tested.by)})
        )
        return as_expected
    print(textwrap.indent(str(found), "  "))
    print(f"the gradient of {output} by {by}, {by.shape[0]} x {by.shape[1]}")
    of_sizes = "proved for all sizes" if names_in([output, by]).sizes else "proved for these sizes"
    if tested.empty:
        print(f"{of_sizes}; at all tested matrices it is 0 or has no values" if proved else "not tested")
    else:
        says = of_sizes if proved else "no proof was found"
        print(f"{says}; {'tested' if tested.holds else 'FAILS the test'} {tested.by}")
    return as_expected
