"""What a reviewer looks for first: checked corrections, complete lists of statements, numbers that are computed."""

import ast
import re
from pathlib import Path

import pytest

import paper_checks.papers
from paper_checks import Status
from paper_checks.claims import catalogue
from paper_checks.claims.statements import gaps, statements
from paper_checks.record import DEFAULT, Record

CLAIMS = catalogue.load()
REFUTED = [c for c in CLAIMS if c.expected_status is Status.REFUTED]
PAPERS = Path(paper_checks.papers.__file__).parent
# A decimal number that is no number of a section, an equation or a version.
DECIMAL = re.compile(r"(?<![\w.§])\d+\.\d{2,}(?![\w.]*\.\d)(?![\w])")
WORDS = "[Ss]ections?|[Aa]ppendix|eqs?\\.|JAX|Keras|PyTorch|NumPy|[A-D]"
PLACE = re.compile(rf"(\b[a-z]+/[\w.\-]+|\b({WORDS})\.? ?\d+(\.\d+)*)")


@pytest.mark.parametrize("claim", REFUTED, ids=lambda c: c.id)
def test_a_refuted_claim_states_what_is_correct_or_that_nothing_is_known(claim):
    assert claim.corrected is not None or claim.correct or claim.expects.unknown


@pytest.mark.parametrize("name", CLAIMS.papers)
def test_the_list_of_a_papers_statements_names_every_claim_on_them(name):
    assert gaps(statements(CLAIMS.papers[name].statements), (c for c in CLAIMS if c.paper == name)) == []


def test_every_id_on_neural_arithmetic_units_stands_in_the_source():
    source = "".join(p.read_text(encoding="utf-8") for p in (PAPERS / "neural_arithmetic_units").rglob("*.py"))
    assert not [c.id for c in CLAIMS if c.paper == "nau" and f'"{c.id}"' not in source]


def test_what_is_said_assumed_and_noted_is_no_rest_of_a_text():
    short = [c.id for c in CLAIMS for text in (c.says, c.assumptions, c.note) if text and len(text.split()) < 2]
    assert short == []


def test_no_counterexample_is_a_message_of_the_program():
    found = {v.id: v.counterexample for v in Record.read(DEFAULT).verdicts if v.status is Status.REFUTED}
    assert all(found.values())
    messages = ("must be", "must have", "shapes", "follows from the definitions", "Error", "repeat rows")
    assert [id for id, text in found.items() if any(m in text for m in messages)] == []


def texts(call: ast.Call) -> dict[str, str]:
    """The constant text in fields of a claim; what an f-string computes is left out."""
    return {
        k.arg: " ".join(n.value for n in ast.walk(k.value) if isinstance(n, ast.Constant) and isinstance(n.value, str))
        for k in call.keywords
        if k.arg in ("note", "quote", "points")
    }


def numbers(tree: ast.AST) -> set[float]:
    """The numbers of a module's code: settings, what a table prints."""
    return {n.value for n in ast.walk(tree) if isinstance(n, ast.Constant) and isinstance(n.value, float)}


@pytest.mark.parametrize("folder", sorted(PAPERS.glob("*/")), ids=lambda f: f.name)
def test_decimal_numbers_in_notes_are_computed_tested_or_of_the_papers_data(folder):
    tested = "".join(path.read_text(encoding="utf-8") for path in Path(__file__).parent.glob("test_*.py"))
    modules = {path: ast.parse(path.read_text(encoding="utf-8")) for path in folder.rglob("*.py")}
    data = set().union(*map(numbers, modules.values()))
    loose = []
    for path, tree in modules.items():
        for call in (n for n in ast.walk(tree) if isinstance(n, ast.Call)):
            fields = texts(call)
            known = fields.get("quote", "") + fields.get("points", "") + tested
            found = DECIMAL.findall(PLACE.sub("", fields.get("note", "")))
            loose += [f"{path.name}:{call.lineno}: {n}" for n in found if float(n) not in data and n not in known]
    assert loose == []
