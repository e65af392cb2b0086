#include "study/sweep/point_run.hpp"

#include <chrono>
#include <filesystem>
#include <memory>
#include <optional>
#include <utility>

#include "base/files/file.hpp"
#include "report/stored/result_files.hpp"
#include "report/stored/result_page.hpp"
#include "report/stored/stored_results.hpp"
#include "study/results/experiment_folder.hpp"

namespace orrery::core {

namespace {

// Returns the experiment whose only run has been read, or could not be.
Experiment experiment_of(const SweptRuns& runs, const PlacedPoint& placed, const FileLoader& load) {
  Experiment one;
  one.name = placed.name;
  one.where = runs.space().where;
  one.extensions = load.kept_extensions();
  RunSpec& spec = one.runs.emplace_back();
  spec.name = placed.name;
  spec.where = runs.space().where;
  return one;
}

// Completes the results of the run as those of an experiment of its own, and adds their page. Returns the
// page.
std::string complete_own_results(std::optional<ExperimentFolder>& folder, const EndedRun& ended) {
  folder->take(ended);
  folder->finish();
  const std::filesystem::path path = folder->path();
  folder.reset();  // whoever reads the results locks their folder
  const StoredResults stored(path.string(), InputLog(InputLog::Holds::paths));
  const std::string page = (path / report_file.name).string();
  write_file_atomically(page, result_page({stored.tables()}));
  return page;
}

std::string relative_to_store(const std::string& page, const std::string& folder) {
  return std::filesystem::path(page).lexically_relative(std::filesystem::path(folder).parent_path()).string();
}

EndedRun simulate_point(const SweptRuns& runs, const PlacedPoint& placed, Experiment& one,
                        const FileLoader& load, const SweepWishes& wishes, std::string& page) {
  Warnings of_reading;
  KeyUse use;
  try {
    one.runs[0] = runs.read(placed.point, of_reading, load, use);
    one.runs[0].allow_out_of_memory = wishes.allow_out_of_memory;
  } catch (...) {
    return failed_run(one, 0, std::current_exception());
  }
  RunWishes of_run;
  of_run.fold = wishes.fold;
  of_run.progress = [&](double, Time) {
    if (wishes.is_to_stop()) throw Stopped();
  };
  const std::string output = wishes.report_folder ? wishes.report_folder(placed.name) : std::string();
  std::optional<ExperimentFolder> folder;
  if (!output.empty()) folder.emplace(output, one);
  of_run.folder = folder ? &*folder : nullptr;
  EndedRun ended = carry_out_one(one, 0, of_run);
  if (ended.failure.kind == FailureKind::stopped) throw Stopped();
  if (folder && ended.failure.kind == FailureKind::none)
    page = relative_to_store(complete_own_results(folder, ended), output);
  of_reading.add_all(ended.warnings);
  ended.warnings = std::move(of_reading);
  return ended;
}

}  // namespace

EndedPoint carry_out_point(const SweptRuns& runs, PlacedPoint placed, StudyInputs& inputs,
                           const FileLoader& load, const SweepWishes& wishes) {
  const auto begin = std::chrono::steady_clock::now();
  const auto files = std::make_shared<HeardFiles>();
  for (const std::string& file : wishes.common_files) files->add(file);
  const FileLoader heard = load.heard_by(files);
  Experiment one = experiment_of(runs, placed, load);
  std::string page;
  const EndedRun ended = simulate_point(runs, placed, one, heard, wishes, page);
  EndedPoint point;
  point.placed = std::move(placed);
  point.results = result_values(RunRow(ended.summary));
  point.place = ended.failure.where.text();
  point.page = std::move(page);
  point.failed = ended.failure.kind != FailureKind::none;
  for (const std::string& line : ended.warnings.lines())
    point.warnings.append(point.warnings.empty() ? "" : "\n").append(line);
  point.inputs = inputs.listed(files->files());
  point.sign();
  point.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  return point;
}

}  // namespace orrery::core
