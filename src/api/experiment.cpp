#include "orrery/experiment.hpp"

#include <atomic>
#include <exception>
#include <filesystem>
#include <memory>
#include <optional>
#include <utility>

#include "api/document_nodes.hpp"
#include "api/experiment_state.hpp"
#include "api/plugins/extensions.hpp"
#include "api/problems.hpp"
#include "api/progress_report.hpp"
#include "api/run_state.hpp"
#include "base/diagnostics/words.hpp"
#include "network/graph/foreign_network_model.hpp"
#include "study/experiment/experiment.hpp"
#include "study/experiment/run_checks.hpp"
#include "study/results/experiment_folder.hpp"
#include "study/run/run_pool.hpp"

namespace orrery {

namespace core {

std::optional<NetworkModel> network_model_of(const ReadOptions& options, const Extensions& extensions) {
  if (options.network_model.empty()) return std::nullopt;
  const NetworkModel model = find_network_model(options.network_model, extensions);
  if (!model)
    throw InputError({"network_model"}, backquoted(options.network_model) +
                                            " is no network model; it has to be " +
                                            alternatives(all_network_model_words(extensions)));
  return model;
}

InputNode ExperimentSource::tree() const {
  return experiment_document(
      document ? node_of(*document, std::string(document_root)) : parse_yaml(text, file), options.overrides,
      options.network_model);
}

}  // namespace core

namespace {

// `read` is called with what core::read_experiment() needs besides the experiment itself; files are read
// through the log.
template <class Read>
Result<Experiment> read_with(core::ExperimentSource source, const Read& read) {
  try {
    const ReadOptions& options = source.options;
    core::Warnings warnings;
    const core::InputLog inputs;
    const core::FileLoader load = core::loader_of(inputs, options.registry);
    core::Experiment experiment =
        read(source, warnings, inputs, load, core::network_model_of(options, load.extensions()));
    experiment.origin.inputs = inputs.files();
    experiment.origin.warnings = warnings.lines();
    for (core::RunSpec& run : experiment.runs) run.allow_out_of_memory = options.allow_out_of_memory;
    return Experiment(std::make_shared<const Experiment::State>(
        Experiment::State{std::make_shared<const core::Experiment>(std::move(experiment)), warnings.lines(),
                          std::make_shared<const core::ExperimentSource>(std::move(source))}));
  } catch (...) {
    return core::problem_of_exception();
  }
}

}  // namespace

Experiment::Experiment(std::shared_ptr<const State> state) : state_(std::move(state)) {}

Result<Experiment> Experiment::from(const Document& document, const ReadOptions& options) {
  const std::string root(core::document_root);
  const std::string file =
      options.folder.empty() ? root : (std::filesystem::path(options.folder) / root).string();
  return read_with({file, {}, document, options},
                   [&](const core::ExperimentSource&, core::Warnings& warnings, const core::InputLog&,
                       const core::FileLoader& load, auto model) {
                     return core::read_experiment(core::node_of(document, root), file, options.overrides,
                                                  warnings, load, model);
                   });
}

Result<Experiment> Experiment::load(const std::string& file, const ReadOptions& options) {
  return read_with({file, {}, std::nullopt, options},
                   [&](core::ExperimentSource& source, core::Warnings& warnings, const core::InputLog& inputs,
                       const core::FileLoader& load, auto model) {
                     source.text = inputs.read(file);
                     return core::read_experiment(source.text, file, options.overrides, warnings, load,
                                                  model);
                   });
}

const std::string& Experiment::name() const {
  return state_->experiment->name;
}

std::vector<std::string> Experiment::runs() const {
  std::vector<std::string> names;
  for (const core::RunSpec& run : state_->experiment->runs) names.push_back(run.name);
  return names;
}

const std::vector<std::string>& Experiment::warnings() const {
  return state_->warnings;
}

Problems Experiment::check() const {
  Problems problems;
  try {
    core::Warnings unheard;
    for (const core::RunFault& fault : core::check_runs(*state_->experiment, unheard))
      problems.push_back(core::problem_of(fault.failure, fault.run));
  } catch (...) {
    problems.push_back(core::problem_of_exception());
  }
  return problems;
}

namespace {

// Simulates the runs of an experiment side by side, and collects what comes of them in their order.
class Simulation {
 public:
  Simulation(std::shared_ptr<const core::Experiment> experiment,
             std::shared_ptr<const core::ExperimentSource> source, const RunOptions& options)
      : experiment_(std::move(experiment)),
        source_(std::move(source)),
        options_(options),
        ended_(experiment_->runs.size()),
        report_(options.progress, experiment_->runs.size()) {
    results_.experiment = experiment_;
  }

  Runs simulate() {
    try {
      if (!options_.output.empty()) folder_.emplace(options_.output, *experiment_);
      const int threads = options_.threads > 0 ? options_.threads : core::default_threads();
      core::run_in_order(
          ended_.size(), threads, [&](std::size_t run) { carry_out(run); },
          [&](std::size_t run) { take(run); });
      if (folder_) folder_->finish();
    } catch (...) {
      results_.problems.push_back(core::problem_of_exception());
    }
    return Runs(std::make_shared<const Runs::State>(std::move(results_)));
  }

 private:
  void carry_out(std::size_t run) {
    ended_[run] = std::make_shared<core::EndedRun>(
        options_.stop.stop_requested()
            ? core::failed_run(*experiment_, run, std::make_exception_ptr(core::Stopped()))
            : core::carry_out_one(*experiment_, run, wishes_of(run)));
    report_.end(run, ended_[run]->failure.kind != core::FailureKind::none);
  }

  core::RunWishes wishes_of(std::size_t run) {
    core::RunWishes wishes;
    wishes.fold = options_.fold;
    wishes.keep_result = keeps(experiment_->runs[run].name);
    wishes.folder = folder_ ? &*folder_ : nullptr;
    wishes.progress = [this, run](double share, core::Time) {
      report_.advance(run, share);  // whoever hears of it may ask to stop
      if (options_.stop.stop_requested()) throw core::Stopped();
    };
    return wishes;
  }

  bool keeps(const std::string& run) const {
    if (options_.keep == Keep::as_written) return experiment_->reports.wants(run, experiment_->runs.size());
    return options_.keep == Keep::everything;
  }

  // Runs come in order.
  void take(std::size_t number) {
    const std::shared_ptr<core::EndedRun> ended = std::exchange(ended_[number], nullptr);
    if (folder_) folder_->take(*ended);
    Run::State run{experiment_, number, std::move(*ended), std::nullopt, source_};
    if (run.ended.failure.kind != core::FailureKind::none) {
      run.problem = core::problem_of(run.ended.failure, run.ended.summary.name);
      results_.problems.push_back(*run.problem);
    }
    results_.states.push_back(std::make_shared<const Run::State>(std::move(run)));
    results_.runs.emplace_back(results_.states.back());
  }

  const std::shared_ptr<const core::Experiment> experiment_;
  const std::shared_ptr<const core::ExperimentSource> source_;
  const RunOptions& options_;
  std::optional<core::ExperimentFolder> folder_;
  std::vector<std::shared_ptr<core::EndedRun>> ended_;  // until those before them have ended
  core::ProgressReport report_;
  Runs::State results_;
};

}  // namespace

Runs Experiment::simulate(const RunOptions& options) const {
  return Simulation(state_->experiment, state_->source, options).simulate();
}

}  // namespace orrery
