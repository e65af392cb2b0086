#include "orrery/run.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "api/problems.hpp"
#include "api/run_state.hpp"
#include "base/diagnostics/words.hpp"
#include "report/compare/comparison.hpp"
#include "report/compare/run_comparisons.hpp"
#include "report/table/row_sink.hpp"
#include "study/run/exporters.hpp"

namespace orrery {

namespace {

Time time_of(core::Time time) {
  return Time::picoseconds(time.ps());
}

template <class Value>
std::optional<Value> of_training(const core::Summary& summary, Value core::TrainingSummary::*member) {
  return summary.training ? std::optional((*summary.training).*member) : std::nullopt;
}

Table table_of(core::TypedTable table) {
  return Table(std::make_shared<const core::TypedTable>(std::move(table)));
}

core::NamedRows layers_of(const core::Summary& summary) {
  return {"layers.csv", {core::layer_table, core::layer_rows(summary)}};
}

// Calls `use` with the tables of a run. They are valid only until it returns, because they refer to what is
// here.
template <class Use>
auto with_tables(const Run::State& run, const Use& use) {
  std::vector<core::NamedRows> tables{layers_of(run.ended.summary)};
  core::Warnings unheard;
  if (!run.ended.result) return use(tables);
  const core::RunOutput output{run.spec(), *run.ended.result, run.ended.summary, {}, unheard};
  for (core::NamedRows& table : core::tables_of(output)) tables.push_back(std::move(table));
  return use(tables);
}

std::string name_of(const core::NamedRows& table) {
  return table.file.substr(0, table.file.rfind('.'));
}

// `known` are the tables that there are.
Result<Table> loaded_table(const core::LoadedResults& loaded, const std::string& run, const std::string& name,
                           const std::vector<std::string>& known) {
  if (std::ranges::find(known, name) == known.end()) return core::no_table(name, known, run);
  try {
    return table_of(loaded.table(run, name));
  } catch (...) {
    return core::problem_of_exception();
  }
}

}  // namespace

Run::Run(std::shared_ptr<const State> state) : state_(std::move(state)) {}

const std::string& Run::name() const {
  return state_->ended.summary.name;
}
const std::optional<Problem>& Run::problem() const {
  return state_->problem;
}
const std::vector<std::string>& Run::warnings() const {
  return state_->loaded ? state_->ended.summary.warnings : state_->ended.warnings.lines();
}
Time Run::time() const {
  return time_of(state_->ended.summary.total);
}
Time Run::step() const {
  return Time::picoseconds(time().picoseconds() / std::max<std::int64_t>(1, iterations()));
}
std::optional<TimeInterval> Run::step_interval() const {
  const auto& accuracy = state_->ended.summary.accuracy;
  if (!accuracy) return std::nullopt;
  const core::ErrorInterval& of = accuracy->time;
  const auto at = [this](double factor) {
    return Time::picoseconds(std::llround(static_cast<double>(step().picoseconds()) * factor));
  };
  return TimeInterval{at(of.low), at(of.high), of.share};
}
TimeBreakdown Run::breakdown() const {
  const core::TimeParts& time = state_->ended.summary.time;
  return {time_of(time.compute), time_of(time.bubble), time_of(time.exposed), time_of(time.idle),
          time_of(time.host),    time_of(time.memory), time_of(time.update),  time_of(time.contention)};
}
std::int64_t Run::npus() const {
  return state_->ended.summary.npus;
}
std::int64_t Run::iterations() const {
  return state_->ended.summary.iterations;
}
std::uint64_t Run::messages() const {
  return state_->ended.summary.messages;
}
std::optional<double> Run::model_flop_utilization() const {
  return of_training(state_->ended.summary, &core::TrainingSummary::model_flop_utilization);
}
std::optional<double> Run::hardware_flop_utilization() const {
  return of_training(state_->ended.summary, &core::TrainingSummary::hardware_flop_utilization);
}
std::optional<double> Run::tokens_per_second() const {
  return of_training(state_->ended.summary, &core::TrainingSummary::tokens_per_second);
}
std::optional<double> Run::memory() const {
  return of_training(state_->ended.summary, &core::TrainingSummary::memory);
}
std::optional<double> Run::network_cost() const {
  return state_->ended.summary.network_cost;
}
const std::string& Run::json() const {
  return state_->ended.json;
}

std::string Run::report() const {
  return ok() ? core::run_report(state_->ended.summary, true) : problem()->text() + "\n";
}

std::vector<std::string> Run::tables() const {
  if (state_->loaded) {
    std::vector<std::string> names = state_->loaded->tables(name());
    if (!state_->ended.summary.layers.empty()) names.insert(names.begin(), "layers");
    return names;
  }
  return with_tables(*state_, [](const std::vector<core::NamedRows>& tables) {
    std::vector<std::string> names;
    for (const core::NamedRows& table : tables)
      if (!table.rows.empty()) names.push_back(name_of(table));
    return names;
  });
}

Result<Table> Run::table(std::string_view name) const {
  if (state_->loaded && name != "layers")
    return loaded_table(*state_->loaded, this->name(), std::string(name), this->tables());
  return with_tables(*state_, [&](const std::vector<core::NamedRows>& tables) -> Result<Table> {
    const auto found = std::ranges::find(tables, name, name_of);
    if (found == tables.end()) return core::no_table(name, this->tables(), this->name());
    return table_of(core::typed_table(*found));
  });
}

Runs::Runs(std::shared_ptr<const State> state) : state_(std::move(state)) {}

const std::vector<Run>& Runs::runs() const {
  return state_->runs;
}

const Run* Runs::find(std::string_view name) const {
  const auto found = std::ranges::find(runs(), name, &Run::name);
  return found == runs().end() ? nullptr : &*found;
}

const Problems& Runs::problems() const {
  return state_->problems;
}

Result<Table> Runs::table(std::string_view name) const {
  if (state_->loaded) return loaded_table(*state_->loaded, "", std::string(name), state_->loaded->tables(""));
  core::RunRows rows;
  for (const auto& run : state_->states) rows.add(run->ended.summary);
  const core::Experiment& experiment = *state_->experiment;
  if (name == "runs")
    return table_of(core::typed_runs(rows.all(), {experiment.varied.keys, experiment.varied.values}));
  if (name == "layers") {
    std::vector<core::LayerRow> layers;
    for (const auto& run : state_->states)
      for (const core::LayerRow& row : core::layer_rows(run->ended.summary)) layers.push_back(row);
    return table_of(core::typed_table({"layers.csv", {core::layer_table, std::move(layers)}}));
  }
  if (name == "comparisons" && !experiment.comparisons.empty() && rows.all().size() == experiment.runs.size())
    return table_of(
        core::typed_table({"comparisons.csv", core::comparisons_rows(experiment.comparisons, rows.all())}));
  return core::no_table(name, {"runs", "layers"}, "");
}

}  // namespace orrery
