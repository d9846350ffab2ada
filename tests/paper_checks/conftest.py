"""What the tests of judging share: a claim that is judged at once, frameworks, an empty folder."""

import pytest


@pytest.fixture
def judged():
    """The verdict on one claim, of which a test says only what matters to it."""
    from paper_checks import Claim, verify

    def run(id="test/it", **fields):
        return verify([Claim(id, **{"at": "", "says": "", **fields})])[0]

    return run


@pytest.fixture
def torch():
    """PyTorch, with its global generator in a known state."""
    torch = pytest.importorskip("torch", reason="PyTorch is not installed")
    torch.manual_seed(1)
    return torch


@pytest.fixture(scope="session")
def jax():
    return pytest.importorskip("jax", reason="JAX is not installed")


@pytest.fixture(scope="session")
def keras():
    return pytest.importorskip("keras", reason="Keras is not installed")


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """An empty working folder."""
    monkeypatch.chdir(tmp_path)
    return tmp_path
