// The folder beside a store in which a sweep on a cluster keeps what belongs to its tasks.
#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace orrery::core {

// What is known of a job that was submitted.
struct SubmittedJob {
  std::string array;              // number of the array's job
  std::string merging;            // number of the job that merges the stores; empty where there is none
  std::string submitted;          // when, in UTC
  std::size_t in_store = 0;       // runs that the store had then
  int processors = 1;             // of each task
  std::vector<std::size_t> runs;  // of each task
  std::vector<double> seconds;    // that these take on one processor, as it was estimated

  std::size_t tasks() const { return runs.size(); }
};

// How far a task is. Runs count that are in its store.
struct TaskProgress {
  std::size_t done = 0, failed = 0;
};

class JobFolder {
 public:
  // Of a store results/NAME.sqlite the folder is results/NAME.slurm. It need not be there.
  explicit JobFolder(const std::string& store);

  const std::filesystem::path& path() const { return path_; }    // absolute
  const std::filesystem::path& store() const { return store_; }  // absolute
  std::string parts() const { return (path_ / "parts.txt").string(); }
  std::string array_script() const { return (path_ / "job.sh").string(); }
  std::string merge_script() const { return (path_ / "merge.sh").string(); }

  // Returns the job that was submitted last, if any was. Throws InputError where its file is wrong.
  std::optional<SubmittedJob> job() const;
  void write(const SubmittedJob& job) const;
  void forget_job() const;

  // Returns the stores that tasks have made, in the order of their names.
  std::vector<std::string> stores() const;
  // Removes the stores of tasks and what belongs to them. What a task has written since they were merged is
  // lost.
  void remove_stores() const;
  // Removes what tasks have printed.
  void remove_logs() const;

  // Returns how far the task of that number is, from 1. This is what it has said last, up to some seconds
  // ago.
  TaskProgress progress_of(std::size_t task) const;
  // Returns for how many seconds no task has said anything; nothing where none has said anything yet.
  std::optional<double> seconds_of_silence() const;

 private:
  std::vector<std::filesystem::path> files_of_tasks(const std::string& ending) const;

  std::filesystem::path store_, path_;
};

// Says how far the task is that writes this store, in a small file beside it. It can be read where a network
// file system lets nobody else open the store.
void write_task_progress(const std::string& store, const TaskProgress& progress);

// Merges the stores of tasks into that of the sweep and removes them. Throws InputError where they are of
// another sweep.
void merge_tasks(const JobFolder& folder);

}  // namespace orrery::core
