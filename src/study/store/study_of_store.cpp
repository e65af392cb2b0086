#include "study/store/study_of_store.hpp"

#include <algorithm>

#include "study/store/stored_study.hpp"

namespace orrery::core {

namespace {

constexpr std::size_t most_results = 30;

// Returns whether a column tells runs apart. Texts that are alike for most runs, or that nobody compares, are
// left out to keep the page small.
bool is_shown(StoredStudy& study, const StoreColumn& column) {
  constexpr std::string_view left_out[] = {"key",    "content", "inputs", "version", "ended",
                                           "number", "work",    "host",   "warnings"};
  return std::ranges::find(left_out, column.name) == std::end(left_out) && study.has_values(column);
}

}  // namespace

StudyPage page_of_study(const std::string& store) {
  StoredStudy study(store);
  StudyPage page;
  page.name = study.fact("name");
  page.origin = study.fact("origin");
  std::vector<StoreColumn> columns;
  std::size_t results = 0;
  for (const StoreColumn& column : study.columns()) {
    const bool is_objective =
        std::ranges::find(study.objectives(), column.name, &Objective::column) != study.objectives().end();
    const bool always = column.is_key || is_objective || column.name == "run" || column.name == "status";
    if (!always && (results == most_results || !is_shown(study, column))) continue;
    if (!always) ++results;
    columns.push_back(column);
    if (column.is_key) page.keys.push_back(column.name);
  }
  page.runs = study.table(columns, {});
  for (const Objective& objective : study.objectives())
    page.objectives.push_back({objective.column, objective.maximum});
  return page;
}

}  // namespace orrery::core
