// The scripts that Slurm runs for a sweep.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "study/cluster/job_folder.hpp"

namespace orrery::core {

// What users say of the tasks. Where a text is empty the cluster decides.
struct TaskWishes {
  std::string partition, account, time;
  int processors = 1;
  std::optional<std::size_t> at_a_time;  // tasks at most
};

// A sweep that is cut into parts.
struct SweepJob {
  std::string name;
  std::string program;             // absolute path of Orrery
  std::string working_folder;      // in which the command line was written
  std::string experiment;          // as it was written there
  std::vector<std::string> flags;  // of `orrery sweep`, that change what its runs are
  std::size_t tasks = 1;
  TaskWishes wishes;
};

// Returns a text as one word of a shell.
std::string shell_word(std::string_view text);

// Returns the script of a job array, each task of which simulates its part into a store of its own. Throws
// InputError where a text cannot stand in the script.
std::string array_script(const SweepJob& job, const JobFolder& folder);
// Returns the script of the job that merges these stores when the array has ended.
std::string merge_script(const SweepJob& job, const JobFolder& folder);

}  // namespace orrery::core
