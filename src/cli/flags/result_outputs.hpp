// Decides where commands write, by their flags: `--output` is a folder for a command that writes several
// files, a file for one that writes one, and `-` is standard output.
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/files/input_log.hpp"
#include "base/files/output_files.hpp"
#include "report/stored/result_files.hpp"
#include "study/experiment/experiment.hpp"

namespace orrery::core {

// This is the help of `--output`, for commands that make one table of an experiment and for those that write
// several files.
inline constexpr const char* table_output_meaning =
    "Folder for the experiment's results (default: results), or a file for the table, which ends in .csv, or "
    "-";
inline constexpr const char* results_output_meaning =
    "Folder for the experiment's results (default: results)";

// Writes a file, or to standard output for `-`.
void write_output(const std::string& path, std::string_view text);

// Throws InputError where `--output` names standard output for a command that writes several files.
void require_output_folder(const std::string& output);

// Throws InputError where one of these files of the folder would replace an input.
void keep_inputs(const std::filesystem::path& folder, std::span<const ResultFile> files,
                 const std::vector<std::string>& inputs);
// Throws InputError where any result of the experiment's simulation in that folder would replace an input.
void keep_inputs(const std::filesystem::path& folder, const Experiment& experiment,
                 const std::vector<std::string>& inputs);

// The one table that a command makes of an experiment: a file in the folder of the experiment's results,
// which
// `--output` names, or else the file that it names itself, whose name ends in .csv, or standard output.
class TableOutput {
 public:
  // Throws InputError where the table would replace an input, and where standard output is to have JSON, too.
  TableOutput(const std::string& output, const Experiment& experiment, const ResultFile& table,
              const InputLog& inputs, bool json);

  // Throws InputError where `--output` names a file although there are several experiments.
  static void require_one(const std::string& output, std::size_t experiments);

  bool is_standard_output() const { return path_ == standard_output; }
  const std::string& path() const { return path_; }
  void write(std::string_view text) const;

 private:
  std::filesystem::path folder_;  // of the experiment's results; empty: another one
  std::string path_;
};

}  // namespace orrery::core
