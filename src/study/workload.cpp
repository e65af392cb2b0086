#include "study/workload.hpp"

#include "base/folder_lock.hpp"
#include "report/astra1_reports.hpp"
#include "report/explanation.hpp"
#include "report/parallel_report.hpp"
#include "report/table.hpp"
#include "study/run.hpp"

namespace orrery {

Summary Workload::summary(const RunSpec& spec, const RunResult& result) const {
  return summarize(spec.name, spec.passes, result.program, result.machine, result.recording);
}

void Workload::write_reports(const RunSpec& spec, const RunResult& result, const Summary& summary,
                             const std::string& folder, Warnings& warnings) const {
  if (result.program.is_uniform() && !result.machine.library) {
    ResultOptions options;
    options.run_name = spec.name;
    options.path = folder;
    write_astra1_reports(result.program, result.machine, result.recording, options, warnings);
    return;
  }
  const FolderLock lock(folder, FolderLock::WhenTaken::wait);
  write_parallel_reports(folder, summary, result.program, result.machine, result.recording, warnings);
}

std::string Workload::explanation(const RunSpec& spec, const RunResult& result) const {
  std::string text = orrery::explanation(spec.name, result.machine, result.plan.survey, result.recording);
  if (!result.machine.library || !spec.has_network()) return text;
  // A network tells bandwidths alone, so the rest of a note, which says how to choose a class, is of no use.
  for (const LinkNote& note : result.machine.library->notes())
    text += wrapped("  " + note.text.substr(0, note.text.find(';')) + "\n", 4);
  return text;
}

}  // namespace orrery
