#include "study/cluster/job_script.hpp"

#include <algorithm>
#include <cctype>

#include <fmt/format.h>

#include "base/diagnostics/diagnostics.hpp"
#include "base/diagnostics/words.hpp"

namespace orrery::core {

namespace {

// Returns a line for sbatch, which reads texts in quotes. It has no way to read some characters.
std::string sbatch_line(std::string_view option, const std::string& value, const char* flag) {
  const auto is_bad = [](unsigned char letter) {
    return std::iscntrl(letter) != 0 || letter == '"' || letter == '\\';
  };
  if (std::ranges::any_of(value, is_bad))
    throw InputError({flag}, backquoted(value) +
                                 " has a character that a script for sbatch cannot have, such as a "
                                 "quote; choose another text");
  return fmt::format("#SBATCH --{}=\"{}\"\n", option, value);
}

std::string optional_line(std::string_view option, const std::string& value, const char* flag) {
  return value.empty() ? std::string() : sbatch_line(option, value, flag);
}

// Slurm reads % in names of files as the beginning of a pattern.
std::string as_pattern(std::string_view path) {
  std::string pattern;
  for (const char letter : path) pattern += letter == '%' ? std::string("%%") : std::string(1, letter);
  return pattern;
}

std::string beginning(const SweepJob& job, std::string_view name) {
  return "#!/bin/sh\n" + sbatch_line("job-name", job.name + std::string(name), "name") +
         optional_line("partition", job.wishes.partition, "--partition") +
         optional_line("account", job.wishes.account, "--account");
}

std::string log_lines(const std::string& pattern) {
  return sbatch_line("output", pattern, "--output") + "#SBATCH --open-mode=append\n";
}

}  // namespace

std::string shell_word(std::string_view text) {
  const auto is_plain = [](unsigned char letter) {
    return std::isalnum(letter) != 0 ||
           std::string_view("_-./=:,+@%").find(static_cast<char>(letter)) != std::string_view::npos;
  };
  if (!text.empty() && std::ranges::all_of(text, is_plain)) return std::string(text);
  std::string word = "'";
  for (const char letter : text) word += letter == '\'' ? std::string("'\\''") : std::string(1, letter);
  return word + "'";
}

std::string array_script(const SweepJob& job, const JobFolder& folder) {
  std::string text = beginning(job, "") + optional_line("time", job.wishes.time, "--time");
  text += fmt::format("#SBATCH --array=1-{}{}\n", job.tasks,
                      job.wishes.at_a_time ? fmt::format("%{}", *job.wishes.at_a_time) : std::string());
  text += fmt::format("#SBATCH --ntasks=1\n#SBATCH --cpus-per-task={}\n", job.wishes.processors);
  text += log_lines(as_pattern(folder.path().string()) + "/part-%a.log") + "#SBATCH --requeue\n";
  text += fmt::format("cd {} || exit\n", shell_word(job.working_folder));
  text += fmt::format("folder={}\n", shell_word(folder.path().string()));
  text += "store=$folder/part-$SLURM_ARRAY_TASK_ID\n";
  // With exec the program is the process that gets Slurm's signals. A store can be in use on a network file
  // system when Slurm has started a task again whose node it cannot reach.
  text += fmt::format("exec {} sweep {}", shell_word(job.program), shell_word(job.experiment));
  for (const std::string& flag : job.flags) text += " " + shell_word(flag);
  text +=
      " \\\n  --part=\"$SLURM_ARRAY_TASK_ID\" --parts=\"$folder/parts.txt\" "
      "--threads=\"${SLURM_CPUS_PER_TASK:-1}\"";
  return text +
         " \\\n  --store=\"$store.sqlite\" --spare-store=\"$store-r${SLURM_RESTART_COUNT:-0}.sqlite\"\n";
}

std::string merge_script(const SweepJob& job, const JobFolder& folder) {
  std::string text = beginning(job, "-merge") + log_lines(as_pattern(folder.path().string()) + "/merge.log");
  text += fmt::format("set -- {}/part-*.sqlite\n", shell_word(folder.path().string()));
  text += "[ -e \"$1\" ] || exit 0\n";
  return text + fmt::format("exec {} results merge {} \"$@\"\n", shell_word(job.program),
                            shell_word(folder.store().string()));
}

}  // namespace orrery::core
