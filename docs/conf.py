"""Settings of Sphinx. ``make docs`` builds the pages; those of claims are written to ``docs/results`` first."""

import gc
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent), str(HERE)]

from frameworks import stand_in  # noqa: E402

import paper_checks  # noqa: E402
from paper_checks.report.site.building import SETTINGS  # noqa: E402

# Pages are made of many small objects and few circles of them.
gc.set_threshold(100_000, 20, 20)

stand_in("torch", "torch.nn", "torch.utils._pytree", "torch.utils._python_dispatch", "jax", "keras")
globals().update(SETTINGS)
project = "Paper Checks"
author = "Paper Checks developers"
version = release = paper_checks.__version__
html_title = f"Paper Checks {version}"
extensions = [
    *SETTINGS["extensions"], "sphinx.ext.autodoc", "sphinx.ext.napoleon", "manual",
]  # fmt: skip
exclude_patterns = ["_build"]
autodoc_default_options = {"members": True, "imported-members": True, "no-value": True, "undoc-members": True}
autodoc_member_order = "bysource"
autodoc_typehints = "none"
napoleon_use_ivar = True
napoleon_use_rtype = False
# Attributes of several classes have the same names, to which parameters in docstrings would be linked.
suppress_warnings = ["ref.python"]
