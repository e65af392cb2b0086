#include "study/compare/compared_runs.hpp"

#include <nlohmann/json.hpp>

#include "study/compare/input_changes.hpp"

namespace orrery::core {

ComparedRuns compare_runs(const std::vector<StoredRun>& runs, const FileLoader& load) {
  ComparedRuns compared;
  InputComparison inputs(runs.front(), load);
  for (const StoredRun& run : runs) {
    Summary summary = run.summary;
    summary.varied.clear();  // what differs has a table of its own
    compared.overview.add(summary);
    if (&run != &runs.front())
      compared.changes.push_back(changes_between(runs.front().summary, run.summary, inputs.changes_to(run),
                                                 runs.front().links, run.links));
  }
  return compared;
}

std::string text_of(const ComparedRuns& runs, bool unicode) {
  std::string text = runs.overview.text(unicode);
  for (const RunChanges& of : runs.changes) text += "\n" + text_of(of, unicode);
  return text;
}

nlohmann::ordered_json to_json(const ComparedRuns& runs) {
  auto list = nlohmann::ordered_json::array();
  for (const RunChanges& of : runs.changes) list.push_back(to_json(of));
  return {{"comparisons", list}};
}

}  // namespace orrery::core
