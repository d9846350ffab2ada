"""``paper-checks gradient``: what it prints, and its exit status."""

import pytest


def test_a_gradient_is_printed_with_its_proof(said):
    out = said(0, "gradient", "total((X @ w - y)**2)", "--by", "w", "X:N,D", "w:D", "y:N")
    first, second, third = out.splitlines()
    assert first == "  2 X^T (X w - y)"
    assert second == "the gradient of 1_N^T (X w - y)^(2) by w, D x 1"
    assert third.startswith("proved for all sizes; tested exactly, in a field")


def test_a_gradient_of_nothing_is_not_called_tested(said):
    assert "at all tested matrices it is 0 or has no values" in said(
        0, "gradient", "total(X)", "--by", "Y", "X:N", "Y:N"
    )


@pytest.mark.parametrize(("arguments", "text"), [
    (["X", "--by", "Y", "X:N"], "--by must be a matrix that is declared, got 'Y'; known are X"),
    (["X @ X", "--by", "X", "X:N,D"], "transpose one"),
    (["max(X)", "--by", "X", "X:N"], "write rows_max or maximum"),
])  # fmt: skip
def test_mistakes_are_said_in_a_line(arguments, text, in_process):
    status, out, err = in_process("gradient", *arguments)
    assert (status, out, err.count("\n")) == (2, "", 1)
    assert text in err
