"""Plain English: words that readers had to guess, and sentences that are too long."""

import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from statistics import fmean

from paper_checks.claims.claim import Claim

LONGEST, MEAN = 40, 22

# The word that readers had to guess, as a pattern, and what to write.
WORDS = {
    r"(as |not |is |are )?printed|prints?|in print": "published",
    r"right forms?": "correct formula",
    r"survives?|survived": "correct",
    r"beyond": "above, additional result",
    r"(another|other|our|a) readings?|reading of ours": "alternative interpretation",
    r"contradicted by runs": "not reproduced",
    r"resolutions?": "tolerance",
    r"mutants?": "altered formulas",
    r"play|plays|played|playing": "simulate, run",
    r"rungs?|ladder": "kind of evidence",
    r"told|tells?|telling": "significant, distinguished",
    r"decides?|decided|would decide": "settles, is needed to settle it",
    r"shares": "fractions",
    r"apart": "separately, except",
    r"laws? of (?!large numbers)|(its|the|a|this|that|other|any|same|normal|discrete) laws?": "distribution",
    r"price": "effect of dropping an assumption",
    r"tiers?": "precision",
    r"slips?": "hand-written plausible mistakes",
    r"anew": "again",
    r"deltas": "back-propagated gradients",
    r"what to take": "recommendations",
    r"pieces": "linear regions",
    r"rooms?": "package, folder",
}
PATTERNS = {re.compile(rf"\b(?:{word})\b", re.IGNORECASE): instead for word, instead in WORDS.items()}
# What is no prose: code, formulas, quotations, ids of claims, options, addresses.
FENCE = re.compile(r"^(```|~~~).*?^\1", re.DOTALL | re.MULTILINE)
NO_PROSE = re.compile(
    r"`[^`]*`|\$\$.*?\$\$|\$[^$\n]*\$|“[^”]*”|\"[^\"\n]*\"|\b[a-z0-9]+/[\w.*-]+|--[a-z-]+|\]\([^)]*\)|<[^>]*>",
    re.DOTALL,
)
END = re.compile(r"(?<=[.!?])\s+(?=[A-Z0-9“#]|\([a-z]\)\s)")


def prose(text: str) -> str:
    """The text with what is no prose as one sign."""
    return NO_PROSE.sub("#", text)


def sentences(text: str) -> list[str]:
    """Sentences of a text that is one paragraph."""
    return [s for s in END.split(" ".join(prose(text).split())) if s]


def faults(text: str) -> Iterator[str]:
    """Words of the list, and sentences that are too long."""
    for sentence in sentences(text):
        for pattern, instead in PATTERNS.items():
            if found := pattern.search(sentence):
                yield f"{found[0]!r}, write {instead}: {sentence[:400]}"
        if len(sentence.split()) > LONGEST:
            yield f"{len(sentence.split())} words: {sentence[:400]}"


def texts(claim: Claim) -> list[str]:
    """What a reader sees of a claim, apart from its quotation."""
    why = [claim.expects.why, claim.expects.unknown] if claim.expects else []
    more = [*claim.slips, claim.relation.detail, claim.price.says if claim.price else ""]
    return [t for t in (claim.at, claim.says, claim.assumptions, claim.note, claim.scale_says, *why, *more) if t]


def paragraphs(path: Path) -> list[str]:
    """Paragraphs, items and cells of a Markdown file, without its code."""
    text = FENCE.sub("", path.read_text(encoding="utf-8"))
    blocks = re.split(r"\n\s*\n|\n(?=\s*(?:[-*|#>]|\d+\.)\s?)|\|", text)
    return [b.strip(" \n-*#>|") for b in blocks if b.strip(" \n-*#>|")]


def mean_length(all_texts: Iterable[str]) -> float:
    """Words of a sentence on average."""
    return fmean(len(s.split()) for text in all_texts for s in sentences(text))
