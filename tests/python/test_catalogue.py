"""What comes with Orrery is what the program lists."""

import logging

import pytest
from support import root, told

import orrery as orr


def rows_of(table):
    """The rows as JSON has them, which has no key for a value that is missing."""
    return [{key: value for key, value in row.items() if value is not None} for row in table]


def test_lists_are_those_of_the_program(folder):
    networks = told("list", "models", folder=folder)
    assert rows_of(orr.models()) == networks["models"]
    assert rows_of(orr.transformers()) == networks["transformers"]
    assert rows_of(orr.platforms()) == told("list", "platforms", folder=folder)["platforms"]
    assert rows_of(orr.stacks()) == told("list", "stacks", folder=folder)["stacks"]
    assert rows_of(orr.host_stacks()) == told("list", "host-stacks", folder=folder)["host_stacks"]
    for ours, said in zip(rows_of(orr.devices()), told("list", "devices", folder=folder)["devices"], strict=True):
        sources = said.pop("sources")
        for units in ("matrix", "vector"):
            said |= {f"{units}_{datatype}_tflops": peak for datatype, peak in said.pop(f"{units}_peak_tflops").items()}
        assert ours.pop("sources") == "; ".join(sources)
        assert ours == said
    assert all(column.meaning.endswith(".") for column in orr.devices().columns)


def test_a_transformer_is_that_of_the_program(folder, caplog):
    file = root / "examples" / "transformers" / "sixty-four-experts.yaml"
    assert rows_of(orr.transformer(file)) == told("list", str(file), folder=folder)["transformers"]
    named = {row["transformer"]: row for row in orr.transformers()}
    [row] = orr.transformer("llama3-8b")
    assert row == named["llama3-8b"]
    (folder / "config.json").write_text('{"model_type": "gpt2", "attn_pdrop": 0.0}')
    with caplog.at_level(logging.WARNING, "orrery"):
        assert orr.transformer("config.json")["layers"] == [12]
    assert "config.json:1:" in caplog.text
    with pytest.raises(orr.InputError, match="name_or_file: error: .*llama3-8b"):
        orr.transformer("llama3-8c")


def test_names_are_those_that_experiments_take(folder):
    """Every name stands where the documentation says."""
    for device in orr.devices()["device"]:
        assert orr.roofline(64, 64, 64, device=device).time > 0
    for platform in orr.platforms()["platform"]:
        assert orr.collective(members=2, platform=platform).time > 0
    keys = dict(network=orr.Network.switch(16, "50 GB/s", "1 us"), device="a100")
    for model in orr.models()["model"]:
        orr.Experiment(**keys, workload=dict(model=model, batch=16)).with_(allow_out_of_memory=True).check()
    for stack in orr.host_stacks()["host_stack"]:
        orr.Experiment(**keys, host_stack=stack, workload=dict(model="vgg16", batch=16)).check()
