#include "cli/sweeps/sweep_outcome.hpp"

#include <algorithm>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/text/readable.hpp"
#include "cli/console.hpp"
#include "study/store/stored_study.hpp"

namespace orrery::core {

namespace {

constexpr std::size_t most_reasons = 5;

std::string runs_text(std::size_t count) {
  return fmt::format("{} run{}", count, count == 1 ? "" : "s");
}

std::string line_of_best(StoredStudy& study, const Objective& objective) {
  const StoreColumn* const column = study.find(objective.column);
  if (!column)
    throw InputError({objective.column}, "is no column of this store, which another version has written");
  RunSelection best;
  best.where = objective.column + " is not null";
  best.sort = objective.column + (objective.maximum ? " desc" : "");
  best.limit = 1;
  const TypedTable table = study.table({*study.find("run"), *column}, best);
  if (table.rows == 0) return fmt::format("  {}: no run has a value\n", objective.column);
  const TypedColumn& values = table.columns[1];
  const Cell value = values.type == ValueType::real ? Cell(values.reals[0]) : Cell(values.integers[0]);
  return fmt::format("  {} {}: {} with {}\n", objective.maximum ? "largest" : "least", objective.column,
                     readable(value, column->unit), table.columns[0].text(0));
}

std::string outcome_text(const std::string& name, const SweepOutcome& outcome, StoredStudy& study,
                         const std::string& simulated_where) {
  std::string text = fmt::format("{}: {}, {} simulated {}, {} in the store before", name,
                                 runs_text(outcome.runs), outcome.simulated, simulated_where, outcome.reused);
  const std::size_t left = outcome.runs - std::min(outcome.runs, outcome.simulated + outcome.reused);
  text += outcome.complete || left == 0 ? "\n" : fmt::format(", {} left\n", left);
  if (outcome.runs == 0) text += "  no run meets --only, or belongs to the part\n";
  std::vector<Objective> objectives = study.objectives();
  if (objectives.empty()) objectives.push_back({"step_us", false});
  for (const Objective& objective : objectives) text += line_of_best(study, objective);
  if (const std::size_t count = study.failed_runs(); count > 0) {
    text += fmt::format("  {} failed:\n", runs_text(count));
    for (const StoredStudy::Reason& reason : study.reasons(most_reasons))
      text += fmt::format("    {}: {}\n", runs_text(reason.runs), reason.text);
  }
  RunSelection all;
  all.of_earlier_sweeps = true;
  if (const std::size_t earlier = study.count(all) - study.count({}); earlier > 0)
    text += fmt::format("  {} of earlier sweeps stay in the file\n", runs_text(earlier));
  return text +
         fmt::format("store: {}; `orrery results` shows its runs, `orrery report` makes a page of them\n",
                     study.path());
}

nlohmann::ordered_json outcome_json(const std::string& name, const SweepOutcome& outcome,
                                    StoredStudy& study) {
  nlohmann::ordered_json json{{"study", name},
                              {"store", study.path()},
                              {"runs", outcome.runs},
                              {"simulated", outcome.simulated},
                              {"reused", outcome.reused},
                              {"complete", outcome.complete}};
  json["failed"] = study.failed_runs();
  for (const StoredStudy::Reason& reason : study.reasons(most_reasons))
    json["reasons"].push_back({{"runs", reason.runs}, {"reason", reason.text}});
  return json;
}

}  // namespace

void print_outcome(const std::string& name, const SweepOutcome& outcome, const std::string& store, bool json,
                   const std::string& simulated_where) {
  StoredStudy study(store);
  if (json)
    print_json(outcome_json(name, outcome, study).dump(2) + "\n");
  else
    print(outcome_text(name, outcome, study, simulated_where));
}

}  // namespace orrery::core
