#include "cli/sweeps/sweep_outcome.hpp"

#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/text/readable.hpp"
#include "cli/console.hpp"
#include "study/store/stored_study.hpp"

namespace orrery::core {

namespace {

constexpr std::size_t most_reasons = 5;

std::string line_of_best(StoredStudy& study, const Objective& objective) {
  const StoreColumn* const column = study.find(objective.column);
  if (!column) return {};
  RunSelection best;
  best.where = objective.column + " is not null";
  best.sort = objective.column + (objective.maximum ? " desc" : "");
  best.limit = 1;
  const TypedTable table = study.table({*study.find("run"), *column}, best);
  if (table.rows == 0) return {};
  const TypedColumn& values = table.columns[1];
  const Cell value = values.type == ValueType::real ? Cell(values.reals[0]) : Cell(values.integers[0]);
  return fmt::format("  {} {}: {} with {}\n", objective.maximum ? "largest" : "least", objective.column,
                     readable(value, column->unit), table.columns[0].text(0));
}

std::string outcome_text(const std::string& name, const SweepOutcome& outcome, StoredStudy& study,
                         const std::string& simulated_where) {
  std::string text = fmt::format("{}: {} runs, {} simulated {}, {} in the store before\n", name, outcome.runs,
                                 outcome.simulated, simulated_where, outcome.reused);
  std::vector<Objective> objectives = study.objectives();
  if (objectives.empty()) objectives.push_back({"step_us", false});
  for (const Objective& objective : objectives) text += line_of_best(study, objective);
  RunSelection failed;
  failed.where = "status == 'failed'";
  if (const std::size_t count = study.count(failed); count > 0) {
    text += fmt::format("  {} failed:\n", count);
    for (const StoredStudy::Reason& reason : study.reasons(most_reasons))
      text += fmt::format("    {} as in: {}\n", reason.runs, reason.text);
  }
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
  RunSelection failed;
  failed.where = "status == 'failed'";
  json["failed"] = study.count(failed);
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
