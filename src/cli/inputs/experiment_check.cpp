#include "cli/inputs/experiment_check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

#include "base/diagnostics/words.hpp"
#include "simulate/slots/program_faults.hpp"
#include "study/experiment/experiment.hpp"
#include "study/run/run.hpp"

namespace orrery::core {

namespace {

// Puts the run's place in front of an error that has no place of its own.
std::string located(std::string text, const SourceLocation& run) {
  return text.starts_with("error: ") ? run.text() + ": " + text : text;
}

// Checks the runs; an error that several runs share is reported once.
void check_runs(Experiment& experiment, bool allow_out_of_memory, Warnings& warnings,
                std::vector<std::string>& errors) {
  std::map<std::string, std::size_t> runs_of;              // by text
  std::vector<std::pair<std::string, std::string>> found;  // text, first run
  for (RunSpec& run : experiment.runs) {
    run.allow_out_of_memory = allow_out_of_memory;
    const auto add = [&](const std::string& what) {
      const std::string text = located(what, run.where);
      if (++runs_of[text] == 1) found.emplace_back(text, run.name);
    };
    try {
      const RunResult result = prepare_run(run, warnings);
      if (!result.program.issues_in_slots()) continue;
      Faults faults;
      find_faults(result.program, result.machine, faults, warnings);
      constexpr std::size_t most = 20;
      const std::vector<std::string>& texts = faults.texts();
      for (std::size_t i = 0; i < std::min(texts.size(), most); ++i) add(texts[i]);
      if (texts.size() > most) add(fmt::format("error: its traces have {} more errors", texts.size() - most));
    } catch (const InputError& error) {
      add(error.what());
    }
  }
  for (const auto& [text, run] : found) {
    const std::size_t others = runs_of[text] - 1;
    const std::string which = others > 0 ? fmt::format(" (run {} and {} more)", backquoted(run), others)
                                         : fmt::format(" (run {})", backquoted(run));
    errors.push_back(experiment.runs.size() > 1 ? text + which : text);
  }
}

}  // namespace

std::string check_experiment(const InputCheck& input) {
  Experiment experiment = read_experiment(input.text, input.file, input.changes.overrides, input.warnings,
                                          input.load, input.changes.network_model);
  check_runs(experiment, input.changes.allow_out_of_memory, input.warnings, input.errors);
  return fmt::format("experiment of {} run{}", experiment.runs.size(),
                     experiment.runs.size() == 1 ? "" : "s");
}

}  // namespace orrery::core
