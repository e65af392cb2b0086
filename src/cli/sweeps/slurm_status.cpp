#include "cli/sweeps/slurm_status.hpp"

#include <algorithm>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/files/file.hpp"
#include "cli/console.hpp"
#include "cli/progress_line.hpp"
#include "cli/sweeps/read_sweep.hpp"
#include "study/cluster/job_folder.hpp"
#include "study/cluster/slurm.hpp"
#include "study/store/stored_study.hpp"

namespace orrery::core {

namespace {

struct SweepStatus {
  std::size_t runs = 0, done = 0, failed = 0;
  std::optional<SubmittedJob> job;
  bool is_known = true;                       // whether Slurm has answered
  bool at_work = false;                       // whether a task may still do something
  std::map<std::string, std::size_t> states;  // how many tasks are in each
  double seconds_left = 0;
  std::optional<double> silence;  // seconds since a task has said anything
};

void add_store(SweepStatus& status, const std::string& path) {
  if (!file_exists(path) || is_hardly_begun(path)) return;
  StoredStudy study(path);
  status.done = study.count({});
  status.failed = study.failed_runs();
}

// Tasks that run share what is left, as those that wait take the places of those that end.
double seconds_left_of(const SubmittedJob& job, const JobFolder& folder, const std::set<std::size_t>& at_work,
                       std::size_t running) {
  double sum = 0, longest = 0;
  for (const std::size_t task : at_work) {
    if (task < 1 || task > job.tasks()) continue;
    const double runs = static_cast<double>(std::max<std::size_t>(job.runs[task - 1], 1));
    const double share = std::min(static_cast<double>(folder.progress_of(task).done) / runs, 1.0);
    const double left = job.seconds[task - 1] / job.processors * (1 - share);
    sum += left;
    longest = std::max(longest, left);
  }
  return std::max(longest, sum / static_cast<double>(std::max<std::size_t>(running, 1)));
}

void add_tasks(SweepStatus& status, const JobFolder& folder) {
  const auto tasks = tasks_of_job(status.job->array);
  status.is_known = tasks.has_value();
  if (!tasks) return;
  std::set<std::size_t> at_work;
  for (const SlurmTask& task : *tasks) {
    ++status.states[task.state];
    if (is_at_work(task.state)) at_work.insert(task.number);
  }
  status.at_work = !at_work.empty();
  status.seconds_left = seconds_left_of(*status.job, folder, at_work, status.states["RUNNING"]);
  std::erase_if(status.states, [](const auto& state) { return state.second == 0; });
}

// The stores of tasks are not opened, as a network file system may let their tasks alone have them.
SweepStatus status_of(const ReadSweep& read) {
  const JobFolder folder(read.store);
  SweepStatus status;
  status.runs = read.runs->size();
  add_store(status, read.store);
  status.job = folder.job();
  if (!status.job) return status;
  TaskProgress tasks;
  for (std::size_t task = 1; task <= status.job->tasks(); ++task) {
    const TaskProgress one = folder.progress_of(task);
    tasks.done += one.done;
    tasks.failed += one.failed;
  }
  // The store has the tasks' runs, too, when they are merged.
  const std::size_t in_store =
      std::exchange(status.done, std::max(status.done, status.job->in_store + tasks.done));
  if (in_store <= status.job->in_store) status.failed += tasks.failed;
  status.silence = folder.seconds_of_silence();
  add_tasks(status, folder);
  return status;
}

std::string text_of_job(const SweepStatus& status) {
  if (!status.job) return "no job of this sweep was submitted\n";
  const std::size_t left = status.runs - std::min(status.done, status.runs);
  std::string text = fmt::format("job {} of {} tasks, submitted {}: ", status.job->array, status.job->tasks(),
                                 status.job->submitted);
  if (!status.is_known) return text + "Slurm does not answer, so it is not known what they do\n";
  std::string states;
  for (const auto& [state, count] : status.states)
    states += fmt::format("{}{} {}", states.empty() ? "" : ", ", count, state);
  text += (states.empty() ? "it has ended" : states) + "\n";
  if (status.at_work && left > 0) text += fmt::format("about {} left\n", rough_time(status.seconds_left));
  if (status.at_work && status.silence)
    text += fmt::format("a task has ended a run {} ago\n", rough_time(*status.silence));
  if (!status.at_work && left > 0)
    text += "no task is at work; the same command with --slurm goes on with what is left\n";
  return text;
}

nlohmann::ordered_json json_of(const std::string& name, const SweepStatus& status) {
  nlohmann::ordered_json json{
      {"study", name}, {"runs", status.runs}, {"done", status.done}, {"failed", status.failed}};
  if (!status.job) return json;
  json["job"] = status.job->array;
  json["submitted"] = status.job->submitted;
  json["tasks"] = status.job->tasks();
  if (!status.is_known) return json;
  json["states"] = nlohmann::ordered_json(status.states);
  json["at_work"] = status.at_work;
  json["seconds_left"] = status.seconds_left;
  return json;
}

}  // namespace

int show_status(const SweepFlags& flags, const CommandLine& written) {
  std::unique_ptr<ReadSweep> read;
  {
    ProgressLine progress(std::filesystem::path(flags.file).stem().string());
    read = read_sweep(flags, written, progress);
  }
  const SweepStatus status = status_of(*read);
  if (flags.json) {
    print_json(json_of(read->runs->name(), status).dump(2) + "\n");
    return success;
  }
  print(fmt::format("{}: {} runs, {} done, {} of them failed, {} left\n", read->runs->name(), status.runs,
                    status.done, status.failed, status.runs - std::min(status.done, status.runs)));
  print(text_of_job(status));
  return success;
}

}  // namespace orrery::core
