#include "topology/graph/graph_file.hpp"

#include "topology/graph/graph_formats.hpp"

namespace orrery {

BuiltNetwork read_graph_file(std::string_view text, const std::string& file, Warnings& warnings) {
  for (const GraphFormat* format : graph_formats)
    if (format->recognizes(text)) return format->read(text, file, warnings);
  throw InputError({file}, "this is no description of a network: docs/inputs/graphs.md has the formats");
}

}  // namespace orrery
