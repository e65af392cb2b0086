#include "topology/graph/formats/graph_file.hpp"

#include "base/files/foreign_files.hpp"
#include "topology/graph/formats/graph_formats.hpp"

namespace orrery::core {

namespace {

const GraphFormat* format_of(std::string_view text) {
  for (const GraphFormat* format : graph_formats)
    if (format->recognizes(text)) return format;
  return nullptr;
}

}  // namespace

bool is_graph_file(std::string_view text) {
  return format_of(text) != nullptr;
}

bool is_yaml_graph(std::string_view text) {
  return format_of(text) == &yaml_graph_format;
}

BuiltNetwork read_graph_file(std::string_view text, const std::string& file, Warnings& warnings,
                             const Extensions& extensions) {
  const GraphFormat* const format = format_of(text);
  refuse_foreign(text, file);
  if (!format)
    throw InputError({file}, "this is no description of a network: docs/inputs/graphs.md has the formats");
  // Only the own format names builders, which plug-ins may add.
  BuiltNetwork network = format == &yaml_graph_format ? read_graph(parse_yaml(text, file), extensions)
                                                      : format->read(text, file, warnings);
  if (network.graph.npus() == 0) throw InputError({file}, "the network has no NPU: add one");
  return network;
}

}  // namespace orrery::core
