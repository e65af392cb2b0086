// The summary of a run, whatever kind it is.
#pragma once

#include "report/summary.hpp"
#include "study/run.hpp"

namespace orrery {

Summary summary_of(const RunSpec& spec, const RunResult& result);

}  // namespace orrery
