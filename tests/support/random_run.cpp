#include "support/random_run.hpp"
#include "support/layers.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <bit>
#include <memory>

#include "base/random.hpp"
#include "collective/plan/collective_words.hpp"
#include "topology/logical_dimension.hpp"
#include "workload/astra1/layer_table_writer.hpp"

namespace orrery::core::test {

namespace {

Topology random_topology(Random& random, int max_npus) {
  Topology topology;
  const int dimensions = random.between(1, 4);
  int npus = 1;
  for (int d = 0; d < dimensions; ++d) {
    Dimension dimension;
    dimension.name = fmt::format("dim{}", d);
    dimension.block = random.pick<Block>({Block::ring, Block::fully_connected, Block::switched});
    dimension.size = random.pick<int>({1, 2, 2, 3, 4, 4, 5, 8, 8, 16});
    while (npus * dimension.size > max_npus) dimension.size = std::max(1, dimension.size / 2);
    if (dimension.size == 1 && dimension.block == Block::fully_connected) dimension.block = Block::switched;
    npus *= dimension.size;
    dimension.links = dimension.block == Block::ring ? 2 * random.between(1, 3)
                      : dimension.block == Block::fully_connected
                          ? (dimension.size - 1) * random.between(1, 2)
                          : random.between(1, 6);
    dimension.link_bandwidth = Bandwidth::from_gib_per_s(random.pick<double>({6.25, 25, 50, 62, 100}));
    dimension.link_latency_ns = random.pick<double>({0, 1, 37.5, 500, 700});
    dimension.nic_latency_ns = random.pick<double>({0, 0, 30, 0.7});
    dimension.router_latency_ns = random.pick<double>({0, 0, 55});
    if (random.chance(10)) {
      dimension.hbm_scale = 1;
      dimension.hbm_latency_ns = 500;
      dimension.hbm_bandwidth = Bandwidth::from_gb_per_s(random.pick<double>({10, 370}));
    }
    topology.dimensions.push_back(dimension);
  }
  return topology;
}

AlgorithmChoice random_algorithm(Random& random, CollectiveKind kind, int members) {
  std::vector<Algorithm> possible{&ring_algorithm, &direct_algorithm};
  if (!is_symmetric(kind))
    return {random.pick<Algorithm>({&ring_algorithm, &direct_algorithm, &tree_algorithm})};
  if (std::has_single_bit(static_cast<unsigned>(members))) {
    possible.push_back(&double_binary_tree_algorithm);
    if (kind != CollectiveKind::all_to_all) possible.push_back(&halving_doubling_algorithm);
  }
  AlgorithmChoice choice;
  choice.algorithm = random.pick(possible);
  if (choice.algorithm == &direct_algorithm) choice.window = random.between(0, 5);
  return choice;
}

// A ring all-to-all over everything takes n(n-1)/2 rounds: only on small machines.
std::vector<AlgorithmChoice> random_algorithms(Random& random, CollectiveKind kind, const Topology& topology,
                                               bool whole_machine) {
  if (whole_machine && random.chance(5)) {
    AlgorithmChoice choice{kind == CollectiveKind::all_to_all ? &direct_algorithm : &ring_algorithm, 0, true};
    return {choice};
  }
  std::vector<AlgorithmChoice> choices;
  for (const Dimension& dimension : topology.dimensions) {
    choices.push_back(random_algorithm(random, kind, dimension.size));
  }
  return choices;
}

SystemConfig random_system(Random& random, const Topology& topology, const RandomRunLimits& limits) {
  SystemConfig system;
  system.issue_order = random.chance(50) ? IssueOrder::lifo : IssueOrder::fifo;
  system.all_reduce_shape =
      random.chance(50) ? AllReduceShape::baseline : AllReduceShape::local_bandwidth_aware;
  system.dimension_order =
      random.pick<DimensionOrder>({DimensionOrder::ascending, DimensionOrder::round_robin,
                                   DimensionOrder::themis, DimensionOrder::themis_flex});
  const bool themis = system.dimension_order == DimensionOrder::themis ||
                      system.dimension_order == DimensionOrder::themis_flex;
  system.queue_order = random.pick<QueueOrder>({QueueOrder::fifo, QueueOrder::alternate_kinds,
                                                QueueOrder::smallest_first, QueueOrder::fewest_phases_left});
  for (int k = 0; k < collective_kinds; ++k) {
    system.algorithms[k] =
        random_algorithms(random, static_cast<CollectiveKind>(k), topology, limits.whole_machine && !themis);
  }
  system.chunks = random.between(1, 8);
  system.active_chunks = random.between(1, 4);
  system.queues_per_dimension = random.pick<int>({1, 1, 2, 3});
  system.endpoint_delay = Time::from_ns(random.pick<int>({0, 1, 10, 37}));
  system.themis_gap_denominator = random.pick<int>({1, 4, 16});
  system.rendezvous = random.chance(20);
  if (limits.shared_bus && random.chance(6)) {
    system.shared_bus =
        SharedBusConfig{random.between(1, 9), random.between(1, 9), random.between(1, 9), 0.01F, 1};
  }
  return system;
}

LayerStep random_step(Random& random, const Topology& topology, const Dialect& dialect) {
  LayerStep step;
  step.compute = Time::from_ns(random.pick<int>({0, 1, 17, 3429, random.between(1, 60000)}));
  if (random.chance(80)) step.collective = static_cast<CollectiveKind>(random.between(0, 3));
  if (dialect.phase_barrier == PhaseBarrier::next_group && random.chance(15)) {
    step.collective = static_cast<CollectiveKind>(random.between(4, collective_kinds - 1));
    step.root = static_cast<std::uint32_t>(random.between(0, topology.npus() - 1));
  }
  step.size = Bytes(random.pick<std::uint64_t>({0, 8, 100, 4096, 65536, 1048576, 7340032}) +
                    static_cast<std::uint64_t>(random.between(0, 1000)));
  return step;
}

LayerTable random_table(Random& random, const Topology& topology, const Dialect& dialect) {
  LayerTable table;
  table.policy = static_cast<TrainingPolicy>(random.between(0, 11));
  const int layers = random.between(1, 6);
  for (int i = 0; i < layers; ++i) {
    Layer layer{fmt::format("layer{}", i),
                random_step(random, topology, dialect),
                random_step(random, topology, dialect),
                random_step(random, topology, dialect),
                {},
                {},
                {}};
    layer.delay = Time::from_ns(random.pick<int>({0, 1, 100, 777}));
    if (table.policy == TrainingPolicy::hybrid_customized) {
      layer.policy =
          random.pick<TrainingPolicy>({TrainingPolicy::data, TrainingPolicy::model,
                                       TrainingPolicy::hybrid_data_model, TrainingPolicy::hybrid_model_data});
    }
    table.layers.push_back(layer);
  }
  // Whole dimensions, half a dimension where it is even, or everything.
  for (const Dimension& dimension : topology.dimensions) {
    if (random.chance(40)) break;
    const bool half = dimension.size % 2 == 0 && random.chance(30);
    table.model_parallel_group *= half ? dimension.size / 2 : dimension.size;
    if (half) break;
  }
  table.checkpoints = {0};
  for (int i = 1; i < layers; ++i) {
    if (random.chance(30)) table.initiators.push_back(i);
  }
  table.last_bottom_layer = random.between(-1, layers);
  return table;
}

}  // namespace

RunSpec random_run(std::uint64_t seed, const Dialect& dialect, const RandomRunLimits& limits) {
  Random random(seed);
  RunSpec spec;
  spec.name = fmt::format("random-{}", seed);
  spec.dialect = dialect;
  spec.topology = random_topology(random, limits.max_npus);
  spec.system = random_system(random, *spec.topology, limits);
  spec.workload = std::make_shared<const LayerTableWorkload>(random_table(random, *spec.topology, dialect));
  spec.passes = random.between(1, 3);
  spec.compute_scale = random.pick<double>({1, 1, static_cast<double>(0.41F), 2.5});
  return spec;
}

void vary_ranks(RunSpec& spec, std::uint64_t seed) {
  Random random(seed ^ 0x9e3779b97f4a7c15ull);
  const int npus = spec.topology->npus();
  if (random.chance(70)) {
    spec.compute_slowdown.assign(static_cast<std::size_t>(npus), 1.0);
    const int slow = random.chance(15) ? npus : random.between(1, 3);
    for (int i = 0; i < slow; ++i) {
      const int rank = slow == npus ? i : random.between(0, npus - 1);
      spec.compute_slowdown[rank] = random.pick<double>({0.5, 1.2, 3, 1 + 0.001 * i});
    }
  }
  if (random.chance(50)) {
    const auto dimensions = static_cast<int>(spec.topology->dimensions.size());
    SlowLinks slow{random.between(0, dimensions - 1), {}, random.pick<double>({1.5, 4})};
    const LogicalDimension group = logical_dimensions(*spec.topology)[slow.dimension];
    const int npu = random.between(0, npus - 1);
    if (random.chance(50)) {
      slow.npus = {npu};
    } else {
      for (int y = 0; y < group.size; ++y) slow.npus.push_back(group.base(npu) + y * group.stride);
    }
    spec.network.slow_links.push_back(slow);
  }
}

std::string describe(const RunSpec& spec) {
  std::string text = fmt::format("{} ({}), {} passes\nnetwork:", spec.name, spec.dialect.name, spec.passes);
  for (const Dimension& dimension : spec.topology->dimensions) {
    text += fmt::format(" {}x{}", std::array{"ring", "full", "switch"}[static_cast<int>(dimension.block)],
                        dimension.size);
  }
  text += "\n";
  for (int k = 0; k < collective_kinds; ++k) {
    text += fmt::format("{}:", name_of(static_cast<CollectiveKind>(k)));
    for (const AlgorithmChoice& choice : spec.system->algorithms[k]) {
      text +=
          fmt::format(" {}{}:{}", choice.whole_machine ? "one-" : "", choice.algorithm->name, choice.window);
    }
    text += "\n";
  }
  text += fmt::format("chunks {}, active {}, queues {}, order {}/{}, delay {} ns, rendezvous {}, bus {}\n",
                      spec.system->chunks, spec.system->active_chunks, spec.system->queues_per_dimension,
                      static_cast<int>(spec.system->dimension_order),
                      static_cast<int>(spec.system->queue_order), spec.system->endpoint_delay.ns(),
                      spec.system->rendezvous, spec.system->shared_bus.has_value());
  if (!spec.compute_slowdown.empty())
    text += fmt::format("slowdown of compute: {}\n", fmt::join(spec.compute_slowdown, " "));
  for (const SlowLinks& slow : spec.network.slow_links)
    text += fmt::format("slow links into dimension {}: NPUs {}, {} times\n", slow.dimension,
                        fmt::join(slow.npus, " "), slow.slowdown);
  return text + write_layer_table(table_of(spec));
}

}  // namespace orrery::core::test
