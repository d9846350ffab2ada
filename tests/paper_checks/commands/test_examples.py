"""Papers by others: each file of examples verifies as it declares, and the notebook runs cell by cell, twice."""

import ast
import json
from pathlib import Path

import pytest

from paper_checks import Registry, declaring, verify
from paper_checks.claims import catalogue

pytestmark = pytest.mark.slow

EXAMPLES = Path(__file__).parents[3] / "examples"
FILES = sorted(path.name for path in EXAMPLES.glob("*.py"))


def test_every_topic_is_there():
    assert len(FILES) == 14
    listed = (EXAMPLES / "README.md").read_text(encoding="utf-8")
    assert all(f"`{name}`" in listed for name in [*FILES, "notebook.ipynb"])


@pytest.mark.parametrize("name", FILES)
def test_an_example_verifies_as_it_declares(name):
    claims = list(catalogue.load_file(EXAMPLES / name))
    for verdict in verify(claims):
        assert verdict.as_expected, verdict
        assert verdict.killed == verdict.mutants


def cells() -> list[str]:
    notebook = json.loads((EXAMPLES / "notebook.ipynb").read_text(encoding="utf-8"))
    return ["".join(cell["source"]) for cell in notebook["cells"] if cell["cell_type"] == "code"]


def run_cell(number, source, session):
    """Run a cell as a notebook does: its last expression is what is shown."""
    tree = ast.parse(source)
    last = tree.body.pop() if isinstance(tree.body[-1], ast.Expr) else None
    exec(compile(tree, f"<cell {number}>", "exec"), session)
    if last is None:
        return ""
    shown = eval(compile(ast.Expression(last.value), f"<cell {number}>", "eval"), session)
    for form in ("_repr_html_", "_repr_latex_"):
        if hasattr(shown, form):
            return getattr(shown, form)()
    return repr(shown)


def test_the_notebook_runs_twice_and_shows_formulas_and_verdicts():
    session = {"__name__": "__main__"}
    with declaring(Registry()):
        for _ in range(2):
            shown = [run_cell(i, source, session) for i, source in enumerate(cells())]
    assert r"\frac{1}{k + 1}" in shown[2]
    assert shown[2].startswith("$")
    assert "<table>" in shown[3]
    assert "note/eq1: REFUTED" in shown[4]
    assert "published formula 1, correct 0.5" in shown[5]
    assert "<th>mean</th><th>±</th>" in shown[6]
