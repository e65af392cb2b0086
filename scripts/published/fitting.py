"""Fit of a stack's constants to training steps: the least sum of absolute log ratios of measured and simulated times.

A step's time is nearly a sum of terms, each proportional to a factor on kernels, to the inverse of an efficiency or to a time
of the host. So one run of each step for each constant tells how its time goes with all of them (`Linear`), and the sum is
minimized on that; a few such rounds follow, with steps of bounded size. numpy and scipy do the arithmetic.
"""
import numpy
from scipy.optimize import minimize

# Constant: how a value becomes the variable that times are linear in and back, bounds of the value, change to differ by,
# largest change of a round, unit.
FACTOR = (lambda value: value, lambda variable: variable)
SHARE = (lambda value: 1 / value, lambda variable: 1 / variable)
CONSTANTS = {
    'kernel-slowdown': (FACTOR, (0.9, 3), 0.05, 0.3, ''),
    'elementwise-slowdown': (FACTOR, (1, 12), 0.3, 1.5, ''),
    'exchange-efficiency': (SHARE, (0.15, 1), 0.2, 1, ''),
    'sharding-efficiency': (SHARE, (0.1, 1), 0.2, 1, ''),
    'host-time-per-operator': (FACTOR, (0, 200), 5, 25, ' us'),
    'host-time-per-exchange': (FACTOR, (0, 500), 10, 50, ' us'),
    'time-per-pass': (FACTOR, (0, 50), 1, 5, ' ms'),
}
SMOOTH = 0.02  # below this a log ratio counts by its square


def text(values):
    """Values as a stack file has them."""
    return {name: '%.4g%s' % (value, CONSTANTS[name][4]) for name, value in values.items()}


def variables(values):
    return numpy.array([CONSTANTS[name][0][0](value) for name, value in values.items()])


def values_of(names, array):
    return {name: float(CONSTANTS[name][0][1](variable)) for name, variable in zip(names, array)}


def loss(ratios, weights):
    return float(numpy.sum(weights * (numpy.sqrt(ratios**2 + SMOOTH**2) - SMOOTH)) / numpy.sum(weights))


class Linear:
    """Times of all steps near some values of the constants. `simulate`: from values to an array of seconds, NaN where a step
    cannot be simulated."""

    def __init__(self, simulate, values):
        self.names, self.at = list(values), variables(values)
        self.times = simulate(values)
        slopes = []
        for i, name in enumerate(self.names):
            change = self.at.copy()
            change[i] += CONSTANTS[name][2]
            slopes.append((simulate(values_of(self.names, change)) - self.times) / CONSTANTS[name][2])
        self.slopes = numpy.array(slopes).T

    def ratios(self, measured, where):
        times = self.times + self.slopes @ (where - self.at)
        return numpy.log(measured / numpy.maximum(times, self.times / 10))

    def least(self, measured, weights, rounds=1.0):
        """The values at which the weighted sum is least, not farther from here than a round may go."""
        bounds = []
        for i, name in enumerate(self.names):
            low, high = sorted(CONSTANTS[name][0][0](value) for value in CONSTANTS[name][1])
            reach = CONSTANTS[name][3] * rounds
            bounds.append((max(low, self.at[i] - reach), min(high, self.at[i] + reach)))
        known = numpy.isfinite(self.times)
        scale = numpy.array([CONSTANTS[name][2] for name in self.names])

        def total(change):
            return loss(self.ratios(measured, self.at + change * scale)[known], weights[known])
        found = min((minimize(total, start, method='L-BFGS-B', bounds=[
            ((low - at) / s, (high - at) / s) for (low, high), at, s in zip(bounds, self.at, scale)])
            for start in (numpy.zeros(len(self.names)), numpy.full(len(self.names), 0.5))), key=lambda f: f.fun)
        return values_of(self.names, self.at + found.x * scale)


def fitted(simulate, measured, weights, values, rounds=4, say=lambda values, error: None):
    """(values, the last linear model) from the given values on."""
    best, model = None, None
    for _ in range(rounds):
        model = Linear(simulate, values)
        ratios = numpy.log(measured / model.times)
        known = numpy.isfinite(ratios)
        error = loss(ratios[known], weights[known])
        say(values, error)
        if best and error > best[0] * 0.999:
            break
        best = (error, values, model)
        values = model.least(measured, weights)
    return best[1], best[2]
