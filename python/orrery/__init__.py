"""Orrery: how long a training step of a deep-learning model takes on a machine that may not exist yet, and why.

    >>> import orrery as orr
    >>> experiment = orr.Experiment(
    ...     platform="dgx-a100",
    ...     workload=dict(model="llama3-8b", batch=dict(global_=64, micro=1), parallelism=dict(tensor=8, data=4)),
    ... )
    >>> run = experiment.run()
    >>> run.step > run.exposed > 0
    True

Times are floats in seconds; the columns of tables say their units. A string with a unit, such as ``"25 GB/s"``, may
stand wherever a quantity does.
"""

from ._algorithm import Algorithm
from ._catalogue import devices, host_stacks, models, platforms, stacks, transformer, transformers
from ._core import version as __version__
from ._errors import InputError, InternalError, OrreryError, Problem, StallError, StoppedError
from ._experiment import Experiment
from ._findings import Calibration, Change, Collective, Explanation, Findings, LayoutSearch, Roofline, Sensitivity
from ._model import Model
from ._network import Network, topology
from ._registry import Registry, load_plugin
from ._run import Run, Runs
from ._sweep import RayExecutor, Study
from ._table import Column, Table
from ._trials import Trials
from ._verbs import Profile, calibrate, collective, compare, flows, roofline, search

__all__ = [
    "Algorithm",
    "Calibration",
    "Change",
    "Collective",
    "Column",
    "Experiment",
    "Explanation",
    "Findings",
    "InputError",
    "InternalError",
    "LayoutSearch",
    "Model",
    "Network",
    "OrreryError",
    "Problem",
    "Profile",
    "RayExecutor",
    "Registry",
    "Roofline",
    "Run",
    "Runs",
    "Sensitivity",
    "StallError",
    "StoppedError",
    "Study",
    "Table",
    "Trials",
    "__version__",
    "calibrate",
    "collective",
    "compare",
    "devices",
    "flows",
    "host_stacks",
    "load_plugin",
    "models",
    "platforms",
    "roofline",
    "search",
    "stacks",
    "topology",
    "transformer",
    "transformers",
]
