"""Files are replaced as a whole, or stay as they were."""

import os
import resource
import signal

import pytest

from paper_checks.experiments.files import check_writable, write


def test_a_file_is_replaced_and_keeps_its_mode_and_a_link_stays_a_link(tmp_path):
    path, link = tmp_path / "a.md", tmp_path / "link.md"
    path.write_text("old")
    path.chmod(0o640)
    link.symlink_to(path)
    write(link, "new é \udc80")
    assert path.read_text(encoding="utf-8") == "new é \\udc80", "what cannot be encoded is escaped"
    assert path.stat().st_mode & 0o777 == 0o640
    assert link.is_symlink()
    assert set(tmp_path.iterdir()) == {path, link}


@pytest.mark.parametrize("act", [lambda path: write(path, "x"), check_writable])
def test_only_regular_files_are_written(tmp_path, act):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    with pytest.raises(OSError, match="not a regular file"):
        act(pipe)
    with pytest.raises(OSError, match="is a folder"):
        act(tmp_path)
    with pytest.raises(OSError, match="nowhere"):
        act(tmp_path / "nowhere" / "a.md")
    assert [p.name for p in tmp_path.iterdir()] == ["pipe"]


@pytest.mark.filterwarnings("ignore:os.fork:RuntimeWarning")  # Of JAX, where another test has imported it.
def test_under_a_limit_of_size_the_old_file_stays(tmp_path):
    path = tmp_path / "a.md"
    path.write_text("old")
    child = os.fork()
    if not child:
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (8192, 8192))
        try:
            write(path, "x" * 100_000)
        except OSError:
            os._exit(7)
        os._exit(0)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 7
    assert path.read_text() == "old"
    assert list(tmp_path.iterdir()) == [path]
