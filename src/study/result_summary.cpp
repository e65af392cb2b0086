#include "study/result_summary.hpp"

#include "report/parallel_report.hpp"

namespace orrery {

Summary summary_of(const RunSpec& spec, const RunResult& result) {
  if (result.program)
    return summarize(spec.name, spec.passes, *result.program, result.machine, result.parallel);
  return summarize(spec.name, spec.passes, result.graph, result.machine, result.recording);
}

}  // namespace orrery
