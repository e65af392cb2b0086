#include "support/random_traces.hpp"

#include <algorithm>
#include <bit>
#include <numeric>

#include "base/random.hpp"

namespace orrery::core::test {

namespace {

using chakra::CommType;
using chakra::Node;
using chakra::NodeType;

Topology random_topology(Random& random, bool powers_of_two) {
  Topology topology;
  const int dimensions = random.between(1, 3);
  for (int d = 0; d < dimensions; ++d) {
    Dimension dimension;
    dimension.name = "dim" + std::to_string(d);
    dimension.block = random.pick<Block>({Block::ring, Block::fully_connected, Block::switched});
    dimension.size = powers_of_two ? random.pick<int>({2, 2, 4, 8}) : random.pick<int>({2, 3, 4, 5});
    dimension.link_bandwidth = Bandwidth::from_gb_per_s(random.pick<double>({1, 10, 50, 100}));
    dimension.link_latency_ns = random.pick<double>({0, 10, 20, 490, 500});
    topology.dimensions.push_back(dimension);
  }
  return topology;
}

std::vector<AlgorithmChoice> random_algorithms(Random& random, const Topology& topology, CollectiveKind kind,
                                               bool powers_of_two) {
  std::vector<AlgorithmChoice> choices;
  for (const Dimension& dimension : topology.dimensions) {
    std::vector<Algorithm> possible{&ring_algorithm, &ring_algorithm, &direct_algorithm};
    if (powers_of_two && kind != CollectiveKind::all_to_all) possible.push_back(&halving_doubling_algorithm);
    if (powers_of_two && kind == CollectiveKind::all_reduce && dimension.size > 2)
      possible.push_back(&double_binary_tree_algorithm);
    AlgorithmChoice choice;
    choice.algorithm = random.pick(possible);
    if (choice.algorithm == &direct_algorithm) choice.window = random.between(0, 4);
    choices.push_back(choice);
  }
  return choices;
}

TraceMachine random_machine(Random& random) {
  TraceMachine machine;
  machine.dialect = astra_sim_2_dialect;
  const bool powers_of_two = random.chance(60);
  machine.topology = random_topology(random, powers_of_two);
  SystemConfig& streams = machine.system;
  for (int k = 0; k < collective_kinds && is_symmetric(static_cast<CollectiveKind>(k)); ++k)
    streams.algorithms[static_cast<std::size_t>(k)] =
        random_algorithms(random, machine.topology, static_cast<CollectiveKind>(k), powers_of_two);
  streams.issue_order = random.pick<IssueOrder>({IssueOrder::lifo, IssueOrder::fifo});
  streams.all_reduce_shape =
      random.chance(50) ? AllReduceShape::baseline : AllReduceShape::local_bandwidth_aware;
  streams.chunks = random.between(1, 5);
  streams.active_chunks = random.between(1, 3);
  streams.queues_per_dimension = random.pick<int>({1, 1, 2, 3});
  streams.endpoint_delay = Time::from_ns(random.pick<int>({0, 1, 10, 10, 100}));
  streams.memory_gb_per_s = random.pick<double>({0, 10, 500});
  machine.memory.kind = RemoteMemory::Kind::per_npu;
  machine.memory.latency_ns = 100;
  machine.memory.bytes_per_ns = 10;
  return machine;
}

// An act of all ranks, for which each has times of its own.
struct Act {
  NodeType type = NodeType::compute;
  CommType collective = CommType::all_reduce;
  bool on_cpu = false;
  bool grouped = false;
  std::uint64_t bytes = 0;
  std::uint64_t duration_us = 0;
  std::vector<std::uint32_t> after;  // acts
};

std::vector<Act> random_acts(Random& random, bool equal) {
  std::vector<Act> acts(static_cast<std::size_t>(random.between(2, 16)));
  int last_message = -1;
  for (std::uint32_t i = 0; i < acts.size(); ++i) {
    Act& act = acts[i];
    const int kind = random.between(0, 99);
    act.duration_us = static_cast<std::uint64_t>(random.between(0, 2));
    act.bytes = static_cast<std::uint64_t>(random.pick<int>({40'000, 65'536, 1'000'000}));
    if (i > 0) act.after.push_back(static_cast<std::uint32_t>(random.between(0, static_cast<int>(i) - 1)));
    if (i > 0 && random.chance(40)) act.after.push_back(i - 1);
    if (kind < 35) {
      act.on_cpu = random.chance(40);
      continue;
    }
    if (kind < 40) {
      act.type = NodeType::memory_load;
      continue;
    }
    act.type = !equal && kind < 50 ? NodeType::send : NodeType::collective;
    act.collective = random.pick<CommType>({CommType::all_reduce, CommType::all_reduce, CommType::all_gather,
                                            CommType::all_to_all, CommType::reduce_scatter});
    act.grouped = !equal && random.chance(30);
    if (last_message >= 0) act.after.push_back(static_cast<std::uint32_t>(last_message));
    last_message = static_cast<int>(i);
  }
  for (Act& act : acts) {
    std::ranges::sort(act.after);
    act.after.erase(std::unique(act.after.begin(), act.after.end()), act.after.end());
  }
  return acts;
}

Node node_of(const Act& act, std::uint32_t number, int rank, int npus) {
  Node node;
  node.id = number + 1;
  node.type = act.type;
  node.on_cpu = act.on_cpu;
  node.duration_us = act.duration_us;
  node.tensor_size = node.comm_size = act.bytes;
  node.comm_type = act.collective;
  node.has = chakra::has_tensor_size | chakra::has_comm_type | chakra::has_comm_size;
  if (act.type != NodeType::send) return node;
  const int peer = rank ^ 1;
  if (peer >= npus) {
    node.type = NodeType::compute;
    return node;
  }
  node.type = rank % 2 == 0 ? NodeType::send : NodeType::receive;
  node.comm_src = static_cast<std::uint32_t>(rank & ~1);
  node.comm_dst = static_cast<std::uint32_t>(rank | 1);
  node.comm_tag = number;
  node.has = chakra::has_comm_size | chakra::has_comm_src | chakra::has_comm_dst | chakra::has_comm_tag;
  return node;
}

std::shared_ptr<const chakra::TraceGraph> graph_of(std::vector<Act> acts, int rank, int npus,
                                                   const std::string& group) {
  chakra::Trace trace;
  trace.texts = {"", group};
  trace.first_parent.push_back(0);
  for (std::uint32_t i = 0; i < acts.size(); ++i) {
    Node node = node_of(acts[i], i, rank, npus);
    if (acts[i].grouped && node.type == NodeType::collective) {
      node.pg_name = 1;
      node.has |= chakra::has_pg_name;
    }
    trace.nodes.push_back(node);
    for (const std::uint32_t parent : acts[i].after) trace.parents.push_back(parent + 1);
    trace.first_parent.push_back(trace.parents.size());
    trace.data_parents.push_back(0);
  }
  return std::make_shared<const chakra::TraceGraph>(chakra::make_graph(trace, "trace"));
}

}  // namespace

TraceCase random_traces(std::uint64_t seed, bool equal) {
  Random random(seed);
  TraceCase made{{}, random_machine(random)};
  const int npus = made.machine.topology.npus();
  std::vector<Act> acts = random_acts(random, equal);
  if (equal) {
    made.traces.assign(static_cast<std::size_t>(npus), {graph_of(acts, 0, npus, ""), "trace", nullptr});
    return made;
  }
  const bool strided = random.chance(50);
  const int size = random.pick<int>({1, 2, 3, 4});
  const int groups = (npus + size - 1) / size;
  for (auto& choices : made.machine.system.algorithms) {
    if (choices.size() == 1) choices[0] = {};  // groups take over a single algorithm: a ring fits all sizes
  }
  for (int rank = 0; rank < npus; ++rank)
    made.machine.rules.groups[1 + (strided ? rank % groups : rank / size)].push_back(rank);
  for (int rank = 0; rank < npus; ++rank) {
    for (Act& act : acts)
      if (random.chance(20)) act.duration_us = static_cast<std::uint64_t>(random.between(0, 2));
    const std::string group = std::to_string(1 + (strided ? rank % groups : rank / size));
    made.traces.push_back({graph_of(acts, rank, npus, group), "trace", nullptr});
  }
  return made;
}

}  // namespace orrery::core::test
