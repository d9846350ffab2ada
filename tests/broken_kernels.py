"""Kernels that are right, and each of them broken in one place: programs are put together from parts by a seed.

A kernel is a list of observables of draws at (first + i, k); a defect changes one place of the program. The text of
both is Python that Numba compiles as well.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

import montecarlo
from montecarlo.engine.models import Kernel

DRAWS = ("uniform2(stream, {sample}, {k})", "normal2(stream, {sample}, {k})", "bernoulli2(stream, {sample}, {k}, 0.4)")
TERMS = ("{a} * {b}", "{a} + scale * {b}", "{a} - {b} * {b}", "scale * {a}", "{a} if {a} < {b} else {b}", "abs({a})")


@dataclass(frozen=True)
class Program:
    """The parts of a kernel: draws by index, and the terms of its columns."""

    draws: tuple[str, ...]
    terms: tuple[str, ...]
    nests: bool

    def text(self, **changes: str) -> str:
        """The function, with a part exchanged by name."""
        c = {"sample": "first + i", "rows": "range(out.shape[0])", "before": "", "head": "", "tail": "", **changes}
        lines = ["def played(stream, first, scale, out):"]
        lines += [c["before"]] if c["before"] else []
        loops = [[j] for j in range(len(self.terms))] if self.nests else [range(len(self.terms))]
        for columns in loops:
            lines.append(f"    for i in {c['rows']}:")
            lines += [c["head"]] if c["head"] else []
            for k, draw in enumerate(self.draws):
                name = c.get(f"sample_{k}", c["sample"])
                lines.append(f"        a{k}, b{k} = " + c.get(f"draw_{k}", draw.format(sample=name, k=k)))
            for j in columns:
                lines.append("        " + c.get(f"write_{j}", f"out[i, {j}] = {self.terms[j]}"))
            lines += [c["tail"]] if c["tail"] else []
        return "\n".join(lines)


def programs(rng: np.random.Generator) -> Iterator[Program]:
    """Right kernels, one after the other."""
    while True:
        draws = tuple(rng.choice(DRAWS, rng.integers(1, 4)))
        names = [f"{side}{k}" for k in range(len(draws)) for side in "ab"]
        columns = int(rng.integers(1, 4))
        # Every draw has its part in every column: a defect in one of them must be one of the numbers.
        terms = tuple(
            str(rng.choice(TERMS)).format(a=rng.choice(names), b=rng.choice(names)) + " + " + " + ".join(names)
            for _ in range(columns)
        )
        yield Program(draws, terms, bool(rng.integers(2)))


def _offset_dropped(p: Program, rng: np.random.Generator) -> str:
    if rng.integers(2):
        return p.text(sample=str(rng.choice(["i", "i + 1", "out.shape[0] - i"])))
    return p.text(**{f"sample_{rng.integers(len(p.draws))}": "i"})


def _state_kept(p: Program, rng: np.random.Generator) -> str:
    j = rng.integers(len(p.terms))
    if rng.integers(2):  # from row to row
        return p.text(before="    total = 0.0", **{f"write_{j}": f"total += {p.terms[j]}; out[i, {j}] = total"})
    return p.text(**{f"write_{j}": f"memory[0] += 1.0; out[i, {j}] = {p.terms[j]} + memory[0]"})


def _row_left(p: Program, rng: np.random.Generator) -> str:
    rows = ["range(1, out.shape[0])", "range(out.shape[0] - 1)", "range(0, out.shape[0], 2)"]
    if rng.integers(3):
        return p.text(rows=str(rng.choice(rows)))
    j = rng.integers(len(p.terms))
    return p.text(**{f"write_{j}": f"if (first + i) % 3 == 0: out[i, {j}] = {p.terms[j]}"})


def _wrong_column(p: Program, rng: np.random.Generator) -> str:
    j, columns = rng.integers(len(p.terms)), len(p.terms)
    if rng.integers(2):  # besides the right one
        beyond = columns + rng.integers(2)
        return p.text(**{f"write_{j}": f"out[i, {j}] = {p.terms[j]}; out[i, {beyond}] = 2.0 + a0"})
    where = str(rng.choice([f"i, {columns}", f"i, {columns + 1}", f"i + 1, {j}", f"i, {(j + 1) % (columns + 1)}"]))
    return p.text(**{f"write_{j}": f"out[{where}] = {p.terms[j]} + 1.0"})


def _np_random(p: Program, rng: np.random.Generator) -> str:
    k = rng.integers(len(p.draws))
    return p.text(**{f"draw_{k}": str(rng.choice(["np.random.random(), 0.5", "0.5, np.random.normal()"]))})


def _memory_read(p: Program, rng: np.random.Generator) -> str:
    j = rng.integers(len(p.terms))
    return p.text(**{f"write_{j}": f"out[i, {j}] += {p.terms[j]}"})


DEFECTS: dict[str, Callable[[Program, np.random.Generator], str]] = {
    "offset dropped": _offset_dropped,
    "state kept": _state_kept,
    "row left": _row_left,
    "wrong column": _wrong_column,
    "np.random": _np_random,
    "memory read": _memory_read,
}


def generated(seed: int) -> Iterator[tuple[str, Program, str, str]]:
    """(defect, program, the right text, the broken text) without end; all defects in turn."""
    rng = np.random.default_rng(seed)
    for program in programs(rng):
        for name, defect in DEFECTS.items():
            yield name, program, program.text(), defect(program, rng)


def _function(text: str, names: dict[str, Any]) -> Callable:
    scope = {"np": np, "memory": np.zeros(1), "__name__": __name__, **names}
    exec(text, scope)
    return scope["played"]


def interpreted(text: str, columns: int) -> Kernel:
    """As a simulator in plain Python, with the numbers of the compiled draws."""
    names = ("uniform2", "normal2", "bernoulli2")
    made = montecarlo.simulator(_function(text, {name: getattr(montecarlo, name) for name in names}), columns=columns)
    # Fewer rows than of a compiled one, so that ten thousand of them take minutes.
    object.__setattr__(made, "block", 64 * 40)
    return made


def compiled(text: str, columns: int) -> Kernel:
    """As a Numba kernel."""
    names = ("uniform2", "normal2", "bernoulli2")
    return montecarlo.kernel(_function(text, {name: getattr(montecarlo, name) for name in names}), columns=columns)
