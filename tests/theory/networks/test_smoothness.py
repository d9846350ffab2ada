"""Weights for a wanted length scale: what is found has it, what cannot be had is refused, the command says so."""

import argparse
import json
import math

import pytest

from paper_checks.commands import init as init_command
from paper_checks.commands.init import smooth as init_smooth
from theory.initialisation import smoothness
from theory.initialisation.wanted_length import LENGTHS, MEASURES, NONLINEARITIES


@pytest.mark.parametrize(("nonlinearity", "by"), LENGTHS)
@pytest.mark.parametrize(("fan_in", "length"), [(1, 0.3), (4, 1.5), (784, 20.0)])
def test_the_length_is_the_wanted_one(nonlinearity, by, fan_in, length):
    found = smoothness(length, fan_in, nonlinearity=nonlinearity, by=by)
    assert LENGTHS[nonlinearity, by](found.weight_scale, found.sigma) == pytest.approx(length, rel=1e-10)
    assert getattr(found, f"{by}_length") == pytest.approx(length, rel=1e-10)
    assert found.weight_scale == pytest.approx(found.sigma / math.sqrt(fan_in), rel=1e-15)
    assert -2.001 < found.exponent < (-0.999 if by == "extrema" else 0)


def test_by_extrema_erf_has_a_closed_form():
    """sigma^2 = (n + sqrt(n^2 + n l^2))/(2 l^2), from l = sqrt(n (1 + 4 sigma^2))/(2 sigma^2)."""
    n, length = 3, 0.7
    closed = math.sqrt((n + math.sqrt(n * n + n * length**2)) / (2 * length**2))
    assert smoothness(length, n, nonlinearity="erf").sigma == pytest.approx(closed, rel=1e-12)


@pytest.mark.parametrize(
    ("arguments", "named", "message"),
    [
        ((2.0, 1), {"by": "zeros"}, "got 2; by zeros sigma can give 0.04[0-9]* to 1$"),
        ((0.0, 1), {}, r"length_scale must be a number in \[0.01, 10000\], got 0; scale the inputs"),
        ((1.0, 0), {}, r"fan_in must be an integer in \[1, 1000000\], got 0; pass the number of inputs"),
        ((1.0, 1), {"nonlinearity": "relu"}, "nonlinearity must be one of tanh, erf, got 'relu'"),
        ((1.0, 1), {"by": "slopes"}, "by must be one of extrema, zeros, got 'slopes'"),
    ],
)
def test_what_cannot_be_had_is_refused(arguments, named, message):
    with pytest.raises(ValueError, match=message):
        smoothness(*arguments, **named)


def parsed(*words):
    parser = argparse.ArgumentParser()
    init_command.add_arguments(parser)
    return parser.parse_args(["smooth", *map(str, words)])


def test_the_command_prints_sigma_and_json(capsys):
    assert init_command.run(parsed("--fan-in", 1, "--length-scale", 1)) == 0
    assert "sigma 1.20684" in capsys.readouterr().out
    init_command.run(parsed("--fan-in", 2, "--length-scale", 0.5, "--by", "zeros", "--nonlinearity", "erf", "--json"))
    found = json.loads(capsys.readouterr().out)
    assert found["zeros_length"] == pytest.approx(0.5)
    assert found["nonlinearity"] == "erf"


def test_the_command_names_what_is_missing_or_has_no_meaning():
    with pytest.raises(ValueError, match="--length-scale must be given for smooth"):
        init_command.run(parsed("--fan-in", 1))
    with pytest.raises(ValueError, match="smooth must be asked without --criterion"):
        init_command.run(parsed("--fan-in", 1, "--length-scale", 1, "--criterion", "he"))


def test_the_choices_of_the_command_are_those_of_the_function():
    parser = argparse.ArgumentParser()
    init_smooth.add_arguments(parser)
    choices = {a.dest: a.choices for a in parser._actions if a.choices}
    assert choices == {"nonlinearity": NONLINEARITIES, "by": MEASURES}
