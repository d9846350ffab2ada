"""The store: it keeps what it was given, and never touches what is not its own."""

import contextlib
import sqlite3
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from kernels_for_tests import long_job

from montecarlo import Moments, Store, StoreError, measure
from montecarlo.engine.store import APPLICATION_ID, VERSION

RNG = np.random.default_rng(7)


def some_moments(n=8):
    return [Moments(10 + i, *map(float, RNG.normal(size=6))) for i in range(n)]


def filled(path, blocks=8):
    """A closed store with blocks of two jobs; returns what it holds for the first."""
    moments = some_moments(blocks)
    with Store(path) as store:
        for i, m in enumerate(moments):
            store.put(b"job", 100 * i, 100, m.to_bytes())
            store.put(b"other", 100 * i, 100, m.merge(m).to_bytes())
    return {(100 * i, 100): m for i, m in enumerate(moments)}


def test_what_was_put_is_loaded_bit_for_bit(tmp_path):
    path = tmp_path / "deep" / "folder" / "store.sqlite"
    expected = filled(path)
    with Store(path) as store:
        assert store.load(b"job") == expected
        assert len(store.load(b"other")) == 8
        assert store.load(b"third") == {}


def test_a_block_is_kept_as_it_was_first_in_memory_where_no_file_is_named():
    one, two = some_moments(2)
    with Store(None) as store:
        store.put(b"job", 0, 1, one.to_bytes())
        store.put(b"job", 0, 1, two.to_bytes())
        assert store.load(b"job") == {(0, 1): one}


def written(path, *statements):
    """By another program, in the language of SQLite."""
    with contextlib.closing(sqlite3.connect(path)) as db:
        for statement in statements:
            db.execute(statement)
        db.commit()


def another_program(path):
    columns = "(job BLOB, first, count, moments, check_sum)"
    written(path, f"CREATE TABLE blocks {columns}", "INSERT INTO blocks VALUES (x'00', 1, 1, x'00', x'00')")


def another_layout(path):
    filled(path)
    written(path, f"PRAGMA user_version={VERSION + 1}")


def cut_short(path):
    filled(path, 200)
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2 + 100])


def wiped_inside(path):
    filled(path, 200)
    data = bytearray(path.read_bytes())
    data[4096:8192] = bytes(4096)
    path.write_bytes(data)


@pytest.mark.parametrize(("make", "words"), [
    (another_program, "another program"),
    (lambda path: written(path, "PRAGMA application_id=12345"), "another program"),
    (another_layout, f"layout {VERSION + 1}"),
    (lambda path: path.write_text("Do not lose these notes.\n" * 100), "not a SQLite file"),
    (lambda path: path.write_text("notes"), "not a SQLite file"),
    (cut_short, "damaged"),
    (wiped_inside, "damaged"),
])  # fmt: skip
def test_a_foreign_or_damaged_file_is_refused_and_left_as_it_is(make, words, tmp_path):
    path = tmp_path / "store.sqlite"
    make(path)
    before = path.read_bytes()
    with pytest.raises(StoreError, match=words) as error, Store(path) as store:
        store.load(b"job")
    assert str(path) in str(error.value)
    assert "--store" in str(error.value) or "move it away" in str(error.value)
    assert path.read_bytes() == before


def test_an_empty_file_and_one_left_by_a_kill_before_its_table_was_made_become_stores(tmp_path):
    empty, left = tmp_path / "empty.sqlite", tmp_path / "left.sqlite"
    empty.touch()
    written(left, "PRAGMA journal_mode=WAL")
    assert left.stat().st_size > 0
    assert len(filled(empty)) == len(filled(left)) == 8


@pytest.mark.parametrize("name", ["", "file/store.sqlite", "/proc/store.sqlite"])
def test_where_no_file_can_be_the_error_says_what_to_do(name, tmp_path):
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(StoreError, match=rf"{name}.*name a writable file with --store"):
        Store(tmp_path / name)
    assert (tmp_path / "file").read_text() == "in the way"


def test_a_store_that_cannot_be_written_says_so_and_keeps_what_it_has(tmp_path):
    expected = filled(tmp_path / "s.sqlite")
    with Store(tmp_path / "s.sqlite") as store:
        store._db.execute("PRAGMA query_only=ON")
        (block,) = some_moments(1)
        store.put(b"job", 10**6, 1, block.to_bytes())
        with pytest.raises(StoreError, match=r"readonly.*name a writable file"):
            store.commit()
        store._db.execute("PRAGMA query_only=OFF")
        assert store.load(b"job") == expected | {(10**6, 1): block}


def test_a_full_disk_says_what_to_do_and_loses_nothing_stored_before(tmp_path, monkeypatch):
    job, path = long_job(400), tmp_path / "s.sqlite"
    monkeypatch.setattr("montecarlo.engine.store.COMMIT_INTERVAL", 0.0)
    monkeypatch.setattr("montecarlo.engine.run.LARGEST", 0)  # Each block is stored by itself.
    store = Store(path)
    store._db.execute("PRAGMA max_page_count=8")
    for work in (lambda: measure([job], store=store), store.close):
        with pytest.raises(StoreError, match="disk is full; free some space and run the same command again"):
            work()
    with Store(path) as store:
        kept = len(store.load(job.key()))
        assert 50 < kept < 400
        (resumed,) = measure([job], store=store)
    assert resumed.to_bytes() == measure([job])[0].to_bytes()


def test_a_flipped_byte_of_a_block_is_an_error(tmp_path):
    path = tmp_path / "s.sqlite"
    expected = filled(path)
    data = path.read_bytes()
    stored = expected[100, 100].to_bytes()
    place = data.index(stored)
    for i in range(len(stored)):
        flipped = bytearray(data)
        flipped[place + i] ^= 0x10
        path.write_bytes(flipped)
        with Store(path) as store, pytest.raises(StoreError, match="fails its check sum; move it away"):
            store.load(b"job")


def test_opening_a_store_writes_nothing(tmp_path):
    path = tmp_path / "s.sqlite"
    filled(path)
    before = path.read_bytes()
    with Store(path) as store:
        store.load(b"job")
    assert path.read_bytes() == before
    assert int.from_bytes(before[68:72], "big") == APPLICATION_ID


def test_many_may_open_and_write_one_new_file_at_once(tmp_path, monkeypatch):
    monkeypatch.setattr("montecarlo.engine.store.COMMIT_INTERVAL", 0.0)
    moments, path = some_moments(100), tmp_path / "s.sqlite"

    def write(_who):
        with Store(path) as store:
            for i, m in enumerate(moments):
                store.put(b"job", i, 1, m.to_bytes())
            return store.load(b"job")

    with ThreadPoolExecutor(6) as threads:
        found = list(threads.map(write, range(6)))
    assert all(f == {(i, 1): m for i, m in enumerate(moments)} for f in found)


def test_what_a_lock_keeps_out_is_tried_again(tmp_path, monkeypatch):
    monkeypatch.setattr("montecarlo.engine.store.PATIENCE", 0.05)
    (block,) = some_moments(1)
    with Store(tmp_path / "s.sqlite") as store:
        other = sqlite3.connect(store.path, isolation_level=None)
        other.execute("BEGIN IMMEDIATE")
        store.put(b"job", 0, 10, block.to_bytes())
        with pytest.raises(StoreError, match="another process keeps it locked"):
            store.commit()
        other.execute("ROLLBACK")
        other.close()
    with Store(tmp_path / "s.sqlite") as store:
        assert store.load(b"job") == {(0, 10): block}
