#include "cli/version_text.hpp"

#include <fmt/format.h>

#include "base/build_info.hpp"
#include "base/dialect.hpp"
#include "network/network_models.hpp"
#include "report/timeline/timeline_formats.hpp"
#include "topology/graph/formats/graph_formats.hpp"

namespace orrery::core {

namespace {

template <class Table>
std::string comma_list(const Table& table) {
  return fmt::format("{}", fmt::join(words_of(table), ", "));
}

std::string names_of_graph_formats() {
  std::vector<std::string_view> names;
  for (const GraphFormat* format : graph_formats) names.push_back(format->name);
  return fmt::format("{}", fmt::join(names, ", "));
}

std::string commit_text(const BuildInfo& info) {
  if (info.date.empty()) return std::string(info.commit);
  return fmt::format("{} of {}", info.commit, info.date);
}

}  // namespace

std::string version_text() {
  const BuildInfo& info = build_info();
  return fmt::format(
      "orrery {}\n"
      "commit:         {}\n"
      "built:          by {}, {}, linked {}{}\n"
      "network models: {}\n"
      "networks:       {}\n"
      "timelines:      {}\n"
      "dialects:       {}",
      info.version, commit_text(info), info.compiler,
      info.build_type.empty() ? "no build type" : info.build_type,
      info.is_static ? "statically" : "dynamically",
      info.sanitizers.empty() ? "" : fmt::format(", with sanitizers {}", info.sanitizers),
      comma_list(network_model_words), names_of_graph_formats(), comma_list(timeline_format_words),
      comma_list(dialect_words));
}

}  // namespace orrery::core
