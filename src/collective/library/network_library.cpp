#include "collective/library/network_library.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/files/file.hpp"

namespace orrery::core {

namespace {

LinkChoice links_of(const Dimension& dimension, const SourceLocation& where) {
  const double gb_per_s = dimension.usable_links() * dimension.link_bandwidth.bytes_per_ns();
  return {fmt::format("{} GB/s", gb_per_s), where};
}

}  // namespace

NamedLibrary name_library(const std::string& name_or_file, const SourceLocation& where,
                          const FileLoader& load) {
  if (name_or_file.ends_with(".yaml") && file_exists(name_or_file)) load.note(name_or_file);
  return {name_or_file, where, load, {}};
}

CollectiveLibrary library_on(const Topology& topology, const NamedLibrary& library) {
  if (topology.dimensions.size() > 2 && !topology.graph)
    throw InputError(
        library.where,
        fmt::format("the closed forms of a library know nodes and what joins them, so networks of one "
                    "or two dimensions, but this one has {}; leave the library out, or join dimensions",
                    topology.dimensions.size()));
  ClusterLinks links;
  links.buffers = library.buffers;
  links.gpus_per_node = topology.dimensions[0].size;
  links.inside = links_of(topology.dimensions[0], library.where);
  if (topology.dimensions.size() > 1) {
    // All groups of a graph beyond the first are reached over the same links of an NPU.
    const auto slowest = std::ranges::min_element(
        topology.dimensions.begin() + 1, topology.dimensions.end(), {}, [](const Dimension& dimension) {
          return dimension.usable_links() * dimension.link_bandwidth.bytes_per_ns();
        });
    links.between = links_of(*slowest, library.where);
  }
  return find_collective_library(library.name_or_file, links, library.where, library.load);
}

}  // namespace orrery::core
