"""Work on a Dask cluster of two worker processes: the same bytes, whatever happens to the workers."""

import importlib
import json
import os
import re
import signal
import subprocess
import sys
import time
from dataclasses import replace

import pytest
from click.testing import CliRunner
from support import DATA, load_jsonl

from hokm_solver import cluster as module
from hokm_solver.cli import main
from hokm_solver.cluster import dask_crew
from hokm_solver.engine.arena import Clock, Duel, play_duel
from hokm_solver.errors import ClusterError, EngineError, LimitError, MissingExtra
from hokm_solver.notation import position_from_json
from hokm_solver.parallel import AHEAD_PER_JOB, ordered_map
from hokm_solver.solver import solve_many

pytestmark = pytest.mark.extra

NOBODY = "tcp://127.0.0.1:1"
COMMAND = [sys.executable, "-m", "hokm_solver"]
SOLVE = ["solve", "--no-cards", "--batch"]
DEALS = 120
KEPT_BACK = 2
ROUNDS = 3  # of the records in tests/data


def local_cluster(workers):
    distributed = pytest.importorskip("distributed")
    # A scheduler that asks a dead worker for a result knocks as long as this: 30 seconds, if nothing is said.
    importlib.import_module("dask").config.set({"distributed.comm.timeouts.connect": "10s"})
    return distributed.LocalCluster(
        n_workers=workers, threads_per_worker=1, host="127.0.0.1", dashboard_address=":0", silence_logs=60
    )


@pytest.fixture(scope="module")
def cluster():
    with local_cluster(2) as started:
        yield started


@pytest.fixture
def crew(cluster):
    with dask_crew(cluster.scheduler_address) as found:
        yield found


@pytest.fixture(scope="module")
def deals(tmp_path_factory):
    """A file of full deals that takes some seconds, with lines that cannot be answered among them."""
    path = tmp_path_factory.mktemp("deals") / "deals.jsonl"
    lines = (DATA / "deals_win.jsonl").read_text(encoding="utf-8").splitlines()[:DEALS]
    lines[7:7], lines[40:40] = ["{}"], ["not JSON"]
    path.write_text("\n".join(lines), encoding="utf-8")
    return path


@pytest.fixture(scope="module")
def answers(deals):
    """What threads of this process answer."""
    out = deals.with_name("answers.jsonl")
    CliRunner().invoke(main, [*SOLVE, str(deals), "--out", str(out)])
    return untimed(out)


def untimed(out):
    """The bytes of a file, without the only field that may differ."""
    return re.sub(rb'"seconds": [^,}]+', b"", out.read_bytes())


def start(*arguments, stdin=subprocess.DEVNULL):
    return subprocess.Popen([*COMMAND, *arguments], stdin=stdin, stdout=subprocess.PIPE, stderr=subprocess.PIPE)


def start_without_end(path, *arguments):
    """Give a process all lines but the last ones: it cannot end before it gets the rest, however late that is."""
    process = start(*arguments, stdin=subprocess.PIPE)
    lines = path.read_bytes().splitlines(keepends=True)
    process.stdin.write(b"".join(lines[:-KEPT_BACK]))
    process.stdin.flush()
    return process, b"".join(lines[-KEPT_BACK:])


def wait_for_lines(process, path, count):
    latest = time.monotonic() + 300
    while process.poll() is None and not (path.exists() and path.read_bytes().count(b"\n") >= count):
        assert time.monotonic() < latest
        time.sleep(0.02)
    assert process.poll() is None, process.communicate()


def ended(process, rest=None):
    out, said = process.communicate(rest, timeout=300)
    return process.returncode, out, said.decode()


def square(_, item):
    return item * item


def refuse_seven(_, item):
    if item == 7:
        raise LimitError("seven", field="item")
    return item


def nap(_, item):
    time.sleep(0.02)
    return item


def die(_, item):
    os.kill(os.getpid(), signal.SIGKILL)


def need_what_is_not_there(_, item):
    import no_such_module_anywhere  # noqa: F401


def without_clocks(game):
    return replace(game, clocks=(Clock(), Clock()))


def test_every_thread_of_a_worker_is_one_of_the_crew(crew):
    assert crew.jobs == 2


def test_solutions_are_the_same(crew):
    positions = [position_from_json(entry)[0] for entry in load_jsonl("positions_play")[:300]]
    there, here = ([replace(solution, seconds=0.0) for solution in solve_many(positions, jobs)] for jobs in (crew, 1))
    same = there == here  # not told by pytest, which would take minutes for the difference
    assert same


def test_matches_are_the_same(crew):
    duel = Duel("greedy", "learned", 20, seed=3)
    assert list(map(without_clocks, play_duel(duel, crew))) == list(map(without_clocks, play_duel(duel)))


def test_external_engines_stay_here(crew):
    with pytest.raises(EngineError, match="play on this machine only"):
        list(play_duel(Duel("cmd:true", "random", 1), crew))


def test_an_endless_input_is_read_only_a_little_ahead(crew):
    read = []
    endless = iter(lambda: read.append(None) or len(read), None)
    results = ordered_map(square, endless, state=object, jobs=crew)
    assert [next(results) for _ in range(500)] == [i * i for i in range(1, 501)]
    results.close()
    assert len(read) <= 500 + crew.jobs * AHEAD_PER_JOB + crew.together + 3


def test_an_error_there_is_the_same_here(crew):
    with pytest.raises(LimitError, match="seven") as caught:
        list(ordered_map(refuse_seven, range(20), state=object, jobs=crew))
    assert caught.value.field == "item"


def test_work_that_kills_every_worker_is_given_up():
    config = pytest.importorskip("dask").config
    with config.set({"distributed.scheduler.allowed-failures": 0}), local_cluster(1) as doomed:
        address = doomed.scheduler_address
        with pytest.raises(ClusterError, match="on worker after worker"), dask_crew(address) as crew:
            list(ordered_map(die, [1], state=object, jobs=crew))


def test_a_package_that_workers_lack_is_named(cluster):
    with (
        pytest.raises(ClusterError, match="has no no_such_module_anywhere installed"),
        dask_crew(cluster.scheduler_address) as crew,
    ):
        list(ordered_map(need_what_is_not_there, [1], state=object, jobs=crew))


def test_workers_without_this_package_are_refused(cluster, monkeypatch):
    monkeypatch.setattr(module, "PACKAGE", "no-such-package")
    with pytest.raises(ClusterError, match="has no no-such-package installed"), dask_crew(cluster.scheduler_address):
        pass


def test_workers_with_another_version_are_refused(cluster, monkeypatch):
    monkeypatch.setattr(module, "version", lambda name: f"1.{os.getpid()}")
    with pytest.raises(ClusterError, match=r"has hokm-solver 1\.\d+, here it is 1\."):  # noqa: SIM117
        with dask_crew(cluster.scheduler_address):
            pass


def stay_alone(lonely):
    with dask_crew(lonely.scheduler_address) as crew:
        for _ in ordered_map(nap, range(1000), state=object, jobs=crew):
            lonely.scale(0)


def test_a_cluster_that_stays_without_workers_is_told(monkeypatch):
    monkeypatch.setattr(module, "LOOK_SECONDS", 0.1)
    monkeypatch.setattr(module, "ALONE_SECONDS", 0.5)
    with local_cluster(1) as lonely, pytest.raises(ClusterError, match="has lost all its workers"):
        stay_alone(lonely)


# The command line


def test_a_batch_has_the_same_bytes(cluster, deals, answers, tmp_path):
    out = tmp_path / "out"
    process = start(*SOLVE, str(deals), "--out", str(out), "--dask", cluster.scheduler_address)
    assert ended(process) == (1, b"", "")  # two lines are no positions
    assert untimed(out) == answers


@pytest.mark.skipif(sys.platform == "win32", reason="signals of POSIX")
def test_a_batch_has_the_same_bytes_if_a_worker_is_killed_in_the_middle(deals, answers, tmp_path):
    out = tmp_path / "out"
    with local_cluster(2) as cluster:
        process, rest = start_without_end(deals, *SOLVE, "-", "--out", str(out), "--dask", cluster.scheduler_address)
        wait_for_lines(process, out, 20)
        os.kill(next(iter(cluster.workers.values())).pid, signal.SIGKILL)
        assert ended(process, rest) == (1, b"", "")
    assert untimed(out) == answers


@pytest.mark.skipif(sys.platform == "win32", reason="signals of POSIX")
def test_ctrl_c_leaves_what_can_be_continued(cluster, deals, answers, tmp_path):
    out = tmp_path / "out"
    process, _ = start_without_end(deals, *SOLVE, "-", "--out", str(out), "--dask", cluster.scheduler_address)
    wait_for_lines(process, out, 5)
    process.send_signal(signal.SIGINT)
    assert ended(process) == (130, b"", "interrupted\n")
    assert answers.startswith(untimed(out))
    assert untimed(out) != answers
    CliRunner().invoke(main, [*SOLVE, str(deals), "--out", str(out)])
    assert untimed(out) == answers


def test_a_cluster_that_goes_is_told_in_one_line_and_nothing_is_lost(deals, answers, tmp_path):
    out = tmp_path / "out"
    with local_cluster(1) as gone:
        address = gone.scheduler_address
        process, rest = start_without_end(deals, *SOLVE, "-", "--out", str(out), "--dask", address)
        wait_for_lines(process, out, 5)
    assert ended(process, rest) == (1, b"", f'error: the Dask cluster at "{address}" is gone\n')
    assert answers.startswith(untimed(out))
    CliRunner().invoke(main, [*SOLVE, str(deals), "--out", str(out)])
    assert untimed(out) == answers


def test_a_match_on_a_cluster_is_logged_and_continued(cluster, tmp_path):
    here, there = tmp_path / "here", tmp_path / "there"
    match = ["arena", "greedy", "random", "--pairs", "10", "--json", "--log"]
    CliRunner().invoke(main, [*match, str(here)])
    there.write_bytes(b"".join(here.read_bytes().splitlines(keepends=True)[:7]))
    result = CliRunner().invoke(main, [*match, str(there), "--dask", cluster.scheduler_address])
    assert (result.exit_code, result.stderr) == (0, "")
    one, other = ([json.loads(line) for line in path.read_text().splitlines()] for path in (here, there))
    for record in (*one, *other):
        del record["arena"]["ms"]
    assert one == other


@pytest.fixture(scope="module")
def archive(tmp_path_factory):
    """Records of deals, and one that cannot be read among them."""
    path = tmp_path_factory.mktemp("archive") / "archive.jsonl"
    lines = [json.dumps(entry["record"]) for entry in load_jsonl("records")] * ROUNDS
    lines[7:7] = ['{"format": "hokm-record", "version": 1}']
    path.write_text("\n".join(lines), encoding="utf-8")
    return path


REVIEW = ["review", "--summary", "--advice-samples", "4"]
BUILD = ["book", "build", "--classes", "40", "--worlds", "256", "--out"]


def test_a_summary_is_the_same(cluster, archive):
    here = CliRunner().invoke(main, [*REVIEW, "--json", str(archive)])
    there = CliRunner().invoke(main, [*REVIEW, "--json", str(archive), "--dask", cluster.scheduler_address])
    assert here.exit_code == 1  # for the record that cannot be read
    assert (json.loads(here.stdout)["deals"], json.loads(here.stdout)["failed"]) == (3 * ROUNDS, 1)
    assert (there.exit_code, there.stdout, there.stderr) == (1, here.stdout, here.stderr)


@pytest.mark.skipif(sys.platform == "win32", reason="signals of POSIX")
def test_a_review_is_the_same_if_a_worker_is_killed_in_the_middle(archive, tmp_path):
    here, there = tmp_path / "here", tmp_path / "there"
    CliRunner().invoke(main, [*REVIEW, "--what-could-be-known", str(archive), "--out", str(here)])
    with local_cluster(2) as shrinking:
        asked = [*REVIEW, "--what-could-be-known", "-", "--out", str(there)]
        process, rest = start_without_end(archive, *asked, "--dask", shrinking.scheduler_address)
        wait_for_lines(process, there, 2)
        os.kill(next(iter(shrinking.workers.values())).pid, signal.SIGKILL)
        code, _, said = ended(process, rest)
    assert (code, said) == (1, "")
    assert (here.read_bytes().count(b"\n"), here.read_bytes().count(b'"error"')) == (3 * ROUNDS + 1, 1)
    assert there.read_bytes() == here.read_bytes()


def test_a_book_has_the_same_bytes_and_is_continued(cluster, tmp_path):
    here, there = tmp_path / "here", tmp_path / "there"
    CliRunner().invoke(main, [*BUILD, str(here)])
    there.write_bytes(here.read_bytes()[:2000])
    result = CliRunner().invoke(main, [*BUILD, str(there), "--dask", cluster.scheduler_address])
    assert (result.exit_code, result.stderr) == (0, "")
    assert there.read_bytes() == here.read_bytes()


@pytest.mark.parametrize(
    ("address", "message"),
    [
        (NOBODY, 'error: no Dask scheduler answers at "tcp://127.0.0.1:1": '),
        ("nonsense", 'error: no Dask scheduler answers at "nonsense": missing port number'),
        ("", 'error: no Dask scheduler answers at "": missing port number'),
        ("http://127.0.0.1:80", "unknown address scheme"),
        ("127.0.0.1:x", 'error: no Dask scheduler answers at "127.0.0.1:x": '),
    ],
)
@pytest.mark.parametrize("command", ["solve --no-cards --batch -", "arena random greedy"])
def test_a_wrong_address_is_told_in_one_line(address, message, command, monkeypatch):
    pytest.importorskip("distributed")
    monkeypatch.setattr(module, "CONNECT_SECONDS", 0.2)
    result = CliRunner().invoke(main, [*command.split(), "--dask", address], input="")
    assert (result.exit_code, result.stdout, result.stderr.count("\n")) == (1, "", 1)
    assert message in result.stderr


def test_a_cluster_without_workers_is_told():
    with local_cluster(0) as empty, pytest.raises(ClusterError, match="has no worker"):  # noqa: SIM117
        with dask_crew(empty.scheduler_address):
            pass


# Where Dask is not installed


def test_the_extra_that_is_missing_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(MissingExtra, match=r"pip install 'hokm-solver\[dask\]'"), dask_crew(NOBODY):
        pass


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ("solve --batch - --jobs 2 --dask x:1", "--jobs and --dask exclude each other"),
        ("arena random greedy --jobs 2 --dask x:1", "--jobs and --dask exclude each other"),
        ("arena cmd:true greedy --dask x:1", "--dask and external engines (cmd:…) exclude each other"),
        ("solve --hakem N --deal N:A...A...A...A --dask x:1", "--dask needs --batch"),
        ("solve --batch - --dask", "requires an argument"),
    ],
)
def test_options_that_do_not_go_together(arguments, message):
    result = CliRunner().invoke(main, arguments.split(), input="")
    assert result.exit_code == 2
    assert message in result.stderr


def test_where_an_error_comes_from():
    inside = {"__name__": "distributed.cfexecutor"}
    exec("def stumble(call=lambda: None):\n    call()\n    typ, exc, tb = 1", inside)
    with pytest.raises(TypeError) as theirs:
        inside["stumble"]()
    with pytest.raises(TypeError) as ours:
        inside["stumble"](lambda: len(1))
    assert module._raised_in("distributed", theirs.value)
    assert not module._raised_in("distributed", ours.value)
