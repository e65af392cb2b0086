// Makes runs of results that were read from a folder.
#include <memory>
#include <utility>

#include "api/problems.hpp"
#include "api/run_state.hpp"

namespace orrery {

namespace {

// What a summary says of a run that failed: the place, the word "error" and the message.
Problem problem_of_stored(const core::Summary& summary) {
  constexpr std::string_view severity = "error: ";
  const std::string& text = summary.error;
  const std::size_t found = text.find(severity);
  const std::string message = found == std::string::npos ? text : text.substr(found + severity.size());
  const std::string place = found == std::string::npos || found < 2 ? "" : text.substr(0, found - 2);
  core::RunFailure failure{core::FailureKind::input, text, {place}, message};
  return core::problem_of(failure, summary.name);
}

// Layers that the summary does not list stand in the table of all runs.
void take_layers(const core::LoadedResults& loaded, core::Summary& summary) {
  if (!summary.layers.empty() || !loaded.find("layers.csv")) return;
  const Table all(std::make_shared<const core::TypedTable>(loaded.table("", "layers")));
  const auto time = [&](std::size_t row, std::string_view column) {
    constexpr double ns_per_us = 1e3;
    return core::Time::from_ns_rounded(all.real(row, column).value_or(0) * ns_per_us);
  };
  for (std::size_t row = 0; row < all.rows(); ++row) {
    if (all.text(row, "run") != summary.name) continue;
    core::LayerSummary layer;
    layer.name = std::string(*all.text(row, "layer"));
    layer.compute = time(row, "compute_us");
    layer.communication = time(row, "communication_us");
    layer.exposed = time(row, "exposed_us");
    summary.layers.push_back(std::move(layer));
  }
}

std::shared_ptr<const Runs::State> loaded_state(const std::string& folder) {
  const auto loaded = std::make_shared<const core::LoadedResults>(folder);
  Runs::State runs;
  runs.loaded = loaded;
  for (std::size_t number = 0; number < loaded->runs().size(); ++number) {
    const core::WholeRun& read = loaded->runs()[number];
    Run::State run;
    run.number = number;
    run.loaded = loaded;
    run.ended.summary = read.summary;
    run.ended.json = read.json;
    if (read.summary.error.empty())
      take_layers(*loaded, run.ended.summary);
    else
      runs.problems.push_back(run.problem.emplace(problem_of_stored(read.summary)));
    runs.states.push_back(std::make_shared<const Run::State>(std::move(run)));
    runs.runs.emplace_back(runs.states.back());
  }
  return std::make_shared<const Runs::State>(std::move(runs));
}

}  // namespace

Result<Runs> Runs::load(const std::string& folder) {
  try {
    return Runs(loaded_state(folder));
  } catch (...) {
    return core::problem_of_exception();
  }
}

Result<Run> Run::load(const std::string& folder) {
  const Result<Runs> runs = Runs::load(folder);
  if (!runs) return runs.problems();
  if (runs->size() == 1) return (*runs)[0];
  const std::string hint = "name the folder of one of them, such as " + folder + "/" + (*runs)[0].name();
  return Problem{ProblemKind::input, folder, "has " + std::to_string(runs->size()) + " runs; " + hint, hint,
                 ""};
}

}  // namespace orrery
