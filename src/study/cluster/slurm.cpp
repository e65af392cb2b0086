#include "study/cluster/slurm.hpp"

#include <algorithm>
#include <array>
#include <sstream>
#include <utility>

#include "base/diagnostics/diagnostics.hpp"
#include "base/text/token_reader.hpp"
#include "study/cluster/program.hpp"

namespace orrery::core {

namespace {

[[noreturn]] void fail_without_slurm() {
  throw InputError({"--slurm"},
                   "there is no `sbatch` here; log in where jobs are submitted, leave --slurm out to "
                   "simulate on this machine, or give each machine a --shard");
}

// Returns the first line of what a program of Slurm says is wrong.
std::string words_of_slurm(const std::string& errors) {
  std::string line;
  std::istringstream lines(errors);
  std::getline(lines, line);
  return line.empty() ? "Slurm does not say why" : line;
}

}  // namespace

bool is_at_work(std::string_view state) {
  constexpr std::array<std::string_view, 10> ended{"BOOT_FAIL", "CANCELLED", "COMPLETED", "DEADLINE",
                                                   "FAILED",    "NODE_FAIL", "TIMEOUT",   "OUT_OF_MEMORY",
                                                   "PREEMPTED", "REVOKED"};
  return std::ranges::find(ended, state) == ended.end();
}

void require_slurm() {
  if (!run_program({"sbatch", "--version"})) fail_without_slurm();
}

std::string submit(const std::string& script, const std::vector<std::string>& options) {
  std::vector<std::string> words{"sbatch", "--parsable"};
  words.insert(words.end(), options.begin(), options.end());
  words.push_back(script);
  const std::optional<EndedProgram> ended = run_program(words);
  if (!ended) fail_without_slurm();
  // The number is followed by the name of a cluster where there are several.
  const std::string job = ended->output.substr(0, ended->output.find_first_of(";\n"));
  if (ended->status != 0 || !parse_unsigned(job))
    throw InputError({script}, "Slurm does not take this job: " + words_of_slurm(ended->errors) +
                                   "; change the flags, or the script, and try again");
  return job;
}

std::optional<std::vector<SlurmTask>> tasks_of_job(const std::string& job) {
  const std::optional<EndedProgram> ended =
      run_program({"squeue", "--noheader", "--array", "--states=all", "--jobs=" + job, "--format=%K|%T"});
  if (!ended) return std::nullopt;
  std::vector<SlurmTask> tasks;
  if (ended->status != 0)
    return ended->errors.find("Invalid job id") == std::string::npos ? std::nullopt : std::optional(tasks);
  std::istringstream lines(ended->output);
  for (std::string line; std::getline(lines, line);) {
    const std::size_t bar = line.find('|');
    if (bar == std::string::npos) continue;
    const auto number = parse_unsigned(line.substr(0, bar));  // "N/A" where the job is no array
    tasks.push_back({number ? static_cast<std::size_t>(*number) : 0, line.substr(bar + 1)});
  }
  return tasks;
}

void cancel_if_pending(const std::string& job) {
  run_program({"scancel", "--state=PENDING", job});
}

std::size_t most_tasks_of_array() {
  constexpr std::size_t usual = 1000;
  const std::optional<EndedProgram> ended = run_program({"scontrol", "show", "config"});
  if (!ended || ended->status != 0) return usual;
  std::istringstream lines(ended->output);
  for (std::string line; std::getline(lines, line);) {
    if (!line.starts_with("MaxArraySize")) continue;
    const std::size_t digits = line.find_first_of("0123456789");
    const auto size = digits == std::string::npos ? std::nullopt : parse_unsigned(line.substr(digits));
    if (size && *size > 1) return static_cast<std::size_t>(*size - 1);  // indices are below the size
  }
  return usual;
}

}  // namespace orrery::core
