#include "study/astra2/ns3_network.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <utility>
#include <vector>

#include "base/diagnostics/words.hpp"
#include "base/files/file.hpp"
#include "base/files/foreign_marks.hpp"
#include "base/input/node_reader.hpp"
#include "base/text/token_reader.hpp"
#include "network/packet/ns3/ns3_config.hpp"
#include "program/collective_request.hpp"
#include "topology/files/any_network.hpp"
#include "topology/files/network_yaml_file.hpp"
#include "topology/flits/flit_network_file.hpp"
#include "topology/graph/formats/graph_file.hpp"

namespace orrery::core {

namespace {

namespace fs = std::filesystem;

constexpr const char* logical_flag = "--logical-topology-configuration";

// Sizes are texts in ASTRA-sim's own files, and numbers say the same.
int size_of(const InputNode& entry) {
  constexpr std::uint64_t most = 1u << 27;
  const std::string& text =
      entry.may_be(InputNode::Kind::number) ? entry.text : scalar_of(entry, "logical-dims");
  const auto size = parse_unsigned(text);
  if (!size || *size < 1 || *size > most)
    throw InputError(entry.where, fmt::format("{} is no size of a dimension: write a whole number above 0",
                                              backquoted(text)));
  return static_cast<int>(*size);
}

// Hosts behind the first ones, as many as the dimensions have NPUs, take no part.
std::vector<int> read_logical_dimensions(const std::string& file, NetworkGraph& graph, Warnings& warnings,
                                         const FileLoader& load) {
  const InputNode root = parse_json(load(file, ReadAs::logical_dimensions), file);
  constexpr std::string_view known[] = {"logical-dims"};
  require_map_of(root, "the file of logical dimensions", known, &warnings);
  std::vector<int> sizes;
  double product = 1;
  const InputNode& list = required(root, "the file of logical dimensions", "logical-dims");
  for (const InputNode& entry : list_of(list, "logical-dims")) {
    sizes.push_back(size_of(entry));
    product *= sizes.back();
  }
  if (static_cast<int>(sizes.size()) > max_dimensions)
    throw InputError(list.where, fmt::format("`logical-dims` has {} sizes, and no network has more than {} "
                                             "dimensions",
                                             sizes.size(), max_dimensions));
  if (product > static_cast<double>(graph.npus()))
    throw InputError(list.where,
                     fmt::format("`logical-dims` are of {:.0f} NPUs, and the network has {}: make the "
                                 "product of the sizes that",
                                 product, graph.npus()));
  if (product < static_cast<double>(graph.npus())) {
    warnings.add(list.where,
                 fmt::format("`logical-dims` are of {:.0f} NPUs, and the network has {}: the first "
                             "ones take part, and the others do nothing",
                             product, graph.npus()));
    graph.keep_npus(static_cast<std::size_t>(product));
  }
  return sizes;
}

Topology graph_of(std::string_view text, const std::string& file, const std::string& logical,
                  Warnings& warnings, const FileLoader& load) {
  if (logical.empty()) return read_any_network(text, file, warnings, load.extensions());
  BuiltNetwork built = read_graph_file(text, file, warnings);
  built.groups = read_logical_dimensions(logical, built.graph, warnings, load);
  return topology_of(std::move(built));
}

// A path is relative to the working directory, as in ns-3, or to the folder of the file that names it.
std::string found_from(const std::string& path, const std::string& file) {
  const std::string beside = (fs::path(file).parent_path() / path).string();
  return file_exists(path) || !file_exists(beside) ? path : beside;
}

NetworkOfFlags read_ns3(std::string_view text, const std::string& file, const std::string& logical,
                        Warnings& warnings, const FileLoader& load) {
  Ns3Config config = read_ns3_config(text, file, warnings);
  if (config.topology.path.empty())
    throw InputError({file}, "names no TOPOLOGY_FILE, without which there is no network: add it");
  const std::string path = found_from(config.topology.path, file);
  if (!file_exists(path))
    throw InputError(config.topology.where,
                     fmt::format("there is no topology file {}; correct the path", backquoted(path)));
  const std::string topology = load(path);
  if (!is_graph_file(topology))
    throw InputError(config.topology.where,
                     fmt::format("{} is no topology file of ns-3; name one", backquoted(path)));
  for (const Ns3Outputs::File* output :
       {&config.outputs.completions, &config.outputs.pauses, &config.outputs.queues, &config.outputs.trace})
    if (!output->path.empty() && (output != &config.outputs.trace || config.outputs.traces))
      warnings.add(output->where, "is not written: only `orrery flows --config` writes ns-3's files");
  NetworkOfFlags network{graph_of(topology, path, logical, warnings, load), nullptr};
  cut_links(config, network.topology);
  network.packets = std::make_shared<const PacketSettings>(std::move(config.packets));
  return network;
}

}  // namespace

NetworkOfFlags read_network_of_flags(const std::string& file, const std::string& logical, Warnings& warnings,
                                     const FileLoader& load) {
  const std::string text = load(file, ReadAs::ns3_config);
  if (is_ns3_config(text)) return read_ns3(text, file, logical, warnings, load);
  if (is_graph_file(text)) return {graph_of(text, file, logical, warnings, load), nullptr};
  if (!logical.empty())
    throw InputError({logical_flag},
                     fmt::format("gives a graph its dimensions, and {} has dimensions of its own; "
                                 "leave it out",
                                 backquoted(file)));
  if (is_flit_network_file(text)) return {read_flit_network_file(text, file, warnings), nullptr};
  return {read_network_yaml_file(text, file, warnings), nullptr};
}

}  // namespace orrery::core
