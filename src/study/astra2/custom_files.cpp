#include "study/astra2/custom_files.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <map>
#include <memory>

#include "base/diagnostics/words.hpp"
#include "base/files/file.hpp"
#include "base/input/node_reader.hpp"
#include "base/text/token_reader.hpp"
#include "workload/chakra/files/trace_reader.hpp"
#include "workload/chakra/program/trace_graph.hpp"

namespace orrery::core {

namespace {

using chakra::Node;
using chakra::NodeType;

class ProgramReader {
 public:
  ProgramReader(const chakra::TraceGraph& graph, const std::string& file, int npus)
      : graph_(graph), file_(file), npus_(static_cast<std::uint32_t>(npus)) {}

  MemberProgram read() const {
    MemberProgram program;
    program.children = reversed(*graph_.parents);
    for (std::uint32_t node = 0; node < graph_.nodes.size(); ++node) {
      program.parents.push_back(static_cast<std::uint32_t>(graph_.parents->of(node).size()));
      program.steps.push_back(step_of(node));
    }
    return program;
  }

 private:
  MemberProgram::Step step_of(std::size_t number) const {
    const Node node = graph_.nodes[number];
    switch (node.type) {
      case NodeType::send:
        return message(number, node, MemberProgram::Kind::send, chakra::has_comm_dst, "comm_dst",
                       node.comm_dst);
      case NodeType::receive:
        return message(number, node, MemberProgram::Kind::receive, chakra::has_comm_src, "comm_src",
                       node.comm_src);
      case NodeType::compute:
        if (!Time::is_input_ns(static_cast<double>(node.duration_us) * 1000))
          reject(number, "takes more than 30 days, correct its duration_micros");
        return {MemberProgram::Kind::compute, 0, Bytes(), 0,
                Time::from_ns(node.duration_us > 0 ? static_cast<std::int64_t>(node.duration_us) * 1000 : 1)};
      default:
        reject(number,
               "is neither compute, send nor receive, which is all that an algorithm may hold: remove it");
    }
  }

  MemberProgram::Step message(std::size_t number, const Node& node, MemberProgram::Kind kind,
                              chakra::Attribute peer_attribute, const char* peer_name,
                              std::uint32_t peer) const {
    const auto require = [&](chakra::Attribute attribute, const char* name) {
      if ((node.has & attribute) == 0)
        reject(number, fmt::format("has no attribute {}, which it needs: add it", name));
    };
    require(peer_attribute, peer_name);
    require(chakra::has_comm_size, "comm_size");
    require(chakra::has_comm_tag, "comm_tag");
    if (peer >= npus_)
      reject(number, fmt::format("names position {}, but the machine has {} NPUs: correct its {}", peer,
                                 npus_, peer_name));
    if (node.comm_size == 0) reject(number, "is a message of 0 bytes, give it a comm_size");
    if (Bytes(node.comm_size) > Bytes::largest_input())
      reject(number, fmt::format("has a comm_size of {} bytes, more than 8 PiB: correct it", node.comm_size));
    return {kind, peer, Bytes(node.comm_size), node.comm_tag, Time()};
  }

  [[noreturn]] void reject(std::size_t node, const std::string& what) const {
    throw InputError({file_},
                     fmt::format("{} of a custom algorithm {}", chakra::described(graph_.nodes, node), what));
  }

  const chakra::TraceGraph& graph_;
  const std::string& file_;
  std::uint32_t npus_;
};

std::string trace_of_position(const std::string& prefix, int position) {
  return fmt::format("{}.{}.et", prefix, position);
}

void note_traces(const std::string& prefix, const FileLoader& load) {
  for (int position = 0; file_exists(trace_of_position(prefix, position)); ++position)
    load.note(trace_of_position(prefix, position));
}

// Reads the files of positions 0, 1, ... as long as there are files.
std::shared_ptr<const CustomAlgorithm> read_custom(const NamedFile& prefix, int npus,
                                                   const FileLoader& load) {
  auto algorithm = std::make_shared<CustomAlgorithm>();
  for (int position = 0; position < npus; ++position) {
    const std::string path = trace_of_position(prefix.path, position);
    if (!file_exists(path)) break;
    const chakra::TraceGraph graph =
        chakra::make_graph(chakra::read_trace(load(path), path, {.tensors = false}), path);
    if (!graph.doubts.missing_parents.empty())
      throw InputError(
          {path}, fmt::format("node {} of a custom algorithm waits for node {}, which is not there: "
                              "add it, or remove the dependency",
                              graph.doubts.missing_parents[0].node, graph.doubts.missing_parents[0].parent));
    algorithm->push_back(ProgramReader(graph, path, npus).read());
  }
  if (algorithm->empty())
    throw InputError(prefix.where, fmt::format("there is no custom algorithm {}: its first trace would be "
                                               "{}.0.et, correct the prefix",
                                               backquoted(prefix.path), prefix.path));
  return algorithm;
}

}  // namespace

void read_custom_algorithms(const SystemFileNames& names, const FileLoader& load, Machine& machine,
                            TraceRules& rules) {
  // Returns the algorithm's number.
  const auto add = [&](const NamedFile& prefix) {
    machine.algorithms.push_back(read_custom(prefix, machine.topology.npus(), load));
    return static_cast<std::uint32_t>(machine.algorithms.size());
  };
  for (std::size_t kind = 0; kind < names.custom.size(); ++kind)
    if (!names.custom[kind].path.empty()) rules.algorithms[kind] = add(names.custom[kind]);
  const NamedFile& by_node = names.custom_of_nodes;
  if (by_node.path.empty()) return;
  if (!file_exists(by_node.path))
    throw InputError(by_node.where, fmt::format("there is no file {} with the custom algorithms of nodes, "
                                                "correct the path",
                                                backquoted(by_node.path)));
  const InputNode root = parse_yaml(load(by_node.path), by_node.path);
  require_map(root, "the file of custom algorithms by node");
  std::map<std::string, std::uint32_t> numbers;  // by prefix
  for (std::size_t i = 0; i < root.items.size(); ++i) {
    const InputName& name = root.names[i];
    const auto id = parse_unsigned(name.text);
    if (!id) throw InputError(name.where, backquoted(name.text) + " is no id of a node, use a whole number");
    const std::string prefix =
        (std::filesystem::path(names.folder) / scalar_of(root.items[i], name.text)).string();
    std::uint32_t& number = numbers[prefix];
    if (number == 0) number = add({prefix, root.items[i].where});
    rules.algorithm_of_node[*id] = number;
  }
}

void note_custom_algorithms(const SystemFileNames& names, const FileLoader& load) {
  for (const NamedFile& prefix : names.custom)
    if (!prefix.path.empty()) note_traces(prefix.path, load);
  const std::string& by_node = names.custom_of_nodes.path;
  if (by_node.empty() || !file_exists(by_node)) return;
  for (const InputNode& prefix : parse_yaml(load(by_node), by_node).items)
    if (prefix.kind == InputNode::Kind::scalar)
      note_traces((std::filesystem::path(names.folder) / prefix.text).string(), load);
}

}  // namespace orrery::core
