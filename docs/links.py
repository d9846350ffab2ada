"""Check that every link of built pages leads to a file and to a place in it: ``python docs/links.py FOLDER``."""

import os
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import unquote

LINK = re.compile(r' (?:href|src)="([^"]*)"')
PLACE = re.compile(r' id="([^"]*)"')


def broken(folder: Path) -> Iterator[str]:
    """A line for each link that leads nowhere; those to other hosts are not followed."""
    texts = {path.resolve(): path.read_text(encoding="utf-8") for path in folder.rglob("*.html")}
    places = {path: set(PLACE.findall(text)) for path, text in texts.items()}
    known = {path.resolve() for path in folder.rglob("*") if path.is_file()}
    for path, text in sorted(texts.items()):
        for link in sorted(set(LINK.findall(text))):
            if re.match(r"[a-z]+:", link):
                continue
            target, _, place = unquote(link.partition("?")[0]).partition("#")
            file = Path(os.path.normpath(path.parent / target)) if target else path
            if file not in known:
                yield f"{path.relative_to(folder.resolve())}: no file {link}"
            elif place and file in places and place not in places[file]:
                yield f"{path.relative_to(folder.resolve())}: no place {link}"


if __name__ == "__main__":
    found = list(broken(Path(sys.argv[1])))
    print(*found[:50], f"{len(found)} broken links", sep="\n")
    sys.exit(bool(found))
