"""A claim: a checkable statement of a paper, with all its evidence."""

import itertools
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields
from typing import Any

import sympy

from montecarlo import Statistic, Sweep
from paper_checks.claims.expectation import Expects, Form, Kind
from paper_checks.claims.fields import FORMS, field_mistakes
from paper_checks.claims.points import complete
from paper_checks.claims.relations import Equals, Relation, Rounds
from paper_checks.rules.means import Status
from theory import Formula

# Figures and pages are files with these names: none may be hidden or lead to another folder.
NAME = re.compile(r"[a-z0-9]+")
IDENTIFIER = re.compile(rf"{NAME.pattern}/[A-Za-z0-9\-_][A-Za-z0-9.\-_]*")
# Most characters of an id: names of files have at most 255.
LONGEST = 100


@dataclass(frozen=True)
class Price:
    """The same statistic without an assumption of the paper, to show the effect of dropping it.

    Attributes
    ----------
    says : str
        What is no longer assumed, and what is simulated instead.
    measured : Statistic
    points : sequence of mappings
    derived : mapping of name to callable
        Values by name for the paper's formula, added to the claim's.
    """

    says: str
    measured: Statistic
    points: Sequence[Mapping[str, Any]]
    derived: Mapping[str, Callable] = field(default_factory=dict)


@dataclass(frozen=True)
class Claim:
    """A checkable statement of a paper.

    Attributes
    ----------
    id : str
        Permanent id: ``paper/place``.
    at, says : str
        Place in the paper, and the statement in our words.
    printed : Formula, optional
        The formula exactly as published.
    relation : Relation
    corrected : Formula, optional
        The correct formula, where the published one is wrong; ``printed`` must then be refuted.
    exact : Formula, optional
        The exact value behind an approximation.
    points : sequence of mappings
        Values by name: numbers, or strings for exact rationals.
    derived : mapping of name to callable
        Further values by name, computed from those of a point.
    functional : callable (function of mpmath numbers by name, point) -> mpf, optional
        The quantity to compare if it is not the formula's value itself (for example an integral of a density).
    derivation : callable -> sympy.Expr, optional
        The expression as it follows from the definitions; its difference to the formula must be zero.
    proof : callable -> bool, optional
        A symbolic argument for a statement that is not a formula (a limit, a monotonicity).
    integral : callable (**point) -> mpf, optional
        The defining integral or sum, by mpmath, independent of the closed form.
    measured : Statistic, optional
        The statistic of a kernel that must agree with the formula.
    same_samples_as : str
        Id of a claim that measures the same quantity at the same points. Both share their samples, and each takes as
        many of them as it needs.
    experiment : callable (context) -> Finding, optional
        A run of its own, for figures and tables; see :func:`paper_checks.evidence.experiment.concluded`.
    runs : Sweep or tuple of Sweep
        Training runs that the experiment reads by ``context.rows(sweep)``.
    evidence : sequence of records
        Further evidence; each kind of record has its own kind of evidence, see :mod:`paper_checks.evidence`.
    slips : mapping of description to sympy.Expr
        Hand-written plausible mistakes, added to the automatically altered formulas.
    scale : callable (**point) -> number, or a pair of it and its name, optional
        Reference magnitude of the tolerance; default: the value itself. ``scale_says`` is its name.
    assumptions, note : str
        What the claim assumes; what a reader should know.
    price : Price, optional
    kind : Kind
        Whether the statement is published, additional or an alternative interpretation.
    expects : Expects, optional
        Expected verdict: ``WRONG``, ``wrong("misprint")``, ``OPEN`` or ``unchecked("why")``. Default: REFUTED with a
        corrected formula, CONFIRMED without.
    form : Form, optional
        Where ``printed`` comes from. Default: published for a statement of the paper, reconstructed where our copy has
        lost its formulas (:attr:`Paper.lost`), ours for the rest.
    quote : str
        The sentence that is judged, word for word as in our copy.
    place : (module, line), optional
        The statement that declares it; found by :func:`claim`.
    """

    id: str
    at: str
    says: str
    relation: Relation = field(default_factory=Equals)
    printed: Formula | None = None
    corrected: Formula | None = None
    exact: Formula | None = None
    points: Sequence[Mapping[str, Any]] = ()
    derived: Mapping[str, Callable] = field(default_factory=dict)
    functional: Callable | None = None
    derivation: Callable[[], sympy.Expr] | None = None
    proof: Callable[[], bool] | None = None
    integral: Callable | None = None
    measured: Statistic | None = None
    same_samples_as: str = ""
    experiment: Callable | None = None
    runs: Any = ()
    evidence: Sequence[Any] = ()
    slips: Mapping[str, sympy.Expr] = field(default_factory=dict)
    scale: Any = None
    scale_says: str = "the value"
    assumptions: str = ""
    note: str = ""
    price: Price | None = None
    kind: Kind = Kind.PUBLISHED
    expects: Expects = None  # type: ignore[assignment]  # By default made of the other fields.
    form: Form | None = None
    quote: str = ""
    place: tuple[str, int] | None = field(default=None, compare=False, repr=False)

    def __post_init__(self):
        if not isinstance(self.runs, tuple | list):
            object.__setattr__(self, "runs", (self.runs,))
        if isinstance(self.scale, tuple) and len(self.scale) == 2 and self.scale_says == Claim.scale_says:
            magnitude, name = self.scale
            object.__setattr__(self, "scale", magnitude)
            object.__setattr__(self, "scale_says", name)
        if self.form is None:
            object.__setattr__(self, "form", Form.PUBLISHED if self.kind is Kind.PUBLISHED else Form.OURS)
        if self.expects is None:
            status = Status.CONFIRMED if self.corrected is None else Status.REFUTED
            object.__setattr__(self, "expects", Expects(status))
        for what, requirement in itertools.chain(self._kinds(), field_mistakes(self), self._mistakes()):
            raise ValueError(f"claim {self.id}: {what}; {requirement}" if requirement else what)

    def _kinds(self) -> Iterator[tuple[str, str]]:
        """Fields whose value has the wrong type, and what to write instead."""
        if not isinstance(self.id, str) or not IDENTIFIER.fullmatch(self.id):
            what = "use letters, digits, . - _, and no dot at the beginning"
            yield f"claim: id must look like 'paper/place', got {self.id!r}; {what}", ""
        elif len(self.id) > LONGEST:
            got = f"got {len(self.id)}: {self.id[:40]!r}..."
            yield f"claim: id must have at most {LONGEST} characters, {got}; shorten the place", ""
        kinds = (
            ("relation", Relation, "a relation", "Equals() or another, with brackets"),
            ("price", Price, "a Price", "price=Price(says, measured, points)"),
            ("kind", Kind, "a Kind", "kind=Kind.ADDITIONAL or Kind.ALTERNATIVE"),
            ("form", Form, "a Form", "form=Form.RECONSTRUCTED or Form.OURS"),
            ("expects", Expects, "what is expected", "expects=WRONG, OPEN, wrong('misprint') or unchecked('why')"),
        )
        for name, kind, wanted, hint in kinds:
            value = getattr(self, name)
            if value is not None and not isinstance(value, kind):
                yield f"{name}= must be {wanted}, got {value!r}", f"write {hint}"
        if not all(isinstance(sweep, Sweep) for sweep in self.runs):
            yield f"runs= must be sweeps, got {self.runs!r}", "write runs=montecarlo.Sweep(...)"

    def _mistakes(self) -> Iterator[tuple[str, str]]:
        """Reasons why the claim cannot be judged, and what to do about them."""
        relation = self.relation
        for name in relation.needs:
            if getattr(self, name) is None:
                yield f"the relation {relation.kind} needs {name}=, got none", f"give {name}="
        yield from relation.mistakes(self)
        if self.same_samples_as and (self.measured is None or not IDENTIFIER.fullmatch(str(self.same_samples_as))):
            got = f"got {self.same_samples_as!r} and measured={self.measured}"
            yield f"same_samples_as= must be the id of a claim that measures the same, {got}", "leave it out"
        if self.corrected is not None and self.printed is None:
            yield "corrected= needs printed=, got none", "keep the published formula"
        if self.proof and self.derivation:
            yield "proof= and derivation= are the same kind of evidence, got both", "put one into the other"
        compares = self.derivation or self.reference or self.price or (self.measured and relation.samples)
        if compares and self.printed is None:
            yield "its check compares printed=, got none", "give the published formula"
        a_law = self.measured is not None and self.measured.kind == "law"
        if a_law != (relation.samples == "law"):
            got = f"got {relation.kind} and {self.measured}"
            yield f"relation Distributed and measured=law(...) go together, {got}", "use both or neither"
        if isinstance(relation, Rounds) and self.derivation:
            yield "Rounds compares numbers, got derivation=", "give the true value by exact= or integral="
        if self.corrected is not None and self.expected_status is Status.CONFIRMED:
            got = "got expects= CONFIRMED"
            yield f"corrected= means that the published formula is wrong, {got}", "leave one of them out"
        checks = (self.derivation, self.proof, self.reference, self.measured, self.experiment)
        has_check = any(c is not None for c in checks) or self.evidence or relation.rung
        if not has_check and not self.unchecked:
            yield "needs a check, or expects=unchecked('why'), got neither", "add one"
        if not self.functional and (self.measured or self.reference):
            yield from self._lacking()
        if (self.measured or self.reference) and not self.points:
            names = self.printed.names if self.printed is not None else ()
            yield "needs points at which to measure, got none", "add points=grid(...)" if names else "add points=[{}]"

    def _lacking(self) -> Iterator[tuple[str, str]]:
        """Arguments of the formulas to which a point gives no value."""
        forms = [form for form in (self.printed, self.corrected, self.exact) if form is not None]
        known = {*self.derived, getattr(self.relation, "variable", "")}
        for point in self.points:
            for name in dict.fromkeys(n for form in forms for n in form.names):
                if name not in known and name not in point:
                    yield f"the point lacks {name!r}, got {sorted(point)}", "name its values as the formula does"

    def _repr_markdown_(self) -> str:
        """Markdown for notebooks: the place, the statement, and its equations."""
        forms = {"": self.printed, "correct: ": self.corrected, "exact: ": self.exact}
        equations = [f"{name}$$ {form.latex()} $$" for name, form in forms.items() if form is not None]
        return "\n\n".join([f"**{self.id}**, {self.at}: {self.says}", *equations])

    @property
    def paper(self) -> str:
        return self.id.split("/")[0]

    @property
    def stated(self) -> str:
        """The statement, its relation and its formulas as text, by which a verdict on another statement is known."""
        plain = str | int | float | sympy.Basic | Mapping
        kind = {f.name: v for f in fields(self.relation) if isinstance(v := getattr(self.relation, f.name), plain)}
        forms = {name: form.expr for name in FORMS if (form := getattr(self, name)) is not None}
        named = (f"{name} = {value}" for name, value in {**kind, **forms}.items())
        return "; ".join([self.says, self.relation.kind, *named])

    @property
    def stream(self) -> str:
        """Name of the random stream: the id of the claim for which the samples are simulated."""
        return self.same_samples_as or self.id

    @property
    def truth(self) -> Formula | None:
        """The formula that the measurement must confirm."""
        exact = None if isinstance(self.relation, Rounds) else self.exact
        return exact or self.corrected or self.printed

    @property
    def reference(self) -> Callable | Formula | None:
        """The independent value to 30 digits: the integral, or the exact value that is rounded."""
        return self.integral or (self.exact if isinstance(self.relation, Rounds) else None)

    @property
    def right_is_known(self) -> bool:
        """Whether the formula to be confirmed should be correct; False for a refuted one without a correction."""
        refuted = self.expected_status is Status.REFUTED and not self.relation.of_a_property
        return self.truth is not self.printed or not refuted

    @property
    def expected_status(self) -> Status:
        return self.expects.status

    @property
    def unchecked(self) -> str:
        """Why there is no check; empty where there is one."""
        return self.expects.why

    @property
    def correct(self) -> tuple[str, ...]:
        """Ids of the claims that state what is correct, where this one is refuted."""
        return self.expects.correct

    @property
    def copy(self) -> bool:
        """Whether the error may come from the conversion of our copy."""
        return self.expects.copy

    @property
    def of_runs(self) -> bool:
        """Whether it is an empirical statement of the paper."""
        return self.kind is Kind.PUBLISHED and self.relation.empirical and not self.unchecked

    @property
    def of_print(self) -> bool:
        """Whether it is a statement or formula of the paper that is not about experiments."""
        return self.kind is Kind.PUBLISHED and not self.relation.empirical and not self.unchecked

    def namespace(self, point: Mapping[str, Any]) -> dict[str, sympy.Expr]:
        """All exact values at a point: given and derived ones."""
        return complete(point, self.derived)

    def namespaces(self) -> list[dict[str, sympy.Expr]]:
        return [self.namespace(p) for p in self.points]
