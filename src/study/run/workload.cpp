#include "study/run/workload.hpp"

#include "report/stored/result_files.hpp"
#include "report/summary/explanation.hpp"
#include "report/summary/run_tables.hpp"
#include "study/run/run.hpp"

namespace orrery::core {

Summary Workload::summary(const RunSpec& spec, const RunResult& result) const {
  Summary summary =
      summarize(spec.name, spec.passes, result.program, result.machine, result.recording, result.breakdown);
  summary.work = work();
  return summary;
}

NamedRows Workload::parts_table(const RunResult& /*result*/, const Summary& summary) const {
  return {result_file("parts.csv").name, {part_table, part_rows(summary)}};
}

std::unique_ptr<ComputedWork> Workload::computed_work(const RunSpec& /*spec*/,
                                                      const RunResult& /*result*/) const {
  return nullptr;
}

std::string Workload::explanation(const RunSpec& spec, const RunResult& result) const {
  std::string text =
      orrery::core::explanation(spec.name, result.machine, result.plan->survey(), result.recording);
  if (!result.machine.library || !spec.has_network()) return text;
  // A network only says bandwidths, so the rest of a note, which says how to choose a class, is of no use.
  for (const LinkNote& note : result.machine.library->notes())
    text += wrapped("  " + note.text.substr(0, note.text.find(';')) + "\n", 4);
  return text;
}

}  // namespace orrery::core
