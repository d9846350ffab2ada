"""Figures: every module keeps the contract, pictures follow from stored arrays, and bytes follow from the command."""

import inspect
import io
import json
import math
import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from types import SimpleNamespace

import matplotlib
import mpmath
import numpy as np
import pytest
from matplotlib.figure import Figure

import figures
from figures import FIGURES, Panels, Run, kept, load, render
from figures.neural_arithmetic_units import figure8
from figures.settings import Setting
from montecarlo import Job, mean, measure
from montecarlo.kernels.nac_mul.outputs import factor
from paper_checks.claims import catalogue
from paper_checks.experiments.stored import StaleRows
from paper_checks.judging.judge import DEFAULT_SEED
from tests.english import sentences

pytestmark = pytest.mark.slow

SAMPLES = 2000


@pytest.fixture(scope="module")
def rendered(tmp_path_factory):
    """The path of Figure 8 from few samples, on one thread."""
    with ThreadPoolExecutor(1) as executor:
        return render("figure8", tmp_path_factory.mktemp("rendered"), samples=SAMPLES, seed=1, executor=executor)


@pytest.fixture(scope="module")
def arrays(rendered):
    """The arrays behind it."""
    return load(rendered.with_suffix(".npz"))[0]


def both(picture):
    return picture.with_suffix(".npz").read_bytes(), picture.read_bytes()


# The registry.


@pytest.mark.parametrize("name", FIGURES)
def test_figure_keeps_the_contract(name):
    figure = FIGURES[name]
    assert 20 < len(figure.CAPTION.split()) <= 65
    assert len(sentences(figure.CAPTION)) <= 4
    assert figure.DETAILS.strip()
    assert len(figure.ALT) >= 40
    assert figure.ALT.split() not in (name.split(), figure.CAPTION.split(), (figure.__doc__ or "").split())
    assert json.loads(json.dumps(figure.PARAMETERS)) == figure.PARAMETERS
    assert Run(**figure.RECIPE.options) == figure.RECIPE
    assert figure.RECIPE.seed in (None, DEFAULT_SEED), "files of the command would have another name"
    run, *settings = inspect.signature(figure.data, eval_str=True).parameters.values()
    assert run.annotation is Run
    assert all(p.kind is p.KEYWORD_ONLY and isinstance(p.default, int | float | tuple) for p in settings)
    stated = {name: s for name, s in getattr(figure, "SETTINGS", {}).items() if isinstance(s, Setting)}
    assert [p.name for p in settings] == list(stated)
    for p in settings:
        stated[p.name].refuse(p.name, p.default if isinstance(p.default, tuple) else (p.default,))
    assert list(inspect.signature(figure.draw).parameters) == ["arrays"]
    assert isinstance(figure.draw_panel, Panels)


def test_a_figure_has_the_options_that_it_uses():
    nothing_random = {name for name in FIGURES if FIGURES[name].RECIPE.seed is None}
    assert {"figure2", "relu_regions", "relu_experiments"} < nothing_random
    for name in FIGURES:
        source = inspect.getsource(FIGURES[name].data)
        assert ("_: Run" in source) <= (Run() == FIGURES[name].RECIPE), name
        assert (name in nothing_random) == (Run() == FIGURES[name].RECIPE), name


def test_a_seed_changes_nothing_where_nothing_is_random(tmp_path, monkeypatch):
    monkeypatch.setattr("figures.kept.picture", lambda figure, content, form: b"")
    pictures = [render("nac_range", tmp_path / f"{k}", **options) for k, options in enumerate(({}, {"seed": 5}))]
    stored = [p.with_suffix(".npz").read_bytes() for p in pictures]
    assert stored[0] == stored[1]
    assert load(pictures[0].with_suffix(".npz"))[1]["command"] == "paper-checks figures nac_range"


def test_every_figure_module_is_in_the_gallery_of_its_paper():
    folder = Path(figures.__file__).parent
    drawn = {p.stem for p in folder.glob("*/*.py") if "\nCAPTION = " in p.read_text(encoding="utf-8")}
    assert drawn == set(FIGURES)


def test_listing_figures_loads_neither_matplotlib_nor_numba():
    code = "import sys, figures; list(figures.FIGURES); print('matplotlib' in sys.modules, 'numba' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["False", "False"]


# Rendering.


def test_what_is_kept_costs_nothing_and_more_samples_cost_more(rendered):
    gallery = catalogue.figures()["figure8"]
    how = {"samples": SAMPLES, "seed": 1}
    assert gallery.seconds("figure8", rendered.parent, **how) == (0.0, 0.0)
    low, high = gallery.seconds("figure8", rendered.parent)
    assert low == high == FIGURES["figure8"].SECONDS
    fewer = gallery.seconds("figure8", rendered.parent, **how, anew=True)
    assert fewer[0] < low
    assert fewer[1] == high
    dear = {"samples": 100 * FIGURES["figure8"].RECIPE.samples, "settings": {"fan_in": 3}}
    assert gallery.seconds("figure8", rendered.parent, usual=(1.0, 2.0), **dear) == (1.0, 600.0)


@pytest.fixture
def undrawn(monkeypatch):
    """Render without drawing: files of arrays only."""
    monkeypatch.setattr("figures.kept.picture", lambda figure, content, form: b"")

    def arrays_of(folder, **options):
        return render("figure8", folder, **options).with_suffix(".npz").read_bytes()

    return arrays_of


def test_redraw_gives_the_same_picture_without_simulation_and_whatever_the_users_settings(
    rendered, tmp_path, monkeypatch
):
    arrays_before, picture_before = both(rendered)
    (tmp_path / "figure8.npz").write_bytes(arrays_before)
    monkeypatch.setattr(figure8, "data", lambda run: pytest.fail("redraw must not simulate"))
    with matplotlib.rc_context({"font.size": 31, "savefig.dpi": 40, "figure.facecolor": "gray"}):
        assert both(render("figure8", tmp_path, redraw=True)) == (arrays_before, picture_before)


def test_arrays_of_the_same_recipe_are_not_computed_again(rendered, undrawn, tmp_path, monkeypatch):
    kept = rendered.with_suffix(".npz").read_bytes()
    (tmp_path / rendered.with_suffix(".npz").name).write_bytes(kept)
    monkeypatch.setattr(figure8, "data", lambda run: pytest.fail("computed"))
    options = {"samples": SAMPLES, "seed": 1}
    assert undrawn(tmp_path, **options) == kept
    for other in ({"samples": SAMPLES, "seed": 3}, {"samples": SAMPLES + 1, "seed": 1}, options | {"anew": True}):
        with pytest.raises(pytest.fail.Exception, match="computed"):
            undrawn(tmp_path, **other)


def test_arrays_of_another_version_or_damaged_ones_are_computed_again(rendered, undrawn, tmp_path, monkeypatch):
    kept = rendered.with_suffix(".npz").read_bytes()
    monkeypatch.setattr(figure8, "data", lambda run: pytest.fail("computed"))
    for content in (b"half a file", kept[:-100]):
        (tmp_path / rendered.with_suffix(".npz").name).write_bytes(content)
        with pytest.raises(pytest.fail.Exception, match="computed"):
            undrawn(tmp_path, samples=SAMPLES, seed=1)
    (tmp_path / rendered.with_suffix(".npz").name).write_bytes(kept)
    monkeypatch.setattr(figure8, "VERSION", 2, raising=False)
    with pytest.raises(pytest.fail.Exception, match="computed"):
        undrawn(tmp_path, samples=SAMPLES, seed=1)


def test_a_picture_of_the_same_recipe_and_drawing_needs_no_arrays(rendered, tmp_path, monkeypatch):
    picture, options = tmp_path / rendered.name, {"samples": SAMPLES, "seed": 1}
    picture.write_bytes(rendered.read_bytes())
    monkeypatch.setattr(figure8, "data", lambda run: pytest.fail("computed"))
    assert catalogue.figures()["figure8"].seconds("figure8", tmp_path, **options) == (0.0, 0.0)
    assert render("figure8", tmp_path, **options) == picture
    assert not picture.with_suffix(".npz").exists()
    with pytest.raises(FileNotFoundError, match="anew"):
        render("figure8", tmp_path, redraw=True, **options)
    with pytest.raises(pytest.fail.Exception, match="computed"):
        render("figure8", tmp_path, anew=True, **options)
    for changed, name, value in ((figure8, "VERSION", 2), (kept, "_code_of", lambda figure: b"another drawing")):
        with monkeypatch.context() as other:
            other.setattr(changed, name, value, raising=False)
            with pytest.raises(pytest.fail.Exception, match="computed"):
                render("figure8", tmp_path, **options)


def test_a_drawing_is_known_by_its_module_and_what_that_uses(monkeypatch, tmp_path):
    code = kept._code_of(FIGURES["relu_basins"])
    assert Path(FIGURES["relu_basins"].__file__).read_bytes() in code
    assert Path(figures.style.__file__).read_bytes() in code
    other = tmp_path / "style.py"
    other.write_bytes(Path(figures.style.__file__).read_bytes() + b"# wider")
    monkeypatch.setattr(figures.style, "__file__", str(other))
    assert kept._code_of(FIGURES["relu_basins"]) != code


def test_rounding_errors_are_made_on_one_processor(tmp_path, monkeypatch):
    figure = FIGURES["nerva_precision"]
    picture = render("nerva_precision", tmp_path)
    before = picture.read_bytes()
    picture.with_suffix(".npz").unlink()
    monkeypatch.setattr(figure, "data", lambda run: pytest.fail("computed"))
    assert render("nerva_precision", tmp_path).read_bytes() == before
    monkeypatch.setattr(figure, "ROUNDING", False)
    with pytest.raises(pytest.fail.Exception, match="computed"):
        render("nerva_precision", tmp_path)


def test_dear_figures_name_the_stored_runs_that_they_read():
    """Else a figure would not change when its runs are trained again; cheap arrays are computed each time."""
    for name in FIGURES:
        if kept.is_dear(FIGURES[name]) and "stored_rows(" in inspect.getsource(FIGURES[name]):
            assert FIGURES[name].READS, name
            assert all(sweep.stored for sweep in FIGURES[name].READS)


def test_rounding_leaves_arrays_and_pictures_as_they_are(tmp_path, monkeypatch):
    first = render("figure2", tmp_path)
    files = {path: path.read_bytes() for path in tmp_path.iterdir()}
    data = FIGURES["figure2"].data

    def rendered(change):
        monkeypatch.setattr(FIGURES["figure2"], "data", lambda run: {n: a * change for n, a in data(run).items()})
        render("figure2", tmp_path)
        return {path: path.read_bytes() for path in tmp_path.iterdir()}

    assert rendered(1 + 4e-16) == files
    changed = rendered(1 + 1e-3)
    assert changed[first] != files[first]
    assert changed[first.with_suffix(".npz")] != files[first.with_suffix(".npz")]


def test_a_picture_is_another_where_one_letter_is(tmp_path):
    def picture(text, shift=0.0):
        figure = Figure(figsize=(3, 2), dpi=100)
        figure.subplots().plot([0, 1], [shift, 1 + shift], label=text)
        figure.axes[0].set_ylim(0, 2)
        figure.axes[0].legend()
        figure.savefig(buffer := io.BytesIO(), format="png")
        return buffer.getvalue()

    (tmp_path / "a.png").write_bytes(picture("loss"))
    assert kept.looks_alike(tmp_path / "a.png", picture("loss", 1e-12))
    assert not kept.looks_alike(tmp_path / "a.png", picture("lass"))
    assert not kept.looks_alike(tmp_path / "none.png", picture("loss"))


def few_cells(arrays):
    """A mesh, axes and formulas as Figure 8 has them, but fewer."""
    figure = Figure()
    axes = figure.subplots()
    figure.colorbar(axes.pcolormesh(arrays["r_z"][:2], arrays["r_w"][:2], arrays["exact"][:2, :2]), label=r"$r_w^2$")
    return figure


@pytest.mark.parametrize("form", ["png", "svg", "pdf"])
def test_a_picture_says_what_made_it_and_no_date(rendered, tmp_path, monkeypatch, form):
    (tmp_path / "figure8.npz").write_bytes(rendered.with_suffix(".npz").read_bytes())
    monkeypatch.setattr(figure8, "draw", few_cells)
    picture = rendered if form == "png" else render("figure8", tmp_path, redraw=True, form=form)
    assert picture.suffix == f".{form}"
    content = picture.read_bytes()
    assert f"paper-checks figures figure8 --samples {SAMPLES} --seed 1; Paper Checks".encode() in content
    assert not any(word in content for word in (b"tIME", b"Software", b"CreationDate", b"<dc:date>"))


def test_recipe_says_how_the_arrays_were_made(rendered):
    stored, recipe = load(rendered.with_suffix(".npz"))
    assert recipe["command"] == f"paper-checks figures figure8 --samples {SAMPLES} --seed 1"
    assert (recipe["figure"], recipe["samples"], recipe["seed"]) == ("figure8", SAMPLES, 1)
    assert (recipe["version"], recipe["reads"]) == (1, {})
    assert recipe["parameters"]["eps"] == figure8.EPS
    assert "recipe" not in stored


def test_failed_drawing_keeps_the_old_picture(rendered, tmp_path, monkeypatch):
    (tmp_path / "figure8.npz").write_bytes(rendered.with_suffix(".npz").read_bytes())
    (tmp_path / "figure8.png").write_bytes(b"old")

    def fail(arrays):
        raise RuntimeError("no ink")

    monkeypatch.setattr(figure8, "draw", fail)
    with pytest.raises(RuntimeError, match="no ink"):
        render("figure8", tmp_path, redraw=True)
    assert sorted(p.name for p in tmp_path.iterdir()) == ["figure8.npz", "figure8.png"]
    assert (tmp_path / "figure8.png").read_bytes() == b"old"


def test_errors_say_what_to_do(tmp_path):
    with pytest.raises(ValueError, match=r"name must be one of .*figure8.*got 'figure9'; choose one"):
        render("figure9", tmp_path)
    with pytest.raises(ValueError, match=r"options must be among \['samples', 'seed'\], got \['sample'\]"):
        render("figure8", tmp_path, sample=10)
    with pytest.raises(ValueError, match=r"options must be among \['samples', 'seed'\], got \['images'\]"):
        render("figure2", tmp_path, images="mnist")
    with pytest.raises(FileNotFoundError, match="render the figure with anew first"):
        render("figure8", tmp_path, redraw=True)
    with pytest.raises(ValueError, match="samples must be at least 2, got 1"):
        render("figure8", tmp_path, samples=1)
    assert list(tmp_path.iterdir()) == []


def test_other_settings_have_files_of_their_own_and_say_so_in_the_picture(rendered, tmp_path, monkeypatch):
    monkeypatch.setattr(figure8, "data", lambda run, *, eps=1e-8, r_w=0.5: dict(load(arrays_of)[0]) | {"eps": eps})
    monkeypatch.setattr(figure8, "draw", lambda arrays: Figure())
    arrays_of, said = rendered.with_suffix(".npz"), []
    monkeypatch.setattr("matplotlib.figure.Figure.suptitle", lambda self, text: said.append(text))
    picture = render("figure8", tmp_path, settings={"eps": "1e-3", "r_w": 0.5})
    assert sorted(p.name for p in tmp_path.iterdir()) == ["figure8-eps=0.001.npz", "figure8-eps=0.001.png"]
    assert said == ["other settings: eps = 0.001"]
    assert b"--seed 20190 --set eps=0.001; Paper Checks" in picture.read_bytes()
    assert load(picture.with_suffix(".npz"))[1]["settings"] == {"eps": 0.001}


@pytest.mark.parametrize(("name", "given", "words"), [
    ("figure8", {"epsilon": 1}, "must be one of r_w, r_z, eps, fan_in, got 'epsilon'"),
    ("figure8", {"eps": "small"}, "eps of figure8 must be a finite number, got 'small'"),
    ("figure8", {"eps": "nan"}, "must be a finite number"),
    ("figure8", {"fan_in": "2.5"}, "fan_in of figure8 must be a whole number, got '2.5'"),
    ("figure8", {"fan_in": "9" * 400}, "must be a whole number"),
    ("figure8", {"fan_in": 0}, "fan_in of figure8 must be an integer in [1, 1000], got 0; choose another"),
    ("figure8", {"fan_in": 1001}, "an integer in [1, 1000], got 1001"),
    ("figure8", {"eps": -1}, "eps of figure8 must be a number in (0, 1e+06], got -1"),
    ("relu_regions", {"gammas": "1,0.5,0.2,0.1,0.05"}, "gammas of relu_regions must be 1 to 4 values, got 5"),
    ("relu_regions", {"gammas": "1,2"}, "gammas of relu_regions must be a number in [0.001, 1], got 2"),
], ids=lambda v: "" if isinstance(v, str) else "-".join(f"{k}={x}"[:20] for k, x in v.items()))  # fmt: skip
def test_settings_are_refused_by_name(tmp_path, name, given, words):
    with pytest.raises(ValueError, match=re.escape(words)):
        render(name, tmp_path, settings=given)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(("name", "given", "title"), [
    ("nerva_schedules", {"d": 0.02, "r": 50, "momentum": 0.5}, "Time-based, d = 0.02"),
    ("gradient_variance", {"eps": 1e-5, "fan_in": (1, 3), "r_w": 0.25}, r"$\epsilon = 10^{-5}$"),
    ("figure2", {"eps": (1e-3, 0.5)}, r"NAC multiplication, $\epsilon$ = 0.5"),
], ids=lambda v: v if isinstance(v, str) and v.isidentifier() else "")  # fmt: skip
def test_a_figure_is_drawn_and_labelled_with_its_settings(name, given, title):
    figure = FIGURES[name]
    drawn = figure.draw(figure.data(figure.RECIPE, **given))
    texts = [t.get_text() for axes in drawn.axes for t in (axes.title, axes._left_title, *axes.texts)]
    assert any(title in text for text in texts)


# Figure 8.


def test_several_inputs_are_played_as_many_factors():
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(figure8, "R_W", figure8.R_W[[0, 20, 45]])
        patch.setattr(figure8, "R_Z", figure8.R_Z[[0, 20, 49]])
        arrays = figure8.data(Run(samples=20_000, seed=1), eps=0.1, fan_in=3)
    assert np.max(np.abs(figure8.standardised(arrays))) < 5
    off = np.abs(arrays["monte_carlo"] - arrays["taylor"]) / arrays["standard_error"]
    assert off[-1].max() > 6


@pytest.mark.parametrize(("cell", "precision"), [((0, 0), 1e-9), ((17, 3), 1e-6), ((45, 0), 1e-9), ((45, 49), 1e-9)])
def test_excess_kurtosis_agrees_with_the_defining_integrals(arrays, cell, precision):
    r_w, r_z, eps = (mpmath.mpf(v) for v in (arrays["r_w"][cell[0]], arrays["r_z"][cell[1]], figure8.EPS))

    def raw(order):
        def over_z(log_z):
            x = order * r_w * log_z
            return mpmath.sinh(x) / x * mpmath.exp(log_z)

        return mpmath.quad(over_z, mpmath.linspace(mpmath.log(eps), mpmath.log(r_z + eps), 9)) / r_z

    with mpmath.workdps(30):
        m1, m2, m3, m4 = (raw(k) for k in (1, 2, 3, 4))
        kurtosis = (m4 - 4 * m3 * m1 + 6 * m2 * m1**2 - 3 * m1**4) / (m2 - m1**2) ** 2 - 3
    assert arrays["excess_kurtosis"][cell] == pytest.approx(float(kurtosis), rel=precision)


def test_each_cell_is_the_mean_of_its_own_stream(arrays):
    i, j = 12, 33
    point = {"r_w": arrays["r_w"][i], "a": 0.0, "b": arrays["r_z"][j], "eps": figure8.EPS}
    (alone,) = measure([Job(mean(factor), point, figure8.CLAIM, i * 50 + j, seed=1, looks=(SAMPLES,))])
    stored = dict(zip(arrays["moment_names"], arrays["moments"][i, j], strict=True))
    assert stored["n"] == SAMPLES
    assert arrays["monte_carlo"][i, j] == stored["mean"] == alone.mean
    assert arrays["sample_standard_error"][i, j] == alone.estimate().se
    assert len(np.unique(arrays["monte_carlo"])) == 46 * 50


def test_spread_of_the_noise_is_exact():
    cells = {"exact": np.zeros(100), "standard_error": np.ones(100)}
    normal = figure8.noise(cells | {"monte_carlo": np.ones(100), "samples": 5, "excess_kurtosis": np.zeros(100)})
    assert normal.spread == pytest.approx(math.sqrt(2 / 100), rel=1e-15)
    assert normal.normal_spread == normal.spread
    # A single toss of a coin has excess kurtosis -2, and its square does not vary at all.
    coin = figure8.noise(cells | {"monte_carlo": np.ones(100), "samples": 1, "excess_kurtosis": np.full(100, -2.0)})
    assert (coin.mean_square, coin.spread) == (1.0, 0.0)


def test_panels_show_the_arrays_with_zero_in_the_middle_of_the_colours(arrays):
    figure = figure8.draw(arrays)
    assert isinstance(figure, Figure)
    assert figure.dpi == 130  # the project's style, not the user's
    panels = {axes.get_title(loc="left")[:3]: axes for axes in figure.axes if axes.get_title(loc="left")}
    assert list(panels) == ["(a)", "(b)", "(c)", "(d)"]
    shown = {letter: panels[letter].collections[0] for letter in ("(a)", "(b)", "(c)")}
    expected = {
        "(a)": arrays["taylor"] - arrays["monte_carlo"],
        "(b)": arrays["taylor"] - arrays["exact"],
        "(c)": (arrays["monte_carlo"] - arrays["exact"]) / arrays["standard_error"],
    }
    for letter, mesh in shown.items():
        np.testing.assert_array_equal(np.ravel(mesh.get_array()), expected[letter].ravel(), err_msg=letter)
        assert mesh.norm.vmin == -mesh.norm.vmax
    levels = panels["(d)"].collections[0].levels
    np.testing.assert_array_equal(levels, -levels[::-1])
    assert [bool(axes.get_xlabel()) for axes in panels.values()] == [False, False, True, True]
    assert [bool(axes.get_ylabel()) for axes in panels.values()] == [True, False, True, False]


@pytest.mark.parametrize("error", [StaleRows, ValueError])
def test_a_figure_without_its_runs_or_in_error_does_not_end_those_after_it(error, tmp_path, monkeypatch, in_process):
    def without(*_, **__):
        raise error("nau/figure12: its file must exist; run 'paper-checks train nau/figure12'")

    figures = {"one": SimpleNamespace(render=without), "two": SimpleNamespace(render=lambda *_, **__: "two.png")}
    monkeypatch.setattr(catalogue, "figures", lambda: figures)
    status, out, err = in_process("figures", "--folder", tmp_path)
    assert (status, out) == (1, "two.png\n")
    assert err.startswith("paper-checks: one is not drawn: nau/figure12: its file must exist; run")
