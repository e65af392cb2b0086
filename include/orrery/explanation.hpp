// Explanations: where the time on the critical path of a run goes, and why.
//
//   const orrery::Table blame = orrery::explain(run).value().table("blame").value();
//   for (std::size_t row = 0; row < blame.rows(); ++row)
//     std::cout << *blame.text(row, "name") << ' ' << *blame.real(row, "share") << '\n';
#pragma once

#include "orrery/diagnostics.hpp"
#include "orrery/export.hpp"
#include "orrery/findings.hpp"
#include "orrery/run.hpp"

namespace orrery {

// Simulates the run once more, to find its critical path, as `orrery explain` does. The tables are
// "critical-path", its steps; "blame", shares of its time by activity, layer, link and more; "path-operators"
// and "path-exchanges", what is computed and communicated on it, and why that takes its time. The problem
// says why there is none: the run failed, or was read from results, which hold no more than was written.
ORRERY_API Result<Findings> explain(const Run& run, const StudyOptions& options = {});

}  // namespace orrery
