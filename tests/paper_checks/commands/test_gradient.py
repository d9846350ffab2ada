"""``paper-checks gradient``: what it prints, and its exit status."""

import pytest

from paper_checks.commands.main import main


def test_a_gradient_is_printed_with_its_proof(capsys):
    assert main(["gradient", "total((X @ w - y)**2)", "--by", "w", "X:N,D", "w:D", "y:N"]) == 0
    first, second, third = capsys.readouterr().out.splitlines()
    assert first == "  2 X^T (X w - y)"
    assert second == "the gradient of 1_N^T (X w - y)^(2) by w, D x 1"
    assert third.startswith("proved for all sizes; tested exactly, in a field")


def test_a_gradient_of_nothing_is_not_called_tested(capsys):
    assert main(["gradient", "total(X)", "--by", "Y", "X:N", "Y:N"]) == 0
    assert "at all tested matrices it is 0 or has no values" in capsys.readouterr().out


@pytest.mark.parametrize(("arguments", "text"), [
    (["X", "--by", "Y", "X:N"], "--by must be a matrix that is declared, got 'Y'; known are X"),
    (["X @ X", "--by", "X", "X:N,D"], "transpose one"),
    (["max(X)", "--by", "X", "X:N"], "write rows_max or maximum"),
])  # fmt: skip
def test_mistakes_are_said_in_a_line(arguments, text, capsys):
    assert main(["gradient", *arguments]) == 2
    out, err = capsys.readouterr()
    assert (out, err.count("\n")) == ("", 1)
    assert text in err
