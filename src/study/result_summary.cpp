#include "study/result_summary.hpp"

#include "report/training_report.hpp"

namespace orrery {

Summary summary_of(const RunSpec& spec, const RunResult& result) {
  if (result.training) return summarize(spec.name, *spec.training, *result.training);
  Summary summary = summarize(spec.name, spec.passes, result.program, result.machine, result.recording);
  if (spec.memory) summary.memory = *spec.memory;
  return summary;
}

}  // namespace orrery
