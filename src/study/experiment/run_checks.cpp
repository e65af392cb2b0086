#include "study/experiment/run_checks.hpp"

#include <algorithm>
#include <map>
#include <string_view>

#include <fmt/format.h>

#include "simulate/slots/program_faults.hpp"
#include "study/run/run.hpp"

namespace orrery::core {

namespace {

class FaultList {
 public:
  void add(const RunSpec& run, RunFailure failure) {
    const auto [known, is_new] = number_of_.emplace(failure.text, faults_.size());
    if (is_new)
      faults_.push_back({std::move(failure), run.name});
    else
      ++faults_[known->second].runs;
  }
  std::vector<RunFault> take() { return std::move(faults_); }

 private:
  std::map<std::string, std::size_t> number_of_;  // by text
  std::vector<RunFault> faults_;
};

// Texts of faults in traces are "place: error: message", or have no place.
RunFailure failure_at(const RunSpec& run, const std::string& text) {
  constexpr std::string_view severity = "error: ", between = ": ";
  const std::size_t begin = text.find(severity);
  if (begin == 0)
    return {FailureKind::input, run.where.text() + ": " + text, run.where, text.substr(severity.size())};
  if (begin == std::string::npos) return {FailureKind::input, text, run.where, text};
  const SourceLocation place{text.substr(0, begin - between.size())};
  return {FailureKind::input, text, place, text.substr(begin + severity.size())};
}

void add_faults_of_traces(const RunSpec& run, const RunResult& result, FaultList& list, Warnings& warnings) {
  constexpr std::size_t most = 20;
  Faults faults;
  find_faults(result.program, result.machine, faults, warnings);
  const std::vector<std::string>& texts = faults.texts();
  for (std::size_t i = 0; i < std::min(texts.size(), most); ++i) list.add(run, failure_at(run, texts[i]));
  if (texts.size() > most)
    list.add(run, failure_at(run, fmt::format("error: its traces have {} more errors", texts.size() - most)));
}

}  // namespace

std::vector<RunFault> check_runs(const Experiment& experiment, Warnings& warnings) {
  FaultList list;
  for (const RunSpec& run : experiment.runs) {
    try {
      const RunResult result = prepare_run(run, warnings);
      if (result.program.issues_in_slots()) add_faults_of_traces(run, result, list, warnings);
    } catch (const InputError&) {
      list.add(run, failure_of_run(std::current_exception(), "", run.where));
    }
  }
  return list.take();
}

}  // namespace orrery::core
