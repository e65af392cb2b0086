#include "study/run/foreign_exporters.hpp"

#include <fmt/format.h>

#include <map>

#include "base/files/file_writer.hpp"

namespace orrery::core {
namespace {

namespace fs = std::filesystem;

constexpr const char* folder_name = "exports";

bool is_plain(const std::string& name) {
  return !name.empty() && name.front() != '.' && fs::path(name).filename() == name;
}

}  // namespace

void write_foreign_reports(const RunOutput& run, const Extensions& extensions) {
  const fs::path folder = fs::path(run.folder) / folder_name;
  remove_foreign_reports(run.folder);
  std::map<std::string, std::string_view> writers;  // of files, by exporter
  for (const std::string_view name : extensions.names<ForeignExporter>()) {
    const SourceLocation where{fmt::format("exporter {} of a plug-in", name)};
    for (const auto& [file, content] : extensions.find<ForeignExporter>(name)->files(run)) {
      if (!is_plain(file))
        throw InputError(where, fmt::format("`{}` is no plain name of a file, such as `slowest.txt`", file));
      if (const auto [writer, is_new] = writers.try_emplace(file, name); !is_new)
        throw InputError(where,
                         fmt::format("the exporter `{}` writes `{}`, too; rename one", writer->second, file));
      std::error_code failure;
      fs::create_directories(folder, failure);
      if (failure) throw InputError({folder.string()}, failure.message() + ", choose another --output");
      FileWriter writer((folder / file).string());
      writer.append(content);
      writer.finish();
    }
  }
}

void remove_foreign_reports(const fs::path& folder) {
  std::error_code none;
  fs::remove_all(folder / folder_name, none);
}

}  // namespace orrery::core
