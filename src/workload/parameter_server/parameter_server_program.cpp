#include "workload/parameter_server/parameter_server_program.hpp"

#include <fmt/format.h>

#include <numeric>
#include <optional>
#include <utility>

#include "workload/astra1/training_loops.hpp"
#include "workload/parameter_server/served_gradients.hpp"
#include "workload/pipeline/pipeline_program.hpp"

namespace orrery::core {

namespace {

// Says which rank holds which parameters: the stage of a pipeline that it belongs to, and the replica.
class ReplicaMap {
 public:
  ReplicaMap(const LayerTable& table, const Topology& topology, const GroupLayout& layout)
      : dimensions_(layout.split ? logical_dimensions(topology, *layout.split)
                                 : logical_dimensions(topology)) {
    if (table.pipeline) stages_ = pipeline_stages(*table.pipeline, topology);
    const DimensionSet of_gradients =
        participation(table, 0, layout)[static_cast<std::size_t>(Pass::weight_gradient)];
    for (std::size_t d = 0; d < dimensions_.size(); ++d)
      if (of_gradients[d] && !(table.pipeline && dimensions_[d].physical == stages_.physical))
        replicas_.push_back(dimensions_[d]);
  }

  const std::vector<LogicalDimension>& dimensions() const { return dimensions_; }
  int stages() const { return stages_.size; }
  int stage_of(int npu) const { return stages_.position(npu); }
  int replicas() const {
    return std::accumulate(replicas_.begin(), replicas_.end(), 1,
                           [](int count, const LogicalDimension& along) { return count * along.size; });
  }
  int replica_of(int npu) const {
    int replica = 0, below = 1;
    for (const LogicalDimension& along : replicas_) {
      replica += along.position(npu) * below;
      below *= along.size;
    }
    return replica;
  }

 private:
  const std::vector<LogicalDimension> dimensions_;
  LogicalDimension stages_;
  std::vector<LogicalDimension> replicas_;  // along which NPUs hold the same parameters
};

// Returns the replicas that are servers, ascending.
std::vector<int> servers_of(const ParameterServerOptions& options, int replicas) {
  const int first = options.servers ? options.rank : 0;
  std::vector<int> servers(static_cast<std::size_t>(options.servers.value_or(replicas)));
  std::iota(servers.begin(), servers.end(), first);
  return servers;
}

void check_servers(const LayerTable& table, int npus, int replicas, int passes) {
  const ParameterServerOptions& options = *table.parameter_server;
  const int servers = options.servers.value_or(replicas);
  const std::string last =
      replicas == npus
          ? fmt::format("the machine's last one is {}", npus - 1)
          : fmt::format("the last of the {} that hold the same parameters is {}", replicas, replicas - 1);
  if (options.servers && options.rank > replicas - servers)
    throw InputError(
        options.rank_where,
        servers == 1
            ? fmt::format("the server is rank {}, but {}, choose another `rank`", options.rank, last)
            : fmt::format("the servers are {} ranks from {} on, but {}, choose fewer `servers` or another "
                          "`rank`",
                          servers, options.rank, last));
  if (!options.servers_train && servers == replicas)
    throw InputError(options.where, "no NPU is left that trains; choose fewer `servers`");
  constexpr double max_exchanges = 1 << 21;  // of some kilobytes
  const double exchanges = double(table.layers.size()) * passes * replicas * servers;
  if (exchanges > max_exchanges)
    throw InputError(
        options.where,
        fmt::format("{} ranks that exchange {} layers in {} training passes are more than fit into "
                    "memory, simulate fewer passes",
                    replicas, table.layers.size(), passes));
}

// Makes the parts of the program.
class PartMaker {
 public:
  PartMaker(const LayerTable& table, const Topology& topology, const GroupLayout& layout, int passes,
            const Dialect& dialect, const Scales& scales)
      : table_(table),
        layout_(layout),
        passes_(passes),
        dialect_(dialect),
        scales_(scales),
        map_(table, topology, layout),
        training_{scaled(table, scales, dialect), map_.replicas(), scales.compute, dialect, {}} {
    check_servers(table, topology.npus(), map_.replicas(), passes);
    training_.servers = servers_of(*table.parameter_server, map_.replicas());
    if (table.pipeline) plan_ = plan_pipeline(table, topology, passes, dialect, scales);
    number_parts(topology.npus());
    for (int stage = 0; stage < map_.stages(); ++stage) {
      std::vector<std::uint32_t> parts;
      for (const std::vector<std::uint32_t>& of_stages : parts_)
        parts.push_back(of_stages[static_cast<std::size_t>(stage)]);
      layers_.emplace_back(training_, layers_of(stage), std::move(parts));
    }
  }

  std::vector<ProgramPart> make() {
    for (int replica = 0; replica < map_.replicas(); ++replica)
      for (int stage = 0; stage < map_.stages(); ++stage)
        fill(made_[part_of(stage, replica)], stage, replica);
    return std::move(made_);
  }
  const std::vector<LogicalDimension>& dimensions() const { return map_.dimensions(); }

 private:
  std::uint32_t part_of(int stage, int replica) const {
    return parts_[static_cast<std::size_t>(replica)][static_cast<std::size_t>(stage)];
  }

  // Parts are numbered by their lowest ranks.
  void number_parts(int npus) {
    constexpr std::uint32_t unknown = 0xffffffff;
    parts_.assign(static_cast<std::size_t>(map_.replicas()),
                  std::vector<std::uint32_t>(static_cast<std::size_t>(map_.stages()), unknown));
    for (int npu = 0; npu < npus; ++npu) {
      std::uint32_t& part = parts_[static_cast<std::size_t>(map_.replica_of(npu))]
                                  [static_cast<std::size_t>(map_.stage_of(npu))];
      if (part == unknown) {
        part = static_cast<std::uint32_t>(made_.size());
        made_.emplace_back();
      }
      made_[part].ranks.push_back(RankId(npu));
    }
  }

  std::vector<std::int32_t> layers_of(int stage) const {
    std::vector<std::int32_t> layers;
    const auto add = [&](std::int32_t first, std::int32_t end) {
      for (std::int32_t layer = first; layer < end; ++layer) layers.push_back(layer);
    };
    if (!plan_)
      add(0, static_cast<std::int32_t>(table_.layers.size()));
    else
      for (int chunk = stage; chunk < plan_->shape.chunks(); chunk += plan_->shape.stages)
        add(plan_->chunks[static_cast<std::size_t>(chunk)].first,
            plan_->chunks[static_cast<std::size_t>(chunk)].second);
    return layers;
  }

  void fill(ProgramPart& part, int stage, int replica) const {
    const bool trains = training_.trains(replica);
    const char* const role = !training_.serves(replica) ? "worker" : trains ? "server and worker" : "server";
    part.name = fmt::format("{}{} {}", plan_ ? fmt::format("stage {}, ", stage) : "", role, replica);
    part.graph = trains ? training_graph_of(stage, replica) : serving_graph_of(stage, replica);
    part.paces_replica = trains && stage == 0;
    if (plan_ && trains) part.micro_batches_in_flight = micro_batches_in_flight(plan_->shape, stage);
  }

  ExecutionGraph training_graph_of(int stage, int replica) const {
    ServedGradients store(layers_[static_cast<std::size_t>(stage)], replica);
    if (plan_) return stage_graph(*plan_, stage, parts_[static_cast<std::size_t>(replica)], &store);
    return training_graph(table_, layout_, passes_, dialect_, scales_, &store);
  }

  // Returns what a replica does that only serves.
  ExecutionGraph serving_graph_of(int stage, int replica) const {
    ServedGradients store(layers_[static_cast<std::size_t>(stage)], replica);
    GraphBuilder graph(table_.names());
    for (int iteration = 0; iteration < passes_; ++iteration) store.end_step(graph, iteration);
    store.wait_until_served(graph);
    return graph.end(passes_ - 1);
  }

  const LayerTable& table_;
  const GroupLayout& layout_;
  const int passes_;
  const Dialect& dialect_;
  const Scales scales_;
  const ReplicaMap map_;
  ServedTraining training_;
  std::optional<PipelinePlan> plan_;
  std::vector<std::vector<std::uint32_t>> parts_;  // by replica and stage
  std::vector<ServedLayers> layers_;               // by stage
  std::vector<ProgramPart> made_;
};

bool has_collectives(const Program& program) {
  for (const ProgramPart& part : program.parts)
    if (!part.graph.collectives().empty()) return true;
  return false;
}

}  // namespace

Program parameter_server_program(const LayerTable& table, const Topology& topology, const GroupLayout& layout,
                                 int passes, const Dialect& dialect, const Scales& scales) {
  PartMaker parts(table, topology, layout, passes, dialect, scales);
  Program program;
  program.where = table.parameter_server->where;
  program.parts = parts.make();
  if (has_collectives(program)) program.communicators.push_back({"world", parts.dimensions()});
  return program;
}

}  // namespace orrery::core
