#include "study/astra2/trace_run.hpp"

#include <fmt/format.h>

#include <charconv>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "base/file.hpp"
#include "base/words.hpp"
#include "base/yaml_reader.hpp"
#include "study/astra2/system_json.hpp"
#include "topology/network_yaml_file.hpp"
#include "workload/chakra/trace_reader.hpp"

namespace orrery {

namespace {

namespace fs = std::filesystem;

// Equal files make one graph.
class TraceLoader {
 public:
  std::shared_ptr<const chakra::TraceGraph> load(const std::string& path) {
    const std::string bytes = read_text_file(path);
    auto& same = graphs_[std::hash<std::string>()(bytes)];
    for (const Loaded& loaded : same) {
      if (loaded.size == bytes.size() && read_text_file(loaded.path) == bytes) return loaded.graph;
    }
    auto graph =
        std::make_shared<const chakra::TraceGraph>(chakra::make_graph(chakra::read_trace(bytes, path), path));
    same.push_back({path, bytes.size(), graph});
    return graph;
  }

 private:
  struct Loaded {
    std::string path;
    std::size_t size;
    std::shared_ptr<const chakra::TraceGraph> graph;
  };
  std::map<std::size_t, std::vector<Loaded>> graphs_;  // by hash of their bytes
};

// The text has two characters around its JSON on each side.
std::vector<ProcessGroup> process_groups_of(const std::string& text) {
  const auto list = nlohmann::json::parse(text.substr(2, text.size() - 4));
  std::vector<ProcessGroup> groups;
  for (const auto& entry : list) {
    const std::string name = entry.at("pg_name").get<std::string>();
    ProcessGroup group{0, entry.at("ranks").get<std::vector<int>>()};
    const auto parsed = std::from_chars(name.data(), name.data() + name.size(), group.id);
    if (parsed.ec != std::errc() || parsed.ptr != name.data() + name.size() || group.id < 0)
      throw std::invalid_argument("a pg_name that is no number");
    groups.push_back(std::move(group));
  }
  return groups;
}

std::shared_ptr<const ProcessGroups> process_groups_of(const chakra::TraceGraph& graph,
                                                       const std::string& file, Warnings& warnings) {
  auto groups = std::make_shared<ProcessGroups>();
  for (const chakra::Trace::NodeValues& values : graph.metadata) {
    try {
      if (values.values.size() > 4) (*groups)[values.node] = process_groups_of(values.values);
    } catch (const std::exception&) {
      warnings.add({file},
                   fmt::format("node {} holds metadata that are no list of process groups, they are ignored",
                               graph.nodes[values.node].id));
    }
  }
  return groups->empty() ? nullptr : groups;
}

std::vector<RankTrace> read_traces(const std::string& prefix, int npus, Warnings& warnings) {
  std::vector<RankTrace> traces;
  TraceLoader loader;
  const std::string first = prefix + ".0.et";
  if (!fs::exists(first)) {
    for (const std::string& shared : {prefix, prefix + ".et"}) {
      if (!fs::is_regular_file(shared)) continue;
      const auto graph = loader.load(shared);
      traces.assign(static_cast<std::size_t>(npus),
                    {graph, shared, process_groups_of(*graph, shared, warnings)});
      return traces;
    }
  }
  for (int npu = 0; npu < npus; ++npu) {
    const std::string path = fmt::format("{}.{}.et", prefix, npu);
    if (!fs::exists(path)) {
      throw InputError(
          {path}, fmt::format("there is no such trace; the network has {} NPUs, each of which needs one, "
                              "or all of them one file {}.et",
                              npus, prefix));
    }
    const auto graph = loader.load(path);
    traces.push_back({graph, path, process_groups_of(*graph, path, warnings)});
  }
  return traces;
}

CustomProgram program_of(const chakra::TraceGraph& graph, const std::string& file) {
  using chakra::NodeType;
  CustomProgram program;
  program.first_child = graph.first_child;
  program.children = graph.children;
  program.parents = graph.parents;
  for (const chakra::Node& node : graph.nodes) {
    CustomProgram::Step step{
        CustomProgram::Kind::compute, 0, Bytes(node.comm_size), node.comm_tag,
        Time::from_ns(node.duration_us > 0 ? static_cast<std::int64_t>(node.duration_us) * 1000 : 1)};
    switch (node.type) {
      case NodeType::send:
        step.kind = CustomProgram::Kind::send;
        step.peer = node.comm_dst;
        break;
      case NodeType::receive:
        step.kind = CustomProgram::Kind::receive;
        step.peer = node.comm_src;
        break;
      case NodeType::compute:
        break;
      default:
        throw InputError(
            {file},
            fmt::format("node {} of a custom algorithm is neither compute, send nor receive", node.id));
    }
    program.steps.push_back(step);
  }
  return program;
}

// Of positions 0, 1, ... as long as there are files.
std::shared_ptr<const CustomAlgorithm> read_custom(const std::string& prefix, int npus) {
  auto algorithm = std::make_shared<CustomAlgorithm>();
  for (int position = 0; position < npus; ++position) {
    const std::string path = fmt::format("{}.{}.et", prefix, position);
    if (!fs::exists(path)) break;
    algorithm->push_back(
        program_of(chakra::make_graph(chakra::read_trace(read_text_file(path), path), path), path));
  }
  if (algorithm->empty())
    throw InputError({prefix + ".0.et"},
                     "there is no such file, but the system file names it as a custom algorithm");
  return algorithm;
}

void read_custom_algorithms(const SystemFileNames& names, TraceMachine& machine) {
  const int npus = machine.topology.npus();
  for (std::size_t kind = 0; kind < names.custom.size(); ++kind)
    if (!names.custom[kind].empty()) machine.custom[kind] = read_custom(names.custom[kind], npus);
  if (names.custom_of_nodes.empty()) return;
  const YamlNode root = parse_yaml(read_text_file(names.custom_of_nodes), names.custom_of_nodes);
  require_map(root, "the file of custom algorithms by node");
  std::map<std::string, std::shared_ptr<const CustomAlgorithm>> read;
  for (std::size_t i = 0; i < root.items.size(); ++i) {
    const YamlName& name = root.names[i];
    std::uint64_t id = 0;
    const char* end = name.text.data() + name.text.size();
    const auto parsed = std::from_chars(name.text.data(), end, id);
    if (parsed.ec != std::errc() || parsed.ptr != end)
      throw InputError(name.where, backquoted(name.text) + " is no id of a node, use a whole number");
    auto& algorithm = read[scalar_of(root.items[i], name.text)];
    if (!algorithm) algorithm = read_custom(scalar_of(root.items[i], name.text), npus);
    machine.custom_of_node[id] = algorithm;
  }
}

void run_all_collectives(TraceMachine& machine) {
  machine.reduce_scatter_block = true;
  for (RootedChoice& choice : machine.streams.rooted)
    if (!choice.runs()) choice.algorithms = {RootedAlgorithm::tree};
}

}  // namespace

TraceRun read_trace_run(const TraceFiles& files, Warnings& warnings) {
  TraceRun run;
  TraceMachine& machine = run.machine;
  machine.dialect = astra_sim_2_dialect;
  machine.network = files.model;
  machine.topology = read_network_yaml_file(read_text_file(files.network), files.network, warnings);
  const SystemFileNames names =
      read_system_json(read_text_file(files.system), files.system, files.injection_scale, machine, warnings);
  if (files.real_collectives) run_all_collectives(machine);
  read_custom_algorithms(names, machine);
  machine.streams.queues_per_dimension = files.queues_per_dimension;
  machine.streams.rendezvous = files.rendezvous;
  if (!files.memory.empty())
    machine.memory = read_memory_json(read_text_file(files.memory), files.memory, warnings);
  if (!files.groups.empty()) {
    machine.groups =
        read_groups_json(read_text_file(files.groups), files.groups, machine.topology.npus(), warnings);
  }
  run.traces = read_traces(files.traces, machine.topology.npus(), warnings);
  return run;
}

}  // namespace orrery
