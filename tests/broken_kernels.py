"""Kernels that are right, and each of them broken in one place: programs are put together from parts by a seed.

A kernel is a list of observables of draws at (first + i, k); a defect changes one place of the program. The text of
both is Python that Numba compiles as well.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

import montecarlo

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
        lines = ["def played(stream, first, scale, out):", "    total = 0.0"]
        columns = range(len(self.terms))
        for loop in [[j] for j in columns] if self.nests else [columns]:
            lines.append(f"    for i in {changes.get('rows', 'range(out.shape[0])')}:")
            for k, draw in enumerate(self.draws):
                sample = changes.get(f"sample_{k}", changes.get("sample", "first + i"))
                lines.append(f"        a{k}, b{k} = " + changes.get(f"draw_{k}", draw.format(sample=sample, k=k)))
            lines += ["        " + changes.get(f"write_{j}", f"out[i, {j}] = {self.terms[j]}") for j in loop]
        return "\n".join(lines)


def defects(program: Program, j: int, k: int) -> dict[str, list[dict[str, str]]]:
    """Changes that make each kind of defect, in column j or draw k."""
    term, n, write = program.terms[j], len(program.terms), f"write_{j}"
    rows = ("range(1, out.shape[0])", "range(out.shape[0] - 1)", "range(0, out.shape[0], 2)")
    elsewhere = (f"i, {n}", f"i, {n + 1}", f"i + 1, {j}", f"i, {(j + 1) % (n + 1)}")
    return {
        "offset dropped": [*({"sample": s} for s in ("i", "i + 1", "out.shape[0] - i")), {f"sample_{k}": "i"}],
        "state kept": [
            {write: f"total += {term}; out[i, {j}] = total"},
            {write: f"memory[0] += 1.0; out[i, {j}] = {term} + memory[0]"},
        ],
        "row left": [*({"rows": r} for r in rows), {write: f"if (first + i) % 3 == 0: out[i, {j}] = {term}"}],
        "wrong column": [
            *({write: f"out[i, {j}] = {term}; out[i, {beyond}] = 2.0 + a0"} for beyond in (n, n + 1)),
            *({write: f"out[{where}] = {term} + 1.0"} for where in elsewhere),
        ],
        "np.random": [{f"draw_{k}": drawn} for drawn in ("np.random.random(), 0.5", "0.5, np.random.normal()")],
        "memory read": [{write: f"out[i, {j}] += {term}"}],
    }


def generated(seed: int) -> Iterator[tuple[str, int, str, str]]:
    """(defect, number of columns, the right text, the broken text) without end; all defects in turn."""
    rng = np.random.default_rng(seed)
    while True:
        draws = tuple(rng.choice(DRAWS, rng.integers(1, 4)))
        names = [f"{side}{k}" for k in range(len(draws)) for side in "ab"]
        # Every draw has its part in every column: a defect in one of them must be one of the numbers.
        terms = tuple(
            str(rng.choice(TERMS)).format(a=rng.choice(names), b=rng.choice(names)) + " + " + " + ".join(names)
            for _ in range(rng.integers(1, 4))
        )
        program = Program(draws, terms, bool(rng.integers(2)))
        for name, ways in defects(program, rng.integers(len(terms)), rng.integers(len(draws))).items():
            yield name, len(terms), program.text(), program.text(**rng.choice(ways))


def made(text: str, columns: int, *, compiled: bool) -> montecarlo.Kernel:
    """As a Numba kernel, or as a simulator in plain Python with the numbers of the compiled draws."""
    draws = {name: getattr(montecarlo, name) for name in ("uniform2", "normal2", "bernoulli2")}
    scope = {"np": np, "memory": np.zeros(1), "__name__": __name__, **draws}
    exec(text, scope)
    if compiled:
        return montecarlo.kernel(scope["played"], columns=columns)
    # Fewer rows than of a compiled one, so that ten thousand of them take minutes.
    return montecarlo.simulator(scope["played"], columns=columns, block=64 * 40)
