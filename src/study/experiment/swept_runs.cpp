#include "study/experiment/swept_runs.hpp"

#include <algorithm>
#include <filesystem>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "base/input/node_content.hpp"
#include "study/experiment/run_name.hpp"

namespace orrery::core {

namespace {

constexpr std::size_t most_in_a_list = 100'000;
constexpr std::size_t kept_pieces = 512;

const InputNode& sweep_of(const InputNode& document) {
  for (const char* key : {"runs", "comparisons"})
    if (const InputNode* const other = document.find(key))
      throw InputError(other->where,
                       fmt::format("an experiment with a `sweep` has no `{}`, whose names of runs "
                                   "it does not know; leave one out",
                                   key));
  return *document.find("sweep");
}

SweepSpace space_of(const InputNode& document) {
  SweepSpace space = read_yaml_sweep(sweep_of(document));
  space.fixed = keys_of_run(document_without_sweep(document), nullptr);
  return space;
}

}  // namespace

SweptRuns::SweptRuns(const InputNode& document, std::string file, const StepListener& progress)
    : file_(std::move(file)),
      space_(space_of(document)),
      points_(space_, progress),
      common_(document_without_sweep(document)),
      content_(content_of(common_) + content_of(*document.find("sweep"))),
      varied_parts_(core::varied_parts(space_)),
      keys_([](std::string_view first) { return experiment_file_keys(first); }),
      pieces_(kept_pieces) {
  ExperimentValues values;
  read_experiment_keys(document, values);
  where_ = values.name ? values.name->where : SourceLocation{file_};
  name_ = values.name ? scalar_of(*values.name, "name") : std::filesystem::path(file_).stem().string();
  check_run_name(name_, where_);
  if (values.reports) reports_ = *values.reports;
  if (values.objectives) objectives_ = read_yaml_objectives(*values.objectives);
}

InputNode SweptRuns::document_of(const SweepPoint& point) const {
  InputNode document = common_;
  set_point(document, space_, point, keys_);
  return document;
}

RunSpec SweptRuns::read(const SweepPoint& point, Warnings& warnings, const FileLoader& load,
                        KeyUse& use) const {
  const InputNode document = document_of(point);
  return read_swept_run(document, varied_parts_, name_of(point), space_.where, file_, warnings, load, pieces_,
                        use);
}

// Takes the first runs that have a value which no earlier one has.
std::vector<std::size_t> SweptRuns::sample() const {
  constexpr std::size_t most_looked_at = 100'000;
  constexpr std::size_t most_taken = 100;
  std::set<std::pair<std::size_t, std::string>> seen;
  std::vector<std::size_t> taken;
  for (std::size_t run = 0; run < std::min(size(), most_looked_at) && taken.size() < most_taken; ++run) {
    bool is_new = false;
    const SweepPoint at = point(run);
    for (std::size_t key = 0; key < at.values.size(); ++key)
      is_new |= seen.emplace(key, at.values[key]->text).second;
    if (is_new) taken.push_back(run);
  }
  return taken;
}

void SweptRuns::check(Warnings& warnings, const FileLoader& load) const {
  KeyUse use;
  InputFault first;
  bool any = false;
  for (const std::size_t run : sample()) {
    const InputFault fault = fault_in([&] { read(point(run), warnings, load, use); });
    any |= !fault;
    if (fault && !first) first = fault;
  }
  if (!any) throw_if(first);
  use.unused.refuse_unused();
  use.idle.warn(warnings);
}

static SweepPoint find_point(const SweptRuns& runs, const std::string& run) {
  for (std::size_t number = 0; number < runs.size(); ++number)
    if (SweepPoint point = runs.point(number); runs.name_of(point) == run) return point;
  throw InputError(runs.where(), "has no run " + backquoted(run));
}

InputNode document_of_run(InputNode document, const std::string& file, const std::string& run) {
  if (!document.find("sweep")) return document;
  const SweptRuns runs(document, file);
  return runs.document_of(find_point(runs, run));
}

RunSpec read_run_of_sweep(const SweptRuns& runs, const std::string& run, Warnings& warnings,
                          const FileLoader& load) {
  KeyUse use;
  return runs.read(find_point(runs, run), warnings, load, use);
}

Experiment read_all_runs(const SweptRuns& runs, Warnings& warnings, const FileLoader& load) {
  if (runs.size() > most_in_a_list)
    throw InputError(
        runs.space().where,
        fmt::format("has {} runs, which are too many for a list; `orrery sweep` simulates so many, and "
                    "keeps them in a file",
                    runs.size()));
  Experiment experiment;
  experiment.name = runs.name();
  experiment.where = runs.where();
  experiment.objectives = runs.objectives();
  KeyUse use;
  for (const SweptKey& key : runs.space().keys) experiment.varied.keys.push_back(key.path);
  for (std::size_t run = 0; run < runs.size(); ++run) {
    const SweepPoint point = runs.point(run);
    experiment.runs.push_back(runs.read(point, warnings, load, use));
    std::vector<std::string>& values = experiment.varied.values.emplace_back();
    for (const SharedValue& value : point.values) values.push_back(value->text);
  }
  use.unused.refuse_unused();
  use.idle.warn(warnings);
  if (runs.reports()) experiment.reports = ReportChoice(*runs.reports(), names_of_runs(experiment));
  return experiment;
}

}  // namespace orrery::core
