#include "orrery/search.hpp"

#include <filesystem>
#include <utility>

#include <nlohmann/json.hpp>

#include "api/access.hpp"
#include "api/document_nodes.hpp"
#include "api/experiment_state.hpp"
#include "api/plugins/extensions.hpp"
#include "api/studies/findings_state.hpp"
#include "api/studies/option_values.hpp"
#include "api/studies/study_progress.hpp"
#include "report/stored/result_files.hpp"
#include "study/run/run_pool.hpp"
#include "study/search/layout_json.hpp"
#include "study/search/layout_table.hpp"
#include "study/search/network_search.hpp"
#include "study/search/searched_training.hpp"
#include "study/search/swept_search.hpp"
#include "study/search/swept_table.hpp"

namespace orrery {

namespace {

core::SearchOptions options_of_search(const SearchOptions& asked, std::uint64_t own_gpus) {
  constexpr std::int64_t largest_search = 1 << 24, longest_list = 100'000;
  core::SearchOptions options;
  options.space.gpus =
      asked.gpus ? static_cast<std::uint64_t>(core::checked_option(*asked.gpus, 1, largest_search, "gpus"))
                 : own_gpus;
  options.space.fewer_gpus = asked.fewer_gpus;
  for (const std::string& word : asked.keep)
    options.space.kept.set(
        static_cast<std::size_t>(core::word_of_option(core::layout_choice_words, word, "keep")));
  options.objective = core::word_of_option(core::search_objective_words, asked.objective, "objective");
  options.top = static_cast<std::size_t>(core::checked_option(asked.top, 1, longest_list, "top"));
  options.network_runs =
      static_cast<std::size_t>(core::checked_option(asked.network_runs, 0, longest_list, "network_runs"));
  options.threads = asked.how.threads > 0 ? asked.how.threads : core::default_threads();
  options.exhaustive = asked.exhaustive;
  return options;
}

}  // namespace

Result<Findings> search_layouts(const Experiment& experiment, const SearchOptions& asked) {
  return core::found_by([&] {
    const Experiment::State& state = core::Access::state(experiment);
    const core::ExperimentSource& source = *state.source;
    const core::InputNode document = source.tree();
    const auto& base = core::searched_training(*state.experiment, document, source.file);
    const core::SearchOptions options = options_of_search(asked, base.gpus());
    core::require_whole_network(state.experiment->runs.front(), options.space,
                                asked.fewer_gpus ? "fewer_gpus" : "gpus");
    core::StudyProgress progress(asked.how);
    const core::FileLoader load =
        core::loader_of(core::InputLog(core::InputLog::Holds::paths), source.options.registry);
    const core::LayoutSearch found = core::search_experiment({*state.experiment, document, source.file, load},
                                                             base, options, progress.steps());
    return core::findings_of({{core::layouts_file.name, core::layouts_rows(base, found)}},
                             core::layouts_to_json(experiment.name(), base, found),
                             core::layout_report(experiment.name(), base, found), {});
  });
}

struct SweepSearch::State {
  core::FileLoader load;  // which keeps what plug-ins add
  core::SweptSearch search;
};

namespace {

SweepSearch begin_search(const core::ExperimentSource& source, const core::InputLog& inputs,
                         const SearchOptions& asked) {
  const core::FileLoader load = core::loader_of(inputs, source.options.registry);
  (void)core::network_model_of(source.options, load.extensions());
  const core::InputNode document = source.tree();
  if (!document.find("sweep"))
    throw core::InputError(document.where,
                           "has no `sweep`, which says at which points to search; give it one");
  auto state = std::shared_ptr<SweepSearch::State>(
      new SweepSearch::State{load, {document, source.file, load, options_of_search(asked, 1)}});
  core::StudyProgress progress(asked.how);
  state->search.estimate(progress.steps());
  return SweepSearch(std::move(state));
}

}  // namespace

SweepSearch::SweepSearch(std::shared_ptr<State> state) : state_(std::move(state)) {}

Result<SweepSearch> SweepSearch::from(const Document& document, const ReadOptions& read,
                                      const SearchOptions& options) {
  return core::found_by([&] {
    const std::string root(core::document_root);
    const std::string file =
        read.folder.empty() ? root : (std::filesystem::path(read.folder) / root).string();
    return begin_search({file, {}, document, read}, core::InputLog(core::InputLog::Holds::paths), options);
  });
}

Result<SweepSearch> SweepSearch::load(const std::string& file, const ReadOptions& read,
                                      const SearchOptions& options) {
  return core::found_by([&] {
    const core::InputLog inputs(core::InputLog::Holds::paths);
    return begin_search({file, inputs.read(file), std::nullopt, read}, inputs, options);
  });
}

Result<std::optional<Document>> SweepSearch::next() {
  return core::found_by([&]() -> std::optional<Document> {
    const std::optional<core::InputNode> runs = state_->search.next();
    return runs ? std::optional(core::document_of(*runs)) : std::nullopt;
  });
}

void SweepSearch::tell(const std::vector<std::optional<double>>& steps) {
  for (std::size_t run = 0; run < steps.size(); ++run)
    state_->search.tell(run, core::Seconds(steps[run].value_or(0)),
                        steps[run] ? std::string() : std::string("its run failed"));
}

Document SweepSearch::all() const {
  return core::document_of(state_->search.document_of_all());
}

Findings SweepSearch::findings() const {
  const core::SweptSearch& search = state_->search;
  return core::findings_of({{core::layouts_file.name, core::swept_rows(search)}}, core::swept_to_json(search),
                           core::swept_report(search), {});
}

}  // namespace orrery
