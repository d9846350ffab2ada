"""What readers see of a claim: plain English, symbols that have a meaning, computed numbers, corrections."""

import argparse
import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from paper_checks import Status
from paper_checks.claims import catalogue
from paper_checks.claims.claim import Claim
from paper_checks.claims.statements import gaps, statements
from paper_checks.commands.main import _parser
from paper_checks.record import DEFAULT, Record
from tests.english import MEAN, faults, mean_length, sentences, texts
from theory import Formula

HERE = Path(__file__).resolve().parents[3]
FOLDER = HERE / "paper_checks" / "papers"
CLAIMS = catalogue.load()
REFUTED = [c for c in CLAIMS if c.expected_status is Status.REFUTED]


def claims(paper: str) -> list[Claim]:
    return [claim for claim in CLAIMS if claim.paper == paper]


def formulas(paper: str) -> Iterator[tuple[str, Formula]]:
    """The formulas that the pages of claims show."""
    for claim in claims(paper):
        for form in (claim.printed, claim.corrected, claim.exact):
            if form is not None:
                yield claim.id, form


@pytest.mark.parametrize("paper", CLAIMS.papers)
def test_no_claim_has_a_word_or_a_sentence_that_is_hard_to_read(paper):
    assert [f"{c.id}: {fault}" for c in claims(paper) for text in texts(c) for fault in faults(text)] == []


@pytest.mark.parametrize("paper", CLAIMS.papers)
def test_sentences_of_claims_are_short_on_average(paper):
    assert mean_length(text for claim in claims(paper) for text in texts(claim)) <= MEAN


@pytest.mark.parametrize("paper", CLAIMS.papers)
def test_what_is_said_of_a_paper_and_of_statements_without_a_claim_is_plain(paper):
    about = CLAIMS.papers[paper]
    said = [about.finding, about.lost, *(s.why for s in statements(about.statements))]
    assert [fault for text in said for fault in faults(text)] == []


def test_captions_and_alternative_texts_are_plain():
    said = [
        (n, text(n))
        for n, gallery in catalogue.figures().items()
        for text in (gallery.caption, gallery.details, gallery.alt)
    ]
    assert [f"{name}: {fault}" for name, text in said for fault in faults(" ".join(text.split()))] == []


def test_the_help_of_commands_is_plain():
    (commands,) = (a for a in _parser()._actions if a.dest == argparse.SUPPRESS and a.choices)
    helps = {
        f"{name} {action.dest}": str(action.help or "")
        for name, parser in commands.choices.items()
        for action in parser._actions
    } | {name: parser.description for name, parser in commands.choices.items()}
    assert [f"{name}: {fault}" for name, text in helps.items() for fault in faults(text)] == []


@pytest.mark.parametrize("paper", CLAIMS.papers)
def test_every_formula_has_a_left_hand_side(paper):
    assert sorted({f"{id}: {form.says}" for id, form in formulas(paper) if not form.lhs}) == []


@pytest.mark.parametrize("paper", CLAIMS.papers)
def test_every_symbol_has_a_meaning(paper):
    known = CLAIMS.papers[paper].symbols
    lacking = {name: id for id, form in formulas(paper) for name in form.names if name not in {**known, **form.symbols}}
    assert lacking == {}


@pytest.mark.parametrize("paper", CLAIMS.papers)
def test_no_meaning_is_of_a_symbol_that_no_formula_has(paper):
    used = {name for _, form in formulas(paper) for name in form.names}
    assert set(CLAIMS.papers[paper].symbols) - used == set()


def test_the_words_and_the_lengths_are_found():
    hard = "Of NALU it is told by runs. " + "A " + "word " * 40 + "end. The mutants play apart."
    found = " ".join(faults(hard))
    for word in ("'told'", "'mutants'", "'play'", "'apart'", "42 words"):
        assert word in found
    assert list(faults("`told` of “a mutant” by nau/beyond.rung and --tier.")) == []
    assert sentences("One. Two eq. (3) of it. `x` is three.") == ["One.", "Two eq. (3) of it.", "# is three."]


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
    source = "".join(p.read_text(encoding="utf-8") for p in (FOLDER / "neural_arithmetic_units").rglob("*.py"))
    assert not [c.id for c in CLAIMS if c.paper == "nau" and f'"{c.id}"' not in source]


def test_what_is_said_assumed_and_noted_is_no_rest_of_a_text():
    short = [c.id for c in CLAIMS for text in (c.says, c.assumptions, c.note) if text and len(text.split()) < 2]
    assert short == []


def test_no_counterexample_is_a_message_of_the_program():
    found = {v.id: v.counterexample for v in Record.read(DEFAULT).verdicts if v.status is Status.REFUTED}
    assert all(found.values())
    messages = ("must be", "must have", "shapes", "follows from the definitions", "Error", "repeat rows")
    assert [id for id, text in found.items() if any(m in text for m in messages)] == []


def constants_of(call: ast.Call) -> dict[str, str]:
    """The constant text in fields of a claim; what an f-string computes is left out."""
    return {
        k.arg: " ".join(n.value for n in ast.walk(k.value) if isinstance(n, ast.Constant) and isinstance(n.value, str))
        for k in call.keywords
        if k.arg in ("note", "quote", "points")
    }


def numbers(tree: ast.AST) -> set[float]:
    """The numbers of a module's code: settings, what a table prints."""
    return {n.value for n in ast.walk(tree) if isinstance(n, ast.Constant) and isinstance(n.value, float)}


@pytest.mark.parametrize("folder", sorted(FOLDER.glob("*/")), ids=lambda f: f.name)
def test_decimal_numbers_in_notes_are_computed_tested_or_of_the_papers_data(folder):
    tested = "".join(path.read_text(encoding="utf-8") for path in Path(__file__).parent.glob("test_*.py"))
    modules = {path: ast.parse(path.read_text(encoding="utf-8")) for path in folder.rglob("*.py")}
    data = set().union(*map(numbers, modules.values()))
    loose = []
    for path, tree in modules.items():
        for call in (n for n in ast.walk(tree) if isinstance(n, ast.Call)):
            fields = constants_of(call)
            known = fields.get("quote", "") + fields.get("points", "") + tested
            found = DECIMAL.findall(PLACE.sub("", fields.get("note", "")))
            loose += [f"{path.name}:{call.lineno}: {n}" for n in found if float(n) not in data and n not in known]
    assert loose == []
