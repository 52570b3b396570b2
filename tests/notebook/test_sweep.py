"""Many designs: what is read, what is written, what is kept, who does it, and what happens when it is stopped."""

from __future__ import annotations

import csv
import json
import os
import signal
import subprocess
import sys
import time
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path

import pytest

import dpdesigner as dp
from dpdesigner.cli import main
from dpdesigner.notebook.sweep import LEDGER, SUMMARY, sweep_to
from dpdesigner.notebook.sweep_tables import Designs

TABLE = "name,n,epsilon,prior,loss\nKent,20,1,binomial:0.3,absolute\nEssex,2,ln 2,1 2 3,squared\nDevon,20,nan,uniform,absolute\n"
GRID = {"base": {"loss": "absolute", "prior": "uniform"}, "grid": {"n": [5, 8], "epsilon": ["1/2", "ln 2", 1]}}


@pytest.fixture
def table(tmp_path):
    path = tmp_path / "counties.csv"
    path.write_text(TABLE, "utf-8")
    return path


def rows(folder):
    with (folder / SUMMARY).open(newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


@pytest.fixture
def swept(capsys):
    """Run the command in this process."""

    def call(*words):
        status = main(["sweep", *map(str, words)])
        return subprocess.CompletedProcess(words, status, *capsys.readouterr())

    return call


def sweep_command(*words, **options):
    run = [sys.executable, "-m", "dpdesigner", "sweep", *map(str, words)]
    return subprocess.run(run, capture_output=True, text=True, **options)


def test_a_table_is_one_design_a_row(table, tmp_path):
    (tmp_path / "weights.csv").write_text("kent,essex\n1,5\n2,6\n0,7\n", "utf-8")
    table.write_text(TABLE.replace("1 2 3", "weights.csv#essex"), "utf-8")
    kent, essex, devon = list(Designs(table))
    assert kent == {"kind": "count", "name": "Kent", "n": "20", "epsilon": "1", "prior": "binomial:0.3", "loss": "absolute"}
    assert essex["prior"] == [5, 6, 7] and devon["epsilon"] == "nan"


def test_a_grid_is_every_combination(tmp_path):
    path = tmp_path / "grid.json"
    path.write_text(json.dumps(GRID), "utf-8")
    found = list(Designs(path))
    assert [(data["n"], data["epsilon"]) for data in found] == [(n, e) for n in (5, 8) for e in ("1/2", "ln 2", 1)]
    assert found[0]["name"] == "n=5-epsilon=1/2" and len({data["name"] for data in found}) == 6


@pytest.mark.parametrize(
    ("name", "text", "words"),
    [
        ("a.json", "[1", "must contain JSON"),
        ("a.json", "{}", "must contain {"),
        ("a.json", '{"grid": {"n": 5}}', "must have a list of values for n"),
        ("a.csv", "", "must contain"),
        ("a.csv", "n,n\n1,2\n", "column once"),
        ("a.csv", "1,2\n1,2\n", "must name each column once"),
        ("a.csv", "n,epsilon\n1\n", "line 2 must have 2 cells"),
        ("a.csv", "n,prior\n1,[1\n", "must be JSON"),
        ("a.csv", "n,prior\n1,none.csv#a\n", "none.csv"),
        ("a.dpd", "{}", "format"),
    ],
)
def test_what_is_no_list_of_designs_is_one_sentence(swept, tmp_path, name, text, words):
    path = tmp_path / name
    path.write_text(text, "utf-8")
    found = swept(path, "--to", tmp_path / "out")
    assert found.returncode == 2 and words in found.stderr and found.stderr.count("\n") == 1
    assert not (tmp_path / "out").exists()


def test_tables_are_proved_and_one_that_fails_is_told(swept, table, tmp_path):
    folder = tmp_path / "out"
    found = swept(table, "--to", folder)
    assert found.returncode == 2 and "2 done, 0 unchanged, 1 failed" in found.stdout and "one process" in found.stdout
    assert "Devon: epsilon must be a number" in found.stderr
    kent, essex, devon = rows(folder)
    assert dp.verify(folder / kent["file"], epsilon=1).passed and dp.verify(folder / essex["file"], epsilon="ln 2").passed
    solved = dp.solve(dp.CountDesign(20, epsilon=1, prior="binomial:0.3", name="Kent"))
    assert float(kent["value"]) == solved.value and devon["state"] == "failed" and not devon["file"]
    assert (folder / "Kent.csv").read_text("utf-8") == solved.table()


def test_what_is_there_is_kept_and_what_was_changed_is_made_again(table, tmp_path):
    folder, designs = tmp_path / "out", list(Designs(table))[:2]
    assert [row.state for row in sweep_to(folder, designs)] == ["done", "done"]
    before = (folder / SUMMARY).read_text("utf-8")
    assert [row.state for row in sweep_to(folder, designs)] == ["kept", "kept"]
    (folder / "Kent.csv").write_text("1", "utf-8")
    with (folder / LEDGER).open("a", encoding="utf-8") as ledger:
        ledger.write('{"name": "Ess')  # as a power cut leaves it
    assert {row.name: row.state for row in sweep_to(folder, designs)} == {"Kent": "done", "Essex": "kept"}
    assert (folder / SUMMARY).read_text("utf-8") == before
    changed = [{**designs[0], "epsilon": "2"}, designs[1]]
    assert sorted(row.state for row in sweep_to(folder, changed)) == ["done", "kept"]


def test_names_become_files_of_their_own(tmp_path):
    designs = [
        {"kind": "count", "name": name, "n": 2, "epsilon": 1, "prior": "uniform", "loss": "absolute"}
        for name in "a/ a: a".split()
    ]
    files = [next(iter(row.files)) for row in sweep_to(tmp_path, designs)]
    assert len(set(files)) == 3 and all((tmp_path / name).is_file() for name in files)


@pytest.mark.parametrize("workers", [None, 2])
def test_python_gets_outcomes_in_order(workers):
    designs = [dp.CountDesign(n=5, epsilon=epsilon) for epsilon in ("1/2", 1, "ln 2")] + [dp.NoiseDesign(epsilon=1)]
    told = []
    with ThreadPoolExecutor(2) as executor:
        found = dp.sweep(designs, executor if workers else None, lambda share, text="": told.append(share))
    assert [each.design for each in found] == designs and not any(each.error for each in found)
    assert [each.outcome.findings["value"].value for each in found] == [
        dp.solve(design).findings["value"].value for design in designs
    ]
    assert told[-1] == 1


def test_the_workers_may_fail():
    class Lost(ThreadPoolExecutor):
        def submit(self, *_):
            future = Future()
            future.set_exception(OSError("gone"))
            return future

    (found,) = dp.sweep([dp.CountDesign(5, epsilon=1)], Lost(1))
    assert found.outcome is None and "its worker stopped (OSError: gone)" in found.error


def test_a_sweep_that_was_killed_goes_on(tmp_path):
    path, folder = tmp_path / "grid.json", tmp_path / "out"
    grid = {"base": {"n": 120, "loss": "absolute", "prior": "uniform"}, "grid": {"epsilon": [k / 20 for k in range(1, 31)]}}
    path.write_text(json.dumps(grid), "utf-8")
    words = [sys.executable, "-m", "dpdesigner", "sweep", path, "--to", folder, "--workers", "1"]
    process = subprocess.Popen(words, stdout=subprocess.DEVNULL)
    while not (folder / LEDGER).exists() or (folder / LEDGER).read_text().count("\n") < 3:
        time.sleep(0.01)
    process.send_signal(signal.SIGKILL if os.name != "nt" else signal.SIGTERM)
    process.wait()
    assert not [path for path in folder.iterdir() if path.suffix == ".csv" and not dp.verify(path).passed]
    again = sweep_command(path, "--to", folder, "--workers", "2", "--json")
    found = json.loads(again.stdout)
    assert found["kept"] >= 3 and found["failed"] == 0 and found["kept"] + found["done"] == 30 == len(rows(folder))


#: Two workers, of which one is killed when the first tables are there.
CLUSTER = """
import json, os, signal, sys
from distributed import LocalCluster
if __name__ == "__main__":
    with LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None, silence_logs=50) as cluster:
        pids = [worker.pid for worker in cluster.workers.values()]
        import dpdesigner.cli.sweep as sweeping
        real, seen = sweeping.sweep_to, []
        def watched(*words, **more):
            for row in real(*words, **more):
                seen.append(row)
                if len(seen) == 3:
                    os.kill(pids[0], signal.SIGKILL)
                yield row
        sweeping.sweep_to = watched
        from dpdesigner.cli import main
        sys.exit(main(["sweep", sys.argv[1], "--to", sys.argv[2], "--cluster", cluster.scheduler_address]))
"""


def test_a_cluster_of_two_workers_of_which_one_is_killed(tmp_path):
    path, script, folder = tmp_path / "grid.json", tmp_path / "cluster.py", tmp_path / "out"
    path.write_text(
        json.dumps(
            {"base": {"n": 60, "loss": "absolute", "prior": "uniform"}, "grid": {"epsilon": [k / 10 for k in range(1, 25)]}}
        )
    )
    script.write_text(CLUSTER, "utf-8")
    environment = {
        **os.environ,
        "PYTHONPATH": os.pathsep.join([str(Path(dp.__file__).parent.parent), os.environ.get("PYTHONPATH", "")]),
    }
    found = subprocess.run(
        [sys.executable, script, path, folder], capture_output=True, text=True, timeout=120, cwd=tmp_path, env=environment
    )
    assert found.returncode == 0, found.stderr
    assert "24 designs by the cluster at" in found.stdout and "0 failed" in found.stdout
    assert all(dp.verify(folder / row["file"]).passed for row in rows(folder))


def test_a_cluster_that_is_not_there_is_a_sentence(table, tmp_path):
    found = sweep_command(table, "--to", tmp_path / "out", "--cluster", "tcp://127.0.0.1:1")
    assert found.returncode == 2 and "no Dask scheduler answers at tcp://127.0.0.1:1" in found.stderr


def test_what_a_killed_sweep_left_is_removed_by_the_next(table, tmp_path):
    folder = tmp_path / "out"
    folder.mkdir()
    script = (
        "import os, signal, sys; from dpdesigner.files import atomic\n"
        "ready = atomic._Ready(sys.argv[1]); ready.fill([b'half']); print(ready.temporary.name, flush=True)\n"
        "os.kill(os.getpid(), signal.SIGKILL if os.name != 'nt' else signal.SIGTERM)"
    )
    killed = subprocess.run([sys.executable, "-c", script, folder / "Kent.csv"], capture_output=True, text=True)
    left = folder / killed.stdout.strip()
    assert left.is_file() and left.name.endswith(".part")
    of_others = [folder / left.name.replace(left.name.split(".")[-2], name) for name in (f"00000000-1-{'0' * 12}", "mine")]
    of_others.append(folder / left.name.replace(left.name.split("-")[-2], str(os.getpid())))  # which still runs
    for path in of_others:
        path.write_text("theirs", "utf-8")
    if os.name == "posix":
        assert [row.state for row in sweep_to(folder, list(Designs(table))[:2])] == ["done", "done"]
        assert not left.exists() and all(path.exists() for path in of_others)


class Changed(ThreadPoolExecutor):
    """An executor whose workers give something else."""

    def __init__(self, change):
        super().__init__(1)
        self.change = change

    def submit(self, work, *given):
        return super().submit(lambda: self.change(work, *given))


def test_a_worker_of_another_version_is_refused(table, tmp_path):
    from dataclasses import replace

    def other(tried, made, task):
        return tried(made, replace(task, version="0.0.9"))  # as a worker sees it whose own version differs

    found = list(sweep_to(tmp_path / "one", list(Designs(table))[:2], executor=Changed(other)))
    assert [row.state for row in found] == ["failed", "failed"]
    assert all("but the sweep was started with 0.0.9; install the same version" in row.error for row in found)

    def older(tried, made, task):
        result, error, settled = tried(made, task)
        return result._replace(version="0.0.9"), error, settled  # one that did not look

    found = list(sweep_to(tmp_path / "two", list(Designs(table))[:2], executor=Changed(older)))
    assert [row.state for row in found] == ["failed", "failed"] and "the worker has dpdesigner 0.0.9" in found[0].error
    assert sorted(path.name for path in (tmp_path / "two").iterdir()) == [SUMMARY, LEDGER]


@pytest.mark.parametrize("wanted", ["csv", "tsv", "tex"])
@pytest.mark.parametrize(
    "design", [dp.CountDesign(2, alpha="1/2", name="a"), dp.ChoiceDesign([[0, 1], [1, 0]], name="a", epsilon=1)], ids=str
)
def test_what_a_worker_made_is_verified_again(tmp_path, wanted, design):
    def spoilt(tried, made, task):
        result, error, settled = tried(made, task)
        files = tuple(
            (name, text.replace("0.3", "0.4").replace("0.2", "0.1").replace("{1}", "{2}")) for name, text in result.files
        )
        return result._replace(files=files), error, settled

    good = list(sweep_to(tmp_path / "good", [design.to_json()], [wanted], Changed(lambda tried, made, task: tried(made, task))))
    assert [row.state for row in good] == ["done"]
    if design.kind == "choice" and wanted == "tex":
        return  # rounded for print, and said so
    bad = list(sweep_to(tmp_path / "bad", [design.to_json()], [wanted], Changed(spoilt)))
    assert [row.state for row in bad] == ["failed"] and "not a mechanism with the requested privacy" in bad[0].error


def test_a_broken_pool_is_one_line_of_log(tmp_path, caplog):
    class Broken(ThreadPoolExecutor):
        def submit(self, *_):
            future = Future()
            future.set_exception(OSError("gone"))
            return future

    found = dp.sweep([dp.CountDesign(n, epsilon=1) for n in range(1, 30)], Broken(1))
    assert all(each.error for each in found)
    assert [record.getMessage() for record in caplog.records] == ["a worker failed: OSError: gone"]
    assert caplog.records[0].exc_info is None


def test_a_result_that_is_lost_with_its_worker_is_asked_for_once_more(caplog):
    class Loses(ThreadPoolExecutor):
        def __init__(self, *given):
            super().__init__(*given)
            self.asked = []

        def submit(self, *given):
            self.asked.append(given)
            if len(self.asked) not in (3, 7):
                return super().submit(*given)
            future = Future()
            future.set_exception(AttributeError("'str' object has no attribute 'with_traceback'"))
            return future

    with Loses(1) as loses:
        found = dp.sweep([dp.CountDesign(n, epsilon=1) for n in range(1, 12)], loses)
    assert len(found) == 11 and not any(each.error for each in found)
    assert len(loses.asked) == 13 and not caplog.records


LONELY = """
import sys
from distributed import LocalCluster
from dpdesigner.cli import main
if __name__ == "__main__":
    with LocalCluster(n_workers=0, dashboard_address=None) as cluster:
        sys.exit(main(["sweep", sys.argv[1], "--to", sys.argv[2], "--cluster", cluster.scheduler_address, "--timeout", "6"]))
"""


def test_a_scheduler_without_workers_is_reported(table, tmp_path):
    script = tmp_path / "lonely.py"
    script.write_text(LONELY, "utf-8")
    found = subprocess.run([sys.executable, script, table, tmp_path / "out"], capture_output=True, text=True, timeout=120)
    assert found.returncode == 2 and found.stdout == ""
    *earlier, last = found.stderr.splitlines()  # the cluster's own warnings stand between, as of a port that is taken
    assert any("has no workers yet; waiting for one." in line for line in earlier)
    assert "has no workers after 6 s; start some with" in last
    assert not (tmp_path / "out").exists()


def test_a_timeout_is_for_a_cluster(swept, table, tmp_path):
    found = swept(table, "--to", tmp_path / "out", "--timeout", "5")
    assert found.returncode == 2 and "too." in found.stderr


def long_rows(text):
    return [tuple(line.split(",")) for line in text.splitlines()]


def expected_rows(name, table):
    header, *rows = [line.split(",") for line in table.splitlines()]
    return [(name, row[0], released, entry) for row in rows for released, entry in zip(header[1:], row[1:], strict=True)]


def solved_rows():
    kent = dp.solve(dp.CountDesign(20, epsilon=1, prior="binomial:0.3", name="Kent")).table()
    essex = dp.solve(dp.CountDesign(2, epsilon="ln 2", prior=[1, 2, 3], loss="squared", name="Essex")).table()
    return [("name", "true", "released", "probability"), *expected_rows("Kent", kent), *expected_rows("Essex", essex)]


def test_one_long_table_instead_of_files(swept, table, tmp_path):
    folder, long = tmp_path / "out", tmp_path / "long.csv"
    found = swept(table, "--to", folder, "--table", long)
    assert found.returncode == 2 and "2 done, 0 unchanged, 1 failed" in found.stdout and str(long) in found.stdout
    assert sorted(path.name for path in folder.iterdir()) == [SUMMARY, LEDGER]
    assert long_rows(long.read_text("utf-8")) == solved_rows()
    before = long.read_bytes()
    again = swept(table, "--to", folder, "--table", long, "--json")
    assert json.loads(again.stdout)["kept"] == 2 and long.read_bytes() == before
    assert not list(tmp_path.glob("*.part*"))


def test_a_parquet_table_has_the_same_rows(swept, table, tmp_path):
    parquet = pytest.importorskip("pyarrow.parquet")
    long = tmp_path / "long.parquet"
    for state in ("done", "kept"):
        assert json.loads(swept(table, "--to", tmp_path / "out", "--table", long, "--json").stdout)[state] == 2
        found = parquet.read_table(long).to_pylist()
        assert [tuple(map(str, row.values())) for row in found] == solved_rows()[1:]
        assert {type(row["true"]) for row in found} == {int}


def test_a_table_that_was_stopped_goes_on_behind_its_last_whole_design(tmp_path):
    designs = [{"name": f"a,{n}", "n": n, "epsilon": "1"} for n in range(3, 9)]
    whole, long = tmp_path / "whole.csv", tmp_path / "long.csv"
    list(sweep_to(tmp_path / "whole", [{"kind": "count", **each} for each in designs], (), table=whole))
    given = [{"kind": "count", **each} for each in designs]
    stopped = sweep_to(tmp_path / "out", given, (), table=long)
    for _ in range(3):
        next(stopped)
    stopped.close()
    part = tmp_path / "long.csv.part"
    with part.open("ab") as file:
        file.write(b'"a,6",0,0,0.')  # half a line, as a power cut leaves it
    assert not long.exists()
    states = [row.state for row in sweep_to(tmp_path / "out", given, (), table=long)]
    assert states == ["kept"] * 3 + ["done"] * 3 and long.read_bytes() == whole.read_bytes() and not part.exists()
    changed = [*given[:2], {**given[2], "epsilon": "2"}, *given[3:]]
    assert [row.state for row in sweep_to(tmp_path / "out", changed, (), table=long)] == ["kept"] * 2 + ["done"] * 4
    assert long.read_bytes() != whole.read_bytes()
    assert long.read_text().startswith('name,true,released,probability\n"a,3",0,0,')


def test_only_the_formats_that_were_named_are_written_and_defaults_are_those_of_the_design(swept, tmp_path):
    path = tmp_path / "short.csv"
    path.write_text("name,n,epsilon\nKent,5,1\n", "utf-8")
    assert swept(path, "--to", tmp_path / "out", "--formats", "csv,tex").returncode == 0
    assert sorted(each.name for each in (tmp_path / "out").iterdir()) == ["Kent.csv", "Kent.tex", SUMMARY, LEDGER]
    assert (tmp_path / "out" / "Kent.csv").read_text() == dp.solve(dp.CountDesign(5, epsilon=1)).table()


def test_the_long_table_goes_to_standard_output(table, tmp_path):
    found = sweep_command("-", "--to", "-", "--workers", "2", input=TABLE, cwd=tmp_path)
    assert found.returncode == 2 and "Devon: epsilon must be a number" in found.stderr
    assert long_rows(found.stdout) == solved_rows()
    assert not [path for path in tmp_path.iterdir() if path != table]


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["--to", "out", "--table", "long.txt"], "the long table must be a .csv or .parquet file, got long.txt."),
        (["--to", "-", "--table", "long.csv"], "remove --formats and --table."),
        (["--to", "-", "--formats", "csv"], "remove --formats and --table."),
        (["--to", "out", "--formats", ","], "got none."),
    ],
)
def test_a_long_table_that_cannot_be_is_one_sentence(swept, table, tmp_path, monkeypatch, words, sentence):
    monkeypatch.chdir(tmp_path)
    found = swept(table, *words)
    assert found.returncode == 2 and sentence in found.stderr and found.stderr.count("\n") == 1
    assert [path.name for path in tmp_path.iterdir()] == [table.name]


def test_what_has_no_mechanism_has_no_lines(tmp_path):
    (row,) = sweep_to(tmp_path / "out", [dp.NoiseDesign(epsilon=1, name="a").to_json()], (), table=tmp_path / "long.csv")
    assert row.error == "a noise design has no table of true and released results, so it has no lines in a long table."
    (again,) = sweep_to(tmp_path / "out", [dp.NoiseDesign(epsilon=1, name="a").to_json()], (), table=tmp_path / "long.csv")
    assert again.error == row.error, "the same would fail again"


def test_the_time_that_is_left_is_told(tmp_path, monkeypatch):
    now, told = [0.0], []

    def progress(share, text=""):
        told.append(text)
        now[0] += 100

    monkeypatch.setattr("dpdesigner.notebook.sweep.time.monotonic", lambda: now[0])
    designs = [{"kind": "count", "name": str(n), "n": 1, "epsilon": 1} for n in range(1, 5)]
    now[0] = 0
    for _ in sweep_to(tmp_path, designs, progress=progress):
        pass
    assert told == ["1 of 4 designs", "2 of 4 designs, 2 min left", "3 of 4 designs, 67 s left", "4 of 4 designs"]


@pytest.mark.skipif(sys.platform != "linux", reason="the unit of ru_maxrss")
def test_memory_does_not_grow_with_the_number_of_designs(tmp_path):
    """Ten times the designs take no more memory at their peak than the first of them and a little."""
    script = (
        "import resource, sys; from dpdesigner.cli import main\n"
        "main(['sweep', sys.argv[1], '--to', sys.argv[2], '--table', sys.argv[2] + '.csv', '--workers', '1', '-q'])\n"
        "print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)"
    )
    peaks = []
    for count in (100, 1000):
        path = tmp_path / f"{count}.csv"
        weights = " ".join(map(str, range(1, 10)))
        path.write_text("n,epsilon,prior\n" + "".join(f"8,{1 + k / 5000},{weights}\n" for k in range(count)), "utf-8")
        found = subprocess.run([sys.executable, "-c", script, path, tmp_path / str(count)], capture_output=True, text=True)
        peaks.append(int(found.stdout.split()[-1]))
    assert peaks[1] - peaks[0] < 8000, "kilobytes; ten times the texts, rows and ledger would be more"
