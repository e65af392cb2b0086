#include "cli/flags/result_outputs.hpp"

#include <iostream>
#include <optional>

#include "base/diagnostics/words.hpp"
#include "base/files/file.hpp"
#include "base/files/file_writer.hpp"
#include "base/files/folder_lock.hpp"
#include "base/files/paths.hpp"
#include "study/run/exporters.hpp"

namespace orrery::core {

namespace {

namespace fs = std::filesystem;

const SourceLocation output_flag{"--output"};

bool names_a_file(const std::string& output) {
  return output == standard_output || is_device(output) || (output.ends_with(".csv") && !is_folder(output));
}

}  // namespace

void write_output(const std::string& path, std::string_view text) {
  if (path == standard_output)
    std::cout.write(text.data(), static_cast<std::streamsize>(text.size()));
  else
    write_file_atomically(path, text);
}

void require_output_folder(const std::string& output) {
  if (output == standard_output)
    throw InputError(output_flag,
                     "`-` is standard output, but this command writes several files: name a folder");
}

void keep_inputs(const fs::path& folder, std::span<const ResultFile> files,
                 const std::vector<std::string>& inputs) {
  OutputFiles outputs;
  for (const ResultFile& file : files) {
    const std::string path = (folder / file.name).string();
    has_replaceable_file(path);  // throws now rather than when the work is done
    outputs.add(path);
  }
  outputs.refuse_inputs(inputs);
}

void keep_inputs(const fs::path& folder, const Experiment& experiment,
                 const std::vector<std::string>& inputs) {
  if (!is_folder(folder.string())) return;  // nothing in it can be replaced
  keep_inputs(folder, experiment_files, inputs);
  OutputFiles outputs;
  for (const RunSpec& run : experiment.runs) {
    const fs::path of_run = folder / run.name;
    if (!experiment.reports.wants(run.name, experiment.runs.size()) || !is_folder(of_run.string())) continue;
    for (const Exporter* exporter : all_exporters)
      for (std::string& file : exporter->files(of_run.string() + "/", run.name)) outputs.add(std::move(file));
  }
  outputs.refuse_inputs(inputs);
}

TableOutput::TableOutput(const std::string& output, const Experiment& experiment, const ResultFile& table,
                         const InputLog& inputs, bool json) {
  OutputFiles outputs;
  if (names_a_file(output)) {
    path_ = output;
    if (json) outputs.add_named({"--json"}, standard_output);
    outputs.add_named(output_flag, path_);
  } else {
    folder_ = fs::path(output) / experiment.name;
    path_ = (folder_ / table.name).string();
    has_replaceable_file(path_);
    outputs.add(path_);
  }
  outputs.refuse_inputs(inputs);
}

void TableOutput::require_one(const std::string& output, std::size_t experiments) {
  if (experiments > 1 && names_a_file(output))
    throw InputError(output_flag, backquoted(output) + " would hold the table of one of " +
                                      std::to_string(experiments) + " experiments only: name a folder");
}

void TableOutput::write(std::string_view text) const {
  std::optional<FolderLock> lock;
  if (!folder_.empty()) lock.emplace(folder_, FolderLock::WhenTaken::refuse);
  write_output(path_, text);
}

}  // namespace orrery::core
