"""Programs in processes of their own, all of them forked from one that has imported what they share."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

__all__ = ["Forks"]

SERVER = """
import json
import os
import sys

exec(sys.argv[1], {"__name__": "shared"})
for line in sys.stdin:
    asked, children = json.loads(line), []
    for program, out, err in asked["programs"]:
        children.append(os.fork())
        if not children[-1]:
            break
    else:
        print(json.dumps([os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) for child in children]), flush=True)
        continue
    for number, name in ((1, out), (2, err)):
        os.dup2(os.open(name, os.O_WRONLY | os.O_CREAT), number)
    os.environ.clear()
    os.environ.update(asked["environment"])
    os.chdir(asked["folder"])
    sys.path[1:1] = os.environ.get("PYTHONPATH", "").split(os.pathsep)
    exec(program, {"__name__": "__main__"})
    break
"""


class Forks:
    """A process that does once what programs share, imports say, and forks for each of them.

    A program finds the environment and the folder of its call, but for what was read from them before.
    """

    def __init__(self, shared: str):
        command = [sys.executable, "-c", SERVER, shared]
        self._server = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def run(self, *programs: str) -> list[subprocess.CompletedProcess]:
        """What became of programs that ran at the same time, each in its process."""
        with TemporaryDirectory() as folder:
            files = [[f"{folder}/{i}.{end}" for end in ("out", "err")] for i in range(len(programs))]
            asked = [[program, *names] for program, names in zip(programs, files, strict=True)]
            request = {"programs": asked, "environment": dict(os.environ), "folder": str(Path.cwd())}
            self._server.stdin.write(json.dumps(request) + "\n")
            self._server.stdin.flush()
            statuses = json.loads(self._server.stdout.readline())
            texts = [[Path(name).read_text() for name in names] for names in files]
        return [
            subprocess.CompletedProcess(program, status, *text)
            for program, status, text in zip(programs, statuses, texts, strict=True)
        ]

    def __enter__(self) -> Forks:
        return self

    def __exit__(self, *_) -> None:
        with self._server:
            self._server.stdin.close()
