#include "study/workload.hpp"

#include <tuple>

#include "base/file.hpp"
#include "base/folder_lock.hpp"
#include "report/astra1_reports.hpp"
#include "report/explanation.hpp"
#include "report/link_report.hpp"
#include "report/run_tables.hpp"
#include "report/timeline.hpp"
#include "study/run.hpp"

namespace orrery {

Summary Workload::summary(const RunSpec& spec, const RunResult& result) const {
  return summarize(spec.name, spec.passes, result.program, result.machine, result.recording);
}

Workload::PartsFile Workload::parts_file(const RunResult& /*result*/, const Summary& summary) const {
  return {"parts.csv", summary.parts.empty() ? "" : csv_of(part_table, part_rows(summary))};
}

void Workload::write_reports(const RunSpec& spec, const RunResult& result, const Summary& summary,
                             const std::string& folder, Warnings& warnings) const {
  const auto& [program, recording] = std::tie(result.program, result.recording);
  const bool as_astra1 = program.is_uniform() && !result.machine.library;
  if (as_astra1) {
    ResultOptions options;
    options.run_name = spec.name;
    options.path = folder;
    write_astra1_reports(program, result.machine, recording, options, warnings);
  }
  const FolderLock lock(folder, FolderLock::WhenTaken::wait);
  write_timeline(folder + "timeline.csv", program, recording, summary.training ? whole_passes : layer_passes,
                 warnings);
  if (const auto [name, text] = parts_file(result, summary); !text.empty())
    write_file_atomically(folder + name, text);
  if (!as_astra1 && !recording.links.empty())
    write_file_atomically(folder + "links.csv",
                          links_csv(recording.links, result.machine.topology, recording.end()));
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
