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

from ._core import version as __version__
from ._errors import InputError, InternalError, OrreryError, Problem, StallError, StoppedError
from ._experiment import Experiment
from ._run import Run, Runs
from ._table import Column, Table

__all__ = [
    "Column",
    "Experiment",
    "InputError",
    "InternalError",
    "OrreryError",
    "Problem",
    "Run",
    "Runs",
    "StallError",
    "StoppedError",
    "Table",
    "__version__",
]
