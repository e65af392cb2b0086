#include "cli/inputs/input_kind.hpp"

#include <fmt/format.h>

#include <filesystem>

#include "base/files/file.hpp"
#include "cli/progress_line.hpp"
#include "report/stored/result_files.hpp"

namespace orrery::core {

namespace {

// Returns the value that --workload-configuration takes for a trace: `run` for `run.3.et`, which is that of
// NPU 3.
std::string trace_prefix(const std::string& file) {
  constexpr std::string_view ending = ".et";
  if (!file.ends_with(ending)) return file;
  const std::string name = file.substr(0, file.size() - ending.size());
  const std::size_t end = name.find_last_not_of("0123456789");
  const bool numbered = end != name.npos && name[end] == '.' && end + 1 < name.size();
  return numbered ? name.substr(0, end) : file;
}

// `orrery COMMAND` with this file where it belongs, and what else the run needs.
std::string by_flags(std::string_view command, const InputKind& kind, const std::string& file) {
  constexpr std::string_view needed[][2] = {{"--workload-configuration", "WORKLOAD"},
                                            {"--system-configuration", "SYSTEM"},
                                            {"--network-configuration", "NETWORK"}};
  const std::string value = kind.flag == needed[0][0] ? trace_prefix(file) : file;
  std::string text = fmt::format("`orrery {}", command);
  bool given = false;
  for (const auto& [flag, other] : needed) {
    text += fmt::format(" {}={}", flag, flag == kind.flag ? std::string_view(value) : other);
    given |= flag == kind.flag;
  }
  return text + (given ? "`" : fmt::format(" {}={}`", kind.flag, file));
}

// Says what shows the contents of a file, as a beginning of a sentence; empty where nothing does.
std::string what_shows(const InputKind& kind, const std::string& file) {
  return kind.shown_by.empty() ? std::string()
                               : fmt::format("`orrery {} {}` says {}", kind.shown_by, file, kind.shown);
}

std::string joined(const std::string& first, const std::string& second) {
  return first + (first.empty() || second.empty() ? "" : ", and ") + second;
}

// Says what to do with a file that is no experiment.
std::string what_takes(const InputKind& kind, const std::string& file) {
  if (!kind.taken_by.empty()) return fmt::format("{} takes it", kind.taken_by);
  return kind.flag.empty() ? std::string() : by_flags("run", kind, file) + " runs it";
}

std::string_view without_article(std::string_view name) {
  return name.substr(name.find(' ') + 1);
}

const InputKind& kind_of_file(std::string_view text, const std::string& file) {
  if (first_word(text).empty())
    throw InputError({file}, "is empty, write an experiment, a layer table, a system or a network file");
  return kind_of_input(text);
}

}  // namespace

std::string check_input(const std::string& file, const FileLoader& load, const ExperimentChanges& changes,
                        Warnings& warnings, std::vector<std::string>& errors) {
  const std::string text = load(file, ReadAs::anything);
  const InputKind& kind = kind_of_file(text, file);
  if (!kind.takes_changes && (!changes.overrides.empty() || changes.network_model.given()))
    throw InputError({file}, fmt::format("this is {}, and `{}` changes experiments; leave it out", kind.name,
                                         changes.overrides.empty() ? "--network-model" : "--set"));
  if (!kind.check)
    throw InputError({file}, fmt::format("this is {}, which cannot be validated alone; {}", kind.name,
                                         joined(what_shows(kind, file),
                                                by_flags("validate", kind, file) + " validates its run")));
  const std::string said = kind.check({text, file, changes, warnings, load, errors});
  return said.empty() ? std::string(without_article(kind.name)) : said;
}

std::string read_experiment_text(const std::string& file, const FileLoader& load) {
  if (file_exists((std::filesystem::path(file) / summary_file.name).string()))
    throw InputError({file},
                     "this folder holds results; name the experiment file that they are of, as its runs are "
                     "simulated anew");
  std::string text = load(file, ReadAs::anything);
  const InputKind& kind = kind_of_input(text);
  if (!kind.takes_changes)
    throw InputError({file}, fmt::format("this is {}, not an experiment; {}", kind.name,
                                         joined(what_shows(kind, file), what_takes(kind, file))));
  return text;
}

Experiment read_experiment_file(const std::string& file, const std::vector<std::string>& overrides,
                                Warnings& warnings, const FileLoader& load,
                                std::optional<NetworkModel> network_model) {
  const std::string text = read_experiment_text(file, load);
  return with_progress(file, "reading the experiment",
                       [&] { return read_experiment(text, file, overrides, warnings, load, network_model); });
}

}  // namespace orrery::core
