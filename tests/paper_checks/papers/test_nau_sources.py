"""Claims on Neural Arithmetic Units: ids can be searched for, and what is red shows what the paper prints."""

import pathlib

from paper_checks.claims.catalogue import load

CLAIMS = load(["nau"]).select(["nau"])


def test_every_id_stands_in_the_source():
    folder = pathlib.Path(__file__).parents[3] / "paper_checks/papers/neural_arithmetic_units"
    source = "".join(path.read_text(encoding="utf-8") for path in folder.rglob("*.py"))
    assert not [c.id for c in CLAIMS if f'"{c.id}"' not in source]


def test_what_is_wrong_in_print_has_a_quotation_or_a_formula():
    red = [c for c in CLAIMS if c.expected_status.value == "REFUTED" and (c.of_print or c.of_runs)]
    assert len(red) >= 20  # it is not empty that matters
    drawn = {"nau/figures.nmu.rates"}  # What pictures show has no words.
    assert {c.id for c in red if not c.quote and c.printed is None} == drawn
    assert {c.id for c in red if c.of_runs and not c.quote} == drawn
