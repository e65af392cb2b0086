#include "report/stored/result_files.hpp"

namespace orrery::core {

std::string_view page_table_of(std::string_view file) {
  constexpr std::string_view ending = ".csv";
  for (const ResultFile& one : result_files) {
    const std::string_view name = one.name;
    if (!one.on_page || !file.ends_with(name)) continue;
    const std::string_view before = file.substr(0, file.size() - name.size());
    if (before.empty() || before.ends_with('_')) return name.substr(0, name.size() - ending.size());
  }
  return {};
}

bool is_name_of_results(std::string_view name) {
  return name == kineto_folder || !page_table_of(name).empty() ||
         std::ranges::any_of(result_files, [&](const ResultFile& file) { return file.name == name; });
}

}  // namespace orrery::core
