#include "orrery/sweep.hpp"

#include <algorithm>
#include <filesystem>
#include <optional>
#include <stdexcept>
#include <utility>

#include "api/access.hpp"
#include "api/document_nodes.hpp"
#include "api/experiment_state.hpp"
#include "api/plugins/extensions.hpp"
#include "api/problems.hpp"
#include "api/studies/study_progress.hpp"
#include "base/files/file.hpp"
#include "study/experiment/varied_keys.hpp"
#include "study/run/run_pool.hpp"
#include "study/store/run_text.hpp"
#include "study/store/stored_study.hpp"
#include "study/store/study_of_store.hpp"
#include "study/sweep/sweep.hpp"

namespace orrery {

struct Sweep::State {
  core::InputLog inputs;
  core::FileLoader load;
  std::vector<std::string> common_files;  // of plug-ins
  std::unique_ptr<const core::SweptRuns> runs;
  std::unique_ptr<core::StudyInputs> files;  // that parts have read
  std::string folder;                        // of the experiment
  core::Origin origin;
  bool allow_out_of_memory = false;
};

struct SweepStore::State {
  std::shared_ptr<const Sweep::State> sweep;
  std::optional<core::RunStore> store;
  core::SweepWishes wishes;
};

struct Study::State {
  std::string store, name;
};

namespace {

// Calls a function, and returns the problem of what it throws.
template <class Value, class Work>
Result<Value> result_of(const Work& work) {
  try {
    return work();
  } catch (...) {
    return core::problem_of_exception();
  }
}

std::shared_ptr<const Sweep::State> read_sweep_state(const core::ExperimentSource& source, std::string folder,
                                                     core::InputLog inputs) {
  core::FileLoader load = core::loader_of(inputs, source.options.registry);
  auto state = std::make_shared<Sweep::State>(Sweep::State{
      inputs, load, inputs.paths(), {}, {}, std::move(folder), {}, source.options.allow_out_of_memory});
  (void)core::network_model_of(source.options, load.extensions());
  const core::InputNode document = source.tree();
  if (!document.find("sweep"))
    throw core::InputError(document.where, "has no `sweep`, which says what varies; give it one");
  state->runs = std::make_unique<const core::SweptRuns>(document, source.file);
  state->files = std::make_unique<core::StudyInputs>(state->folder);
  core::Warnings warnings;
  state->runs->check(warnings, load);
  state->origin.overrides = source.options.overrides;
  state->origin.inputs = inputs.files();
  state->origin.seeds = core::seeds_of(document);
  state->origin.warnings = warnings.lines();
  return state;
}

core::SweepWishes wishes_of_options(const Sweep::State& sweep, const SweepOptions& options) {
  core::SweepWishes wishes;
  wishes.threads = options.how.threads > 0 ? options.how.threads : core::default_threads();
  wishes.fold = options.fold;
  wishes.allow_out_of_memory = sweep.allow_out_of_memory;
  wishes.reuse = {options.reuse_any_version, !options.retry_failed};
  if (!options.only.empty()) wishes.only = core::SweepCondition{options.only, {"only"}};
  wishes.most = options.limit;
  wishes.common_files = sweep.common_files;
  wishes.stop = [stop = options.how.stop] { return stop.stop_requested(); };
  return wishes;
}

core::StudyFacts facts_of_state(const Sweep::State& sweep) {
  return core::facts_of(*sweep.runs, sweep.origin, sweep.allow_out_of_memory);
}

}  // namespace

Sweep::Sweep(std::shared_ptr<const State> state) : state_(std::move(state)) {}

Result<Sweep> Sweep::from(const Document& document, const ReadOptions& options) {
  return result_of<Sweep>([&] {
    const std::string root(core::document_root);
    const std::string file =
        options.folder.empty() ? root : (std::filesystem::path(options.folder) / root).string();
    return Sweep(read_sweep_state({file, {}, document, options}, options.folder, core::InputLog()));
  });
}

Result<Sweep> Sweep::load(const std::string& file, const ReadOptions& options) {
  return result_of<Sweep>([&] {
    const core::InputLog inputs;
    const std::string text = inputs.read(file);
    return Sweep(read_sweep_state({file, text, std::nullopt, options},
                                  std::filesystem::path(file).parent_path().string(), inputs));
  });
}

const std::string& Sweep::name() const {
  return state_->runs->name();
}

std::size_t Sweep::size() const {
  return state_->runs->size();
}

std::vector<std::string> Sweep::keys() const {
  std::vector<std::string> paths;
  for (const core::SweptKey& key : state_->runs->space().keys) paths.push_back(key.path);
  return paths;
}

const std::vector<std::string>& Sweep::warnings() const {
  return state_->origin.warnings;
}

std::string Sweep::run(std::size_t number) const {
  if (number >= size()) throw std::out_of_range("the sweep has no run of this number");
  return state_->runs->name_of(state_->runs->point(number));
}

Result<SweepOutcome> Sweep::simulate(const std::string& store, const SweepOptions& options) const {
  return result_of<SweepOutcome>([&] {
    core::make_folder_of_store(store);
    core::RunStore opened(store, facts_of_state(*state_), state_->runs->space(), state_->folder);
    core::SweepWishes wishes = wishes_of_options(*state_, options);
    core::StudyProgress progress(options.how);
    const core::StepListener steps = progress.steps();
    wishes.told = [&](const core::SweepProgress& so_far) {
      if (!options.how.stop.stop_requested()) steps(so_far.reused + so_far.simulated, size(), "runs");
    };
    const core::SweepOutcome outcome = core::simulate_sweep(*state_->runs, opened, state_->load, wishes);
    return SweepOutcome{outcome.runs, outcome.reused, outcome.simulated, outcome.failed, outcome.complete};
  });
}

Result<std::string> Sweep::simulate_part(const std::vector<std::size_t>& runs,
                                         const SweepOptions& options) const {
  return result_of<std::string>([&] {
    for (const std::size_t run : runs)
      if (run >= size()) throw core::InputError({"runs"}, "the sweep has no run " + std::to_string(run));
    return core::text_of_runs(core::simulate_part(*state_->runs, runs, *state_->files, state_->load,
                                                  wishes_of_options(*state_, options)));
  });
}

SweepStore::SweepStore(std::shared_ptr<State> state) : state_(std::move(state)) {}

Result<SweepStore> SweepStore::open(const Sweep& sweep, const std::string& file,
                                    const SweepOptions& options) {
  return result_of<SweepStore>([&] {
    core::make_folder_of_store(file);
    auto state = std::make_shared<State>();
    state->sweep = core::Access::shared(sweep);
    state->wishes = wishes_of_options(*state->sweep, options);
    state->store.emplace(file, facts_of_state(*state->sweep), state->sweep->runs->space(),
                         state->sweep->folder);
    return SweepStore(std::move(state));
  });
}

Result<std::vector<std::size_t>> SweepStore::missing() {
  return result_of<std::vector<std::size_t>>([&] {
    const core::SweptRuns& runs = *state_->sweep->runs;
    const core::RunKeys keys = core::run_keys_of(runs, state_->wishes.allow_out_of_memory);
    std::optional<core::PointCondition> only;
    if (state_->wishes.only) only.emplace(runs.space(), *state_->wishes.only);
    std::vector<std::size_t> numbers;
    constexpr std::size_t at_once = 4096;
    while (const std::optional<core::RunRange> range = state_->store->claim(runs.size(), at_once)) {
      std::vector<core::PlacedPoint> points;
      for (std::size_t number = range->begin; number < range->end; ++number)
        if (!only || only->holds(runs.point(number)))
          points.push_back(core::placed_point(runs, keys, number));
      for (const core::PlacedPoint& point : state_->store->missing(std::move(points), state_->wishes.reuse))
        numbers.push_back(point.number);
    }
    if (state_->wishes.most && numbers.size() > *state_->wishes.most) numbers.resize(*state_->wishes.most);
    return numbers;
  });
}

Result<std::size_t> SweepStore::add(const std::string& part) {
  return result_of<std::size_t>([&] {
    const core::SweptRuns& runs = *state_->sweep->runs;
    const core::RunKeys keys = core::run_keys_of(runs, state_->wishes.allow_out_of_memory);
    const std::vector<core::EndedPoint> ended =
        core::runs_of_text(part, [&](std::size_t number) { return core::placed_point(runs, keys, number); });
    state_->store->add(ended);
    return ended.size();
  });
}

Study::Study(std::shared_ptr<const State> state) : state_(std::move(state)) {}

Result<Study> Study::load(const std::string& store) {
  return result_of<Study>([&] {
    const core::StoredStudy study(store);
    return Study(std::make_shared<const State>(State{store, study.fact("name")}));
  });
}

const std::string& Study::name() const {
  return state_->name;
}

Result<Table> Study::table(const std::string& where, const std::string& sort,
                           std::optional<std::size_t> limit) const {
  return result_of<Table>([&] {
    core::StoredStudy study(state_->store);
    return Table(
        std::make_shared<const core::TypedTable>(study.table(study.columns(), {where, sort, limit})));
  });
}

Result<std::string> Study::write_report(const std::string& file) const {
  return result_of<std::string>([&] {
    core::write_file_atomically(file, core::study_page(core::page_of_study(state_->store)));
    return file;
  });
}

}  // namespace orrery
