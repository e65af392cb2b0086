"""The stack `generic`: its fit to training steps of all frameworks, and what fits without a framework predict of its steps."""
import collections

import numpy

from . import blind, fitting
from .case import Case, Models

START = {'kernel-slowdown': 1.12, 'elementwise-slowdown': 1.5, 'sharding-efficiency': 0.4}
# Steps hardly tell these two from the other constants: a framework left out is predicted worse where they are fitted, too. Fits
# with the time of the host lie between 15 and 95 us, by which frameworks are among the others.
GIVEN = {'base': 'none', 'attention': 'flash', 'pointwise': 'eager', 'exchange-efficiency': '0.8',
         'host-time-per-operator': '50 us'}
MOST = 50  # rows of a source that a fit takes; of more every nth


class Steps:
    """Steps whose choices among runs are made, so that each takes its parts alone. `simulate` is that of scripts/validate
    for a program and a folder: from cases and a stack to results."""

    def __init__(self, simulate, steps, stack):
        self.run = simulate
        results = simulate([step.case for step in steps], stack)
        self.steps, self.cases, self.shares, measured = [], [], [], []
        for step, result in zip(steps, results):
            choice = step.case.chosen(result)
            if choice:
                self.steps.append(step)
                self.cases.append(Case(step.case.name, [step.case.runs[i] for i in choice.parts], 1.0))
                self.shares.append(list(choice.parts.values()))
                measured.append(step.case.seconds(choice))
        self.measured = numpy.array(measured)

    def simulate(self, values, rows, given):
        """Seconds of rows, NaN where one cannot be simulated."""
        results = self.run([self.cases[i] for i in rows], given | fitting.text(values))
        return numpy.array([sum(share * part[0] for share, part in zip(self.shares[i], result)) if all(result) else numpy.nan
                            for i, result in zip(rows, results)])

    def thinned(self):
        """Rows for a fit, and the weight of each: sources weigh the same."""
        def source(step):
            return step.framework, step.source
        counts, seen, rows = collections.Counter(map(source, self.steps)), collections.Counter(), []
        for i, step in enumerate(self.steps):
            if not step.apart and seen[source(step)] % -(-counts[source(step)] // MOST) == 0:
                rows.append(i)
            seen[source(step)] += 1
        kept = collections.Counter(source(self.steps[i]) for i in rows)
        return rows, numpy.array([1 / kept[source(self.steps[i])] for i in rows])


def left_out(simulate, data, folder, say):
    """(values of the stack, [(step, log ratio of measured and predicted)] of frameworks left out)"""
    steps = Steps(simulate, blind.all_steps(data, Models(folder))[0], GIVEN | fitting.text(START))
    rows, weights = steps.thinned()
    values, model = fitting.fitted(lambda v: steps.simulate(v, rows, GIVEN), steps.measured[rows], weights, START, rounds=3,
                                   say=lambda v, error: say('generic', v, error))
    ratios = numpy.full(len(steps.steps), numpy.nan)
    for name in sorted({step.framework for step in steps.steps}):
        others = weights * [steps.steps[i].framework != name for i in rows]
        held = [i for i, step in enumerate(steps.steps) if step.framework == name]
        without = model.least(steps.measured[rows], others)
        ratios[held] = numpy.log(steps.measured[held] / steps.simulate(without, held, GIVEN))
        say('without ' + name, without)
    return values, [(step, ratio) for step, ratio in zip(steps.steps, ratios) if numpy.isfinite(ratio)]
