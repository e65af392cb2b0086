// Talks to Slurm, by its own programs.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace orrery::core {

// A task of an array, or a job that is none.
struct SlurmTask {
  std::size_t number = 0;  // in the array; 0: not part of one
  std::string state;       // as Slurm calls it, such as RUNNING
};

// Returns whether a task of this state may still do something.
bool is_at_work(std::string_view state);

// Throws InputError where there is no sbatch.
void require_slurm();

// Submits a script and returns the number of its job. Throws InputError with Slurm's words where it refuses.
std::string submit(const std::string& script, const std::vector<std::string>& options = {});

// Returns the tasks of a job, also those that ended a short time ago, and nothing where Slurm does not
// answer. Slurm forgets a job some minutes after its end (MinJobAge), so that a job which it does not know
// has ended and has no tasks here.
std::optional<std::vector<SlurmTask>> tasks_of_job(const std::string& job);

// Takes a job out of the queue if it does not run yet.
void cancel_if_pending(const std::string& job);

// Returns how many tasks an array may have here.
std::size_t most_tasks_of_array();

}  // namespace orrery::core
