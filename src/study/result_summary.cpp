#include "study/result_summary.hpp"

#include "report/training_report.hpp"

namespace orrery {

Summary summary_of(const RunSpec& spec, const RunResult& result) {
  if (result.training && !spec.has_network()) return summarize(spec.name, *spec.training, *result.training);
  Summary summary = summarize(spec.name, spec.passes, result.program, result.machine, result.recording);
  if (result.training) add_training(summary, *spec.training, *result.training);
  if (spec.memory) summary.memory = *spec.memory;
  return summary;
}

}  // namespace orrery
