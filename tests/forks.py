"""Programs in processes of their own, all of them forked from one that has imported what they share."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from tempfile import TemporaryDirectory

SERVER = """
import gc
import json
import os
import sys

exec(sys.argv[1], {"__name__": "shared"})
gc.freeze()
for line in sys.stdin:
    asked = json.loads(line)
    if "wait" in asked:
        child, status = os.waitpid(asked["wait"], 0 if asked["block"] else os.WNOHANG)
        print(json.dumps(os.waitstatus_to_exitcode(status) if child else None), flush=True)
        continue
    streams = [os.open(name, os.O_WRONLY | os.O_CREAT if i else os.O_RDONLY) for i, name in enumerate(asked["streams"])]
    child = os.fork()
    if not child:
        break
    for stream in streams:
        os.close(stream)
    print(child, flush=True)
else:
    sys.exit()
for number, stream in enumerate(streams):
    os.dup2(stream, number)
    os.close(stream)
os.environ.clear()
os.environ.update(asked["environment"])
os.chdir(asked["folder"])
sys.path[1:1] = os.environ.get("PYTHONPATH", "").split(os.pathsep)
exec(asked["program"], {"__name__": "__main__"})
"""


class Child:
    """A process that has been forked, with what :class:`subprocess.Popen` has of one."""

    def __init__(self, server: Forks, pid: int, stdin=None, stdout=None):
        self._server, self.pid, self.stdin, self.stdout, self.returncode = server, pid, stdin, stdout, None

    def wait(self, *, block: bool = True) -> int | None:
        """The status with which it has ended."""
        if self.returncode is None:
            self.returncode = self._server.ask(wait=self.pid, block=block)
        return self.returncode

    def poll(self) -> int | None:
        """Its status, or None while it runs."""
        return self.wait(block=False)

    def send_signal(self, number: int) -> None:
        """Nothing befalls a process that has ended."""
        if self.poll() is None:
            os.kill(self.pid, number)

    def kill(self) -> None:
        """At once."""
        self.send_signal(signal.SIGKILL)

    def __enter__(self) -> Child:
        return self

    def __exit__(self, *_) -> None:
        for stream in (self.stdin, self.stdout):
            if stream:
                stream.close()
        self.wait()


class Forks:
    """A process that does once what programs share, imports say, and forks for each of them.

    A program finds the environment and the folder of its call, but for what was read from them before.
    """

    def __init__(self, shared: str):
        command = [sys.executable, "-c", SERVER, shared]
        self._server = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd=Path(__file__).parents[1]
        )

    def ask(self, **question) -> int | None:
        """What the server answers."""
        self._server.stdin.write(json.dumps(question) + "\n")
        self._server.stdin.flush()
        return json.loads(self._server.stdout.readline())

    def start(self, program: str, *streams: str, environment: Mapping[str, str] | None = None) -> Child:
        """Start a program with files for its input, its output and its errors, ``/dev/null`` where none is given."""
        files = [*streams, *["/dev/null"] * (3 - len(streams))]
        given = dict(os.environ if environment is None else environment)
        pid = self.ask(program=program, streams=files, environment=given, folder=str(Path.cwd()))
        return Child(self, pid)

    def piped(self, program: str, environment: Mapping[str, str]) -> Child:
        """Start a program to which one writes, and from which one reads, as it runs."""
        (its_input, stdin), (stdout, its_output) = os.pipe(), os.pipe()
        names = [f"/proc/{os.getpid()}/fd/{number}" for number in (its_input, its_output)]
        child = self.start(program, *names, environment=environment)
        os.close(its_input)
        os.close(its_output)
        child.stdin, child.stdout = os.fdopen(stdin, "wb"), os.fdopen(stdout, "rb")
        return child

    def run(self, *programs: str) -> list[subprocess.CompletedProcess]:
        """What became of programs that ran at the same time, each in its process."""
        with TemporaryDirectory() as folder:
            files = [[f"{folder}/{i}.{end}" for end in ("out", "err")] for i in range(len(programs))]
            started = [self.start(p, "/dev/null", *names) for p, names in zip(programs, files, strict=True)]
            statuses = [child.wait() for child in started]
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
