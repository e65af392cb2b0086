// Reads networks as they are built, from any format that describes one.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/files/extensions.hpp"
#include "base/input/input_node.hpp"
#include "base/input/keys.hpp"
#include "topology/graph/network_graph.hpp"

namespace orrery::core {

struct BuiltNetwork {
  NetworkGraph graph;
  // Sizes of the groups that NPUs naturally form, innermost first, such as 8 GPUs in each of 128 nodes. The
  // product of the sizes is the number of NPUs.
  std::vector<int> groups;
};

// A format, such as that of ns-3's topology files.
struct GraphFormat {
  std::string_view name;  // as in "the topology file of ns-3"
  // Returns whether the text looks like this format. read() reports what is wrong with it.
  bool (*recognizes)(std::string_view text);
  BuiltNetwork (*read)(std::string_view text, const std::string& file, Warnings& warnings);
};

// Returns whether a format recognizes the text.
bool is_graph_file(std::string_view text);
// Returns whether the first format that recognizes the text is Orrery's own: a map that read_graph() reads.
bool is_yaml_graph(std::string_view text);

// Reads a network, which has at least one NPU, by the first format that recognizes it. Throws InputError.
BuiltNetwork read_graph_file(std::string_view text, const std::string& file, Warnings& warnings,
                             const Extensions& extensions = no_extensions);

// Returns whether this is a map that read_graph() reads.
bool is_graph(const InputNode& node);

// Reads Orrery's own description of a network: a map that names a builder, of the program or of a plug-in, or
// one of nodes and links. Throws InputError.
BuiltNetwork read_graph(const InputNode& map, const Extensions& extensions = no_extensions);

// Returns the keys that such a map may have, as its `build` says. There are none where it names no form that
// is known. A network inside is another map, whose keys are not included.
std::vector<KeyPath> yaml_graph_keys(const InputNode& map);

}  // namespace orrery::core
