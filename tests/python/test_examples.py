"""Examples give the same results from Python as from the program, and results are read back as they were."""

import json
import pickle
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import orrery as orr

examples = Path(__file__).resolve().parents[2] / "examples"
# Those that simulate many millions of packets or messages take seconds; the C++ tests run them.
SLOW = {
    "congestion-control",
    "fabric-study",
    "flit-torus",
    "gpt3-in-packets",
    "gpt3-on-rails",
    "packet-ways",
    "rails-or-fat-tree",
    "three-dimensions",
}
quick = sorted(path.stem for path in examples.glob("*.yaml") if path.stem not in SLOW)


def files_of(folder):
    """The contents of all files, without where the results come from."""
    files = {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}
    summary = json.loads(files["summary.json"])
    del summary["origin"]
    return {**files, "summary.json": json.dumps(summary)}


@pytest.fixture(scope="session")
def written(tmp_path_factory):
    """Runs an example by the program, once, and returns the folder of its results."""
    output = tmp_path_factory.mktemp("results")

    def run(name):
        if not (output / name).exists():
            words = [sys.executable, "-m", "orrery", "run", str(examples / f"{name}.yaml"), f"--output={output}"]
            subprocess.run(words, check=True, capture_output=True)
        return output / name

    return run


@pytest.mark.parametrize("name", quick)
def test_an_example_gives_the_same_bytes(name, written, tmp_path):
    tree = orr._core.parse((examples / f"{name}.yaml").read_text(), name).to_object()
    experiment = orr.Experiment(**{"name": name, **tree})
    experiment._folder = str(examples)  # of the files that it names
    runs = experiment.simulate(output=tmp_path)
    assert runs.error is None
    ours, theirs = files_of(tmp_path / name), files_of(written(name))
    assert ours.keys() == theirs.keys()
    assert [file for file in theirs if ours[file] != theirs[file]] == []


def assert_same_table(read, table):
    """A table that was read back has the decimals of its file."""
    assert [column[:2] + column[3:] for column in read.columns] == [column[:2] + column[3:] for column in table.columns]
    for column in table.columns:
        for ours, theirs in zip(read[column.name], table[column.name]):
            if isinstance(theirs, float):
                assert ours == pytest.approx(theirs, rel=1e-5, abs=1e-4), column
            else:
                assert ours == theirs or (ours == "" and theirs is None), column


@pytest.mark.parametrize("name", quick)
def test_results_are_read_back(name, tmp_path, monkeypatch):
    monkeypatch.chdir(examples)
    runs = orr.Experiment.load(f"{name}.yaml").simulate()
    saved = Path(runs.save(tmp_path))
    read = orr.Runs.load(saved)
    shutil.move(saved, tmp_path / "moved")  # everything is in memory
    assert [run.name for run in read] == [run.name for run in runs]
    assert_same_table(read.table(), runs.table())
    assert_same_table(read.table("layers"), runs.table("layers"))
    for ours, theirs in zip(read, runs):
        assert ours.to_dict() == theirs.to_dict() and str(ours) == str(theirs)
        assert ours.warnings == theirs.warnings and ours.error is None
        for figure in "time step step_interval compute bubble exposed idle update npus iterations messages mfu hfu tokens_per_second memory network_cost".split():
            assert getattr(ours, figure) == getattr(theirs, figure), figure
        assert ours.tables == theirs.tables
        for table in theirs.tables:
            assert_same_table(ours.table(table), theirs.table(table))
    assert files_of(Path(read.save(tmp_path))) == files_of(tmp_path / "moved")


def test_one_run_is_read_back(written, tmp_path):
    one = orr.Run.load(written("ring-allreduce"))
    assert one.name == "ring-allreduce" and one.layers["layer"]
    assert "<svg" in one._repr_html_()
    several = written("tori")
    run = orr.Run.load(next(path for path in several.iterdir() if path.is_dir()))
    assert run.name in [of.name for of in orr.Runs.load(several)]
    assert len(orr.compare(one, run).times) > 0
    run.report(tmp_path / "page.html")
    run.timeline(tmp_path / "timeline.csv")
    assert (tmp_path / "timeline.csv").read_text().startswith("part,")
    with pytest.raises(orr.InputError, match="runs; name the folder of one"):
        orr.Run.load(several)
    with pytest.raises(orr.InputError, match="holds no results"):
        orr.Runs.load(tmp_path)
    measured = orr.Profile.load(examples / "traces" / "two-stages.0.et")
    for study in (run.explain, run.what_if, lambda: orr.compare(run, measured)):
        with pytest.raises(orr.InputError, match="cannot be simulated again"):
            study()
    with pytest.raises(orr.InputError, match="no timeline of this form"):
        run.timeline(tmp_path / "timeline.pftrace")
    with pytest.raises(orr.InputError, match="no table `nothing`"):
        run.table("nothing")


def test_runs_that_failed_are_read_back(tmp_path):
    def step(name, model):
        return dict(name=name, workload=dict(model=model, batch=dict(global_=8, micro=1), parallelism=dict(tensor=8)))

    runs = orr.Experiment(platform="dgx-a100", runs=[step("good", "llama3-8b"), step("bad", "gpt3-175b")]).simulate()
    read = orr.Runs.load(runs.save(tmp_path))
    assert read["good"].error is None and read["good"].mfu == runs["good"].mfu
    assert isinstance(read["bad"].error, orr.InputError) and read["bad"].error.message == runs["bad"].error.message
    assert read["bad"].error.place == runs["bad"].error.place
    with pytest.raises(orr.InputError, match="395.8 GiB"):
        read.raise_error()
    assert pickle.loads(pickle.dumps(runs))["bad"].error.message == runs["bad"].error.message


def test_runs_are_pickled(tmp_path):
    runs = orr.Experiment.load(examples / "tori.yaml").simulate()
    again = pickle.loads(pickle.dumps(runs))
    assert [run.time for run in again] == [run.time for run in runs]
    run = pickle.loads(pickle.dumps(runs[1]))
    assert run.name == runs[1].name and run.time == runs[1].time and run.links["links"] == runs[1].links["links"]
    assert pickle.loads(pickle.dumps(run)).time == run.time
    failed = orr.Experiment(
        platform="dgx-a100", workload=dict(model="gpt3-175b", batch=dict(global_=8, micro=1), parallelism=dict(tensor=8))
    ).simulate()
    for nothing in (failed, failed[0]):
        with pytest.raises(orr.InputError, match="395.8 GiB"):
            pickle.dumps(nothing)
