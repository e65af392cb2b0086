#include "study/cluster/job_folder.hpp"

#include <algorithm>
#include <chrono>
#include <system_error>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/diagnostics/diagnostics.hpp"
#include "base/files/file.hpp"
#include "study/store/stored_study.hpp"

namespace orrery::core {

namespace {

namespace fs = std::filesystem;

constexpr const char* store_ending = ".sqlite";
constexpr const char* progress_ending = ".progress";
constexpr const char* task_prefix = "part-";

std::string job_file(const fs::path& folder) {
  return (folder / "job.json").string();
}

// Returns the number of the task in a name such as "part-12.sqlite" or "part-12-r1.sqlite".
std::size_t task_of_file(const fs::path& file) {
  std::size_t task = 0;
  for (const char letter : file.filename().string().substr(std::string_view(task_prefix).size())) {
    if (letter < '0' || letter > '9') break;
    task = task * 10 + static_cast<std::size_t>(letter - '0');
  }
  return task;
}

}  // namespace

JobFolder::JobFolder(const std::string& store)
    : store_(fs::absolute(store).lexically_normal()), path_(store_) {
  path_.replace_extension(".slurm");
}

std::optional<SubmittedJob> JobFolder::job() const {
  const std::string file = job_file(path_);
  if (!file_exists(file)) return std::nullopt;
  try {
    const nlohmann::json json = nlohmann::json::parse(read_file_of_any_kind(file));
    SubmittedJob job;
    json.at("array").get_to(job.array);
    json.at("merging").get_to(job.merging);
    json.at("submitted").get_to(job.submitted);
    json.at("in_store").get_to(job.in_store);
    json.at("processors").get_to(job.processors);
    for (const nlohmann::json& task : json.at("tasks")) {
      job.runs.push_back(task.at("runs").get<std::size_t>());
      job.seconds.push_back(task.at("seconds").get<double>());
    }
    return job;
  } catch (const nlohmann::json::exception&) {
    throw InputError(
        {file}, "does not say which job was submitted; remove it when `squeue` shows none of this sweep");
  }
}

void JobFolder::write(const SubmittedJob& job) const {
  nlohmann::ordered_json json{{"array", job.array},           {"merging", job.merging},
                              {"submitted", job.submitted},   {"in_store", job.in_store},
                              {"processors", job.processors}, {"tasks", nlohmann::ordered_json::array()}};
  for (std::size_t task = 0; task < job.tasks(); ++task)
    json["tasks"].push_back({{"runs", job.runs[task]}, {"seconds", job.seconds[task]}});
  write_file_atomically(job_file(path_), json.dump(1) + "\n");
}

void JobFolder::forget_job() const {
  std::error_code none;
  fs::remove(job_file(path_), none);
}

std::vector<fs::path> JobFolder::files_of_tasks(const std::string& ending) const {
  std::vector<fs::path> files;
  std::error_code failure;
  for (fs::directory_iterator entry(path_, failure), end; !failure && entry != end;
       entry.increment(failure)) {
    const std::string name = entry->path().filename().string();
    if (name.starts_with(task_prefix) && name.ends_with(ending)) files.push_back(entry->path());
  }
  std::ranges::sort(files);
  return files;
}

std::vector<std::string> JobFolder::stores() const {
  std::vector<std::string> stores;
  for (const fs::path& file : files_of_tasks(store_ending)) stores.push_back(file.string());
  return stores;
}

void JobFolder::remove_stores() const {
  std::error_code none;
  for (const fs::path& store : files_of_tasks(store_ending))
    for (const char* ending : {"", "-wal", "-shm", "-lock"}) fs::remove(store.string() + ending, none);
  for (const fs::path& file : files_of_tasks(progress_ending)) fs::remove(file, none);
}

void JobFolder::remove_logs() const {
  std::error_code none;
  for (const fs::path& file : files_of_tasks(".log")) fs::remove(file, none);
}

TaskProgress JobFolder::progress_of(std::size_t task) const {
  TaskProgress most;
  for (const fs::path& file : files_of_tasks(progress_ending)) {
    if (task_of_file(file) != task) continue;
    const nlohmann::json json = nlohmann::json::parse(read_file_of_any_kind(file.string()), nullptr, false);
    if (!json.is_object()) continue;
    most.done = std::max(most.done, json.value("done", std::size_t{0}));
    most.failed = std::max(most.failed, json.value("failed", std::size_t{0}));
  }
  return most;
}

std::optional<double> JobFolder::seconds_of_silence() const {
  std::optional<double> least;
  for (const fs::path& file : files_of_tasks(progress_ending)) {
    std::error_code failure;
    const auto age = fs::file_time_type::clock::now() - fs::last_write_time(file, failure);
    if (failure) continue;
    const double seconds = std::max(0.0, std::chrono::duration<double>(age).count());
    least = std::min(seconds, least.value_or(seconds));
  }
  return least;
}

void write_task_progress(const std::string& store, const TaskProgress& progress) {
  fs::path file = store;
  file.replace_extension(progress_ending);
  const nlohmann::ordered_json json{{"done", progress.done}, {"failed", progress.failed}};
  // A task goes on where its progress cannot be written.
  static_cast<void>(fault_in([&] { write_file_atomically(file.string(), json.dump() + "\n"); }));
}

void merge_tasks(const JobFolder& folder) {
  const std::vector<std::string> stores = folder.stores();
  if (stores.empty()) return;
  try {
    if (!std::ranges::all_of(stores, is_hardly_begun)) merge_stores(folder.store().string(), stores);
  } catch (const FileInUse&) {
    throw;
  } catch (const InputError& error) {
    throw InputError(error.where(),
                     error.message() + fmt::format(". These are the runs that tasks of an earlier job have "
                                                   "left in {}; remove this folder if you do not need them",
                                                   folder.path().string()));
  }
  folder.remove_stores();
}

}  // namespace orrery::core
