#!/usr/bin/env python3
"""Searches a layout and a network together by Optuna: 64 H100 in eight boxes train Llama 3 8B, and both the time of a step and the cost of the
network are to be small.

usage: examples/optuna_study.py [STORE]; needs the packages orrery and optuna.

Optuna proposes points, and Orrery says what each one takes and costs. The runs are in STORE, optuna-study.sqlite unless it is given: `orrery
results STORE` shows them, `orrery report STORE` makes a page of them, and a run that is there already is not simulated again. A layout that needs
more memory than there is fails, which Optuna is told, and the search goes on."""
import sys

import optuna

import orrery as orr

BOXES = """
name: optuna-study
platform: dgx-h100

# The others take from the first one what they do not say themselves, so that its cables and its boxes are those of all.
networks:
  tree:
    build: fat-tree
    inside:
      build: nvlink
      size: 8
      switches: 4
      links: 18
      link: { bandwidth: 25 GB/s, latency: 100 ns }
      nics: { count: 8, link: { bandwidth: 64 GB/s, latency: 500 ns } }
    link: { bandwidth: 50 GB/s, latency: 500 ns }
    levels: [ { size: 4 }, { size: 2 } ]
  tree-2-to-1: { base: tree, levels: [ { size: 4 }, { size: 2, oversubscription: 2 } ] }
  tree-4-to-1: { base: tree, levels: [ { size: 4 }, { size: 2, oversubscription: 4 } ] }
  rails: { base: tree, build: rail-optimized, levels: [ { size: 4 }, { size: 2 } ] }
  rails-2-to-1: { base: rails, levels: [ { size: 4 }, { size: 2, oversubscription: 2 } ] }
  rails-4-to-1: { base: rails, levels: [ { size: 4 }, { size: 2, oversubscription: 4 } ] }
network: tree

workload:
  model: llama3-8b
  batch: { global: 128, micro: 1 }
  attention: flash
  parallelism: { tensor: 8, data: 8, sequence: true, zero: 1 }
"""
GPUS = 64
OBJECTIVES = ("step_us", "network_cost_usd")


def point_of(trial):
    """Returns the values of the keys that a trial proposes. Data parallelism takes the GPUs that the other kinds leave."""
    network = trial.suggest_categorical("network", ["tree", "rails"])
    oversubscription = 2 ** trial.suggest_int("log2 of oversubscription", 0, 2)
    tensor = 2 ** trial.suggest_int("log2 of tensor", 1, 3)
    pipeline = 2 ** trial.suggest_int("log2 of pipeline", 0, 3)
    return {
        "network": network if oversubscription == 1 else f"{network}-{oversubscription}-to-1",
        "routing": trial.suggest_categorical("routing", ["ecmp", "spray"]),
        "networks.tree.link.bandwidth": f"{trial.suggest_int('bandwidth', 5, 100, step=5)} GB/s",
        "networks.tree.inside.links": trial.suggest_int("links", 2, 18, step=2),
        "workload.parallelism.tensor": tensor,
        "workload.parallelism.pipeline": pipeline,
        "workload.parallelism.data": GPUS // (tensor * pipeline),
        "workload.batch.micro": 2 ** trial.suggest_int("log2 of micro", 0, 2),
    }


def search(trials, sampler, count):
    """Returns the study of Optuna after so many trials."""
    study = optuna.create_study(directions=["minimize"] * len(OBJECTIVES), sampler=sampler)
    for _ in range(count):
        trial = study.ask()
        run = trials.evaluate(point_of(trial))
        if run["status"] == "ok":
            study.tell(trial, [run[column] for column in OBJECTIVES])
        else:
            study.tell(trial, state=optuna.trial.TrialState.FAIL)
    return study


def main():
    store = sys.argv[1] if len(sys.argv) > 1 else "optuna-study.sqlite"
    optuna.logging.set_verbosity(optuna.logging.WARNING)
    with orr.Experiment.parse(BOXES).trials(store=store, objectives=OBJECTIVES) as trials:
        search(trials, optuna.samplers.NSGAIISampler(population_size=20, seed=1), 100)
    print("ms of a step  USD of the network")
    for run in orr.Study.load(store).pareto(*OBJECTIVES):
        print(f"{run['step_us'] / 1e3:12.0f}  {run['network_cost_usd']:18.0f}  {run['run']}")


if __name__ == "__main__":
    main()
