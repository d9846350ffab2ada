"""The command line: paper-checks list | show | verify | report | figures | init | train."""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import sys
import textwrap
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Executor, ThreadPoolExecutor
from pathlib import Path
from typing import Any

from montecarlo import Store, StoreError
from montecarlo.engine import WorkerLost
from paper_checks import init_command, papers, train
from paper_checks.claim import Claim, NoSuchClaim, Registry
from paper_checks.findings import Verdict
from paper_checks.recorded import DEFAULT, Record, RecordError, sources_fingerprint
from paper_checks.report import describe, report
from paper_checks.verdict import RESOLUTION
from paper_checks.verify import DEFAULT_SEED, verify

__all__ = ["main"]

AS_EXPECTED, UNEXPECTED, USAGE, INTERRUPTED = 0, 1, 2, 130
STORE = Path(".paper_checks/store.sqlite")
REPORT = Path("paper_checks.md")


class UsageError(Exception):
    """The command cannot be carried out as given."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command; returns the exit status.

    0 all verdicts as expected, 1 an unexpected verdict or a failed run, 2 usage, 130 interrupted (resumable).
    """
    options = _parser().parse_args(arguments)
    try:
        return options.run(options)
    except KeyboardInterrupt:
        print("interrupted; finished blocks are stored, the same command goes on from here", file=sys.stderr)
        return INTERRUPTED
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return AS_EXPECTED
    except WorkerLost as error:
        print(f"paper-checks: {error}", file=sys.stderr)
        return UNEXPECTED
    except OSError as error:
        print(f"paper-checks: {error.filename or 'a file'}: {error.strerror or error}", file=sys.stderr)
        return USAGE
    except (UsageError, NoSuchClaim, ValueError, papers.ClaimsFileError, RecordError, StoreError) as error:
        print(f"paper-checks: {error.args[0] if error.args else error}", file=sys.stderr)
        return USAGE


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="paper-checks", description="Decide, result by result, what papers state.")
    commands = parser.add_subparsers(required=True, metavar="COMMAND")

    def command(name: str, run: Callable, text: str) -> argparse.ArgumentParser:
        sub = commands.add_parser(name, help=text, description=text)
        sub.set_defaults(run=run)
        return sub

    def claims(sub: argparse.ArgumentParser) -> None:
        sub.add_argument("--claims", metavar="FILE", help="a Python file with claims of your own, instead of ours")

    def sampling(sub: argparse.ArgumentParser) -> None:
        sub.add_argument("--seed", type=int, default=DEFAULT_SEED, help="master seed (default %(default)s)")
        sub.add_argument("--workers", type=_count, default=os.cpu_count(), help="threads (default: all cores)")
        sub.add_argument("--dask", metavar="ADDRESS", help="run on a Dask cluster")
        sub.add_argument("--store", metavar="FILE", default=STORE, help="where blocks are kept (default %(default)s)")

    sub = command("list", _list, "List claims.")
    sub.add_argument("patterns", nargs="*", metavar="PATTERN")
    sub.add_argument("--json", action="store_true")
    claims(sub)

    sub = command("show", _show, "Show one claim with its formulas and its recorded evidence.")
    sub.add_argument("id", metavar="ID")
    sub.add_argument("--json", action="store_true")
    claims(sub)

    sub = command("verify", _verify, "Check claims.")
    sub.add_argument("patterns", nargs="*", metavar="PATTERN")
    sub.add_argument("--tier", choices=sorted(RESOLUTION), default="quick")
    sampling(sub)
    claims(sub)
    sub.add_argument("--record", nargs="?", const=DEFAULT, metavar="FILE", help="keep the verdicts for 'report'")
    sub.add_argument("--json", action="store_true", help="one JSON object per claim")

    sub = command("report", _report, "Write paper_checks.md from recorded verdicts.")
    sub.add_argument("--record", default=DEFAULT, metavar="FILE")
    sub.add_argument("--output", default=REPORT, metavar="FILE")
    sub.add_argument("--check", action="store_true", help="write nothing; fail when the report is not current")
    claims(sub)

    sub = command("figures", _figures, "Compute and draw figures.")
    sub.add_argument("names", nargs="*", metavar="NAME")
    sub.add_argument("--folder", default=Path("figures/rendered"), metavar="DIR")
    sub.add_argument("--samples", type=_count, help="samples per cell, where the figure is simulated")
    sub.add_argument("--results", metavar="DIR", help="galu_figure_1 only: a folder with results of 'train'")
    sub.add_argument("--redraw", action="store_true", help="draw from the saved numbers, without simulation")
    sub.add_argument("--list", action="store_true", help="list the figures")
    sampling(sub)
    init_command.add_parser(commands)
    train.add_parser(commands)
    return parser


def _count(text: str) -> int:
    try:
        number = int(float(text)) if "e" in text.lower() else int(text)
    except (ValueError, OverflowError):
        number = 0
    if number < 1:
        raise argparse.ArgumentTypeError(f"must be a positive whole number, got {text}")
    return number


def _registry(options: argparse.Namespace) -> Registry:
    return papers.load_file(options.claims) if options.claims else papers.built_in()


def _list(options: argparse.Namespace) -> int:
    registry = _registry(options)
    claims = registry.select(options.patterns)
    known = _known(options)
    if options.json:
        for claim in claims:
            print(json.dumps(_json(claim, known.get(claim.id)), ensure_ascii=False))
        return AS_EXPECTED
    width = max(len(c.id) for c in claims)
    for claim in claims:
        verdict = known[claim.id].status if claim.id in known else "-"
        line = f"{claim.id:<{width}}  {verdict:<12}  {claim.at}: {claim.says}"
        print(textwrap.shorten(line, 160, placeholder=" …") if sys.stdout.isatty() else line)
    return AS_EXPECTED


def _show(options: argparse.Namespace) -> int:
    registry = _registry(options)
    claim = registry.select([options.id])[0]
    verdict = _known(options).get(claim.id)
    print(json.dumps(_json(claim, verdict), ensure_ascii=False) if options.json else describe(claim, verdict))
    return AS_EXPECTED


def _known(options: argparse.Namespace) -> dict[str, Verdict]:
    """Recorded verdicts by id; none for a user's own claims."""
    if options.claims or not DEFAULT.exists():
        return {}
    return {v.id: v for v in Record.read(DEFAULT).verdicts}


def _verify(options: argparse.Namespace) -> int:
    registry = _registry(options)
    claims = registry.select(options.patterns)
    if options.record and options.patterns:
        raise UsageError("--record keeps the verdicts of all claims: leave the patterns out")
    if options.claims and options.record and Path(options.record).resolve() == DEFAULT:
        raise UsageError("--record without a file keeps the verdicts on our claims: name a file for yours")
    with _executor(options) as executor, Store(options.store) as store, _progress(options.json) as progress:
        verdicts = verify(
            claims, tier=options.tier, seed=options.seed, executor=executor, store=store, progress=progress
        )
    for claim, verdict in zip(claims, verdicts, strict=True):
        print(json.dumps(_json(claim, verdict), ensure_ascii=False) if options.json else _line(claim, verdict))
    wrong = [v for v in verdicts if not v.as_expected]
    if options.record:
        extra = [Path(options.claims)] if options.claims else []
        command = f"paper-checks verify --tier {options.tier} --seed {options.seed} --record"
        Record(sources_fingerprint(extra), options.tier, options.seed, command, tuple(verdicts)).write(
            Path(options.record)
        )
    if not options.json:
        mutants = f"{sum(v.killed for v in verdicts)} of {sum(v.mutants for v in verdicts)} mutants rejected"
        print(f"{len(verdicts)} claims: {len(verdicts) - len(wrong)} as expected, {len(wrong)} not; {mutants}")
    return UNEXPECTED if wrong else AS_EXPECTED


def _line(claim: Claim, verdict: Verdict) -> str:
    mark = " " if verdict.as_expected else "!"
    z = verdict.worst("z")
    detail = f"z {z:+5.1f}  n {verdict.n:.1e}" if z is not None and verdict.n else ",".join(verdict.rungs)
    line = f"{mark} {claim.id:<34} {verdict.status:<12} {detail:<22} {verdict.killed}/{verdict.mutants} mutants"
    if not verdict.as_expected:
        line += f"\n    expected {verdict.expected}; " + _why(verdict)
    return line


def _why(verdict: Verdict) -> str:
    """The first reason that a reader needs for an unexpected verdict."""
    for finding in verdict.findings:
        for point in finding.points:
            if point.status is not verdict.expected and point.reason:
                return f"{finding.rung} at {point.point}: {point.reason}"
        if finding.defects:
            return f"{finding.rung}: mutants not rejected: {'; '.join(finding.defects[:3])}"
        if finding.truth != "CONFIRMED" or finding.printed not in (None, verdict.expected):
            return f"{finding.rung}: {finding.says} (printed {finding.printed}, right form {finding.truth})"
    return verdict.counterexample or "see --json"


def _json(claim: Claim, verdict: Verdict | None) -> dict[str, Any]:
    """The object of one claim."""
    return {
        "id": claim.id,
        "paper": claim.paper,
        "locator": claim.at,
        "statement": claim.says,
        "kind": "beyond the paper" if claim.beyond else "unchecked" if claim.unchecked else "claim",
        "relation": claim.relation.kind,
        "rungs": verdict.rungs if verdict else [],
        "verdict": verdict.status if verdict else None,
        "expected": claim.expected_status,
        "printed": claim.printed.latex() if claim.printed else None,
        "corrected": claim.corrected.latex() if claim.corrected else None,
        "counterexample": verdict.counterexample if verdict else None,
        "z": verdict.worst("z") if verdict else None,
        "resolution": verdict.worst("resolution") if verdict else None,
        "n": verdict.n if verdict else None,
        "seed": verdict.seed if verdict else None,
        "mutants_killed": verdict.killed if verdict else None,
        "mutants_total": verdict.mutants if verdict else None,
        "seconds": round(verdict.seconds, 3) if verdict else None,
    }


def _report(options: argparse.Namespace) -> int:
    if options.claims and options.record and Path(options.record).resolve() == DEFAULT:
        raise UsageError("--claims needs --record FILE: without it the report is on our claims")
    registry = _registry(options)
    record = Record.read(Path(options.record))
    text = report(registry, record, {} if options.claims else _captions())
    output = Path(options.output)
    if not options.check:
        output.write_text(text, encoding="utf-8")
        return AS_EXPECTED
    extra = [Path(options.claims)] if options.claims else []
    if record.fingerprint != sources_fingerprint(extra):
        raise_stale("the recorded verdicts were made by other sources; run 'make verify'")
    if not output.exists() or output.read_text(encoding="utf-8") != text:
        raise_stale(f"{output} is not what 'paper-checks report' writes; run it")
    return AS_EXPECTED


def raise_stale(text: str) -> None:
    """Stop with status 1: the report is not current."""
    print(f"paper-checks: {text}", file=sys.stderr)
    raise SystemExit(UNEXPECTED)


def _captions() -> dict[str, str]:
    """The captions of all figures by name."""
    import importlib

    # By name: nothing else may depend on the figures.
    return {name: figure.CAPTION for name, figure in importlib.import_module("figures").FIGURES.items()}


def _figures(options: argparse.Namespace) -> int:
    import importlib

    # By name: nothing else may depend on the figures, and the command line works without Matplotlib.
    figures = importlib.import_module("figures")
    if options.list:
        print("\n".join(figures.FIGURES))
        return AS_EXPECTED
    unknown = [n for n in options.names if n not in figures.FIGURES]
    if unknown:
        raise UsageError(f"no figure is called {unknown[0]!r}; there are {', '.join(figures.FIGURES)}")
    for name in options.names or figures.FIGURES:
        extra = {key: getattr(options, key) for key in ("samples", "results") if getattr(options, key)}
        with _executor(options) as executor, Store(options.store) as store, _progress(False) as progress:
            path = figures.render(
                name, Path(options.folder), redraw=options.redraw, executor=executor, store=store,
                progress=progress, seed=options.seed, **extra,
            )  # fmt: skip
        print(path)
    return AS_EXPECTED


@contextlib.contextmanager
def _executor(options: argparse.Namespace) -> Iterator[Executor]:
    if not options.dask:
        executor = ThreadPoolExecutor(options.workers)
        try:
            yield executor
        finally:
            executor.shutdown(wait=True, cancel_futures=True)
        return
    try:
        from dask.distributed import Client
    except ImportError:
        raise UsageError("--dask needs Dask, which is not installed; pip install 'paper-checks[dask]'") from None
    try:
        client = Client(options.dask, timeout=10)
    except OSError as error:
        raise UsageError(f"no Dask scheduler answers at {options.dask}: {error}") from None
    with client, client.get_executor() as executor:
        yield executor


@contextlib.contextmanager
def _progress(quiet: bool) -> Iterator[Callable[[int, int], None] | None]:
    if quiet or not sys.stderr.isatty():
        yield None
        return
    from tqdm import tqdm

    with tqdm(total=1, unit="sample", unit_scale=True, smoothing=0.1, leave=False, dynamic_ncols=True) as bar:

        def progress(done: int, expected: int) -> None:
            bar.total = expected
            bar.update(done - bar.n)

        yield progress


if __name__ == "__main__":
    sys.exit(main())
