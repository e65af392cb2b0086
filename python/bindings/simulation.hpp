// Simulates without keeping Python from anything else: other threads run, and Ctrl-C stops the runs.
#pragma once

#include <nanobind/nanobind.h>

#include <functional>

#include "orrery/experiment.hpp"
#include "orrery/findings.hpp"

namespace orrery::python {

// `progress` is None or a callable, which gets the runs, the ended and the failed ones, and the share that is
// done. It is called by the caller's thread. An exception that it raises, or that a signal raises, stops the
// runs and goes on to the caller.
Runs simulate(const Experiment& experiment, RunOptions options, nanobind::object progress);

// Calls `study` with options that stop it and tell how far it is, in the same way. `progress` gets 1 for the
// runs and 0 for the others.
void carry_out_study(int threads, nanobind::object progress,
                     const std::function<void(const StudyOptions&)>& study);

}  // namespace orrery::python
