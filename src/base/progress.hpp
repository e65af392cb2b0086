// Functions by which work reports its progress.
#pragma once

#include <cstddef>
#include <functional>
#include <string_view>

#include "base/units/time.hpp"

namespace orrery::core {

// Called during a simulation with the share of it that is done and how far simulated time is.
using ProgressListener = std::function<void(double share, Time now)>;

// Called with the number of steps that are done, the number of all steps, and what a step is, such as "runs".
// It may be called from several threads, and later for another kind of steps.
using StepListener = std::function<void(std::size_t done, std::size_t of, std::string_view what)>;

}  // namespace orrery::core
