#include "orrery/search.hpp"

#include <nlohmann/json.hpp>

#include "api/access.hpp"
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

}  // namespace orrery
