#include "collective/collective_engine.hpp"

#include <algorithm>

namespace orrery {

namespace {
int queue_dimensions(const SystemConfig& system, const std::vector<LogicalDimension>& dimensions) {
  std::size_t most = dimensions.size();
  for (const auto& choices : system.algorithms) most = std::max(most, choices.size());
  return static_cast<int>(most);
}
}  // namespace

CollectiveEngine::CollectiveEngine(EventLoop& loop, RankTimers& timers, const SystemConfig& system,
                                   const Dialect& dialect, const Topology& topology,
                                   const std::vector<LogicalDimension>& dimensions,
                                   const ContentionFreeNetwork& network, CollectiveListener& listener)
    : loop_(loop),
      listener_(listener),
      loads_reset_by_rank_0_(dialect.themis_resets_with_rank0),
      ranks_(static_cast<std::uint32_t>(topology.npus())),
      planner_(system, dialect, topology, dimensions, network),
      messages_(loop, timers, system, dialect, network, topology.npus(),
                static_cast<int>(topology.dimensions.size()), *this),
      flow_(make_chunk_flow(dialect.phase_barrier, *this, system, queue_dimensions(system, dimensions),
                            topology.npus())),
      issued_(ranks_, 0) {}

CollectiveEngine::Collective& CollectiveEngine::next_collective(std::uint32_t rank,
                                                                const CollectiveRequest& request) {
  const std::uint32_t number = issued_[rank]++;
  const bool first = number == collectives_.size();
  const bool resets = loads_reset_by_rank_0_ ? rank == 0 : first;
  if (resets && loop_.time() != loads_reset_at_) {
    planner_.reset_loads();
    loads_reset_at_ = loop_.time();
  }
  if (first) {
    collectives_.push_back(std::make_unique<Collective>());
    Collective& made = *collectives_.back();
    made.plan = planner_.plan(request);
    made.first_chunk = static_cast<std::uint32_t>(chunks_.size());
    for (const ChunkPlan& plan : made.plan.chunks)
      chunks_.push_back({{&plan, made.plan.priority, number}, {}, 0});
    made.chunks_left.assign(ranks_, static_cast<std::uint32_t>(made.plan.chunks.size()));
    made.tokens.assign(ranks_, 0);
  }
  return *collectives_[number];
}

bool CollectiveEngine::issue(std::uint32_t rank, std::uint32_t token, const CollectiveRequest& request) {
  Collective& collective = next_collective(rank, request);
  const auto chunks = static_cast<std::uint32_t>(collective.plan.chunks.size());
  if (chunks > 0) collective.tokens[rank] = token;
  for (std::uint32_t i = 0; i < chunks; ++i) flow_->create(rank, collective.first_chunk + i);
  flow_->issued(rank);
  return chunks > 0;
}

MessageEngine::RunId CollectiveEngine::run_of(std::uint32_t number, std::uint32_t phase) {
  Chunk& chunk = chunks_[number];
  if (chunk.runs.empty()) chunk.runs.assign(chunk.info.plan->phases.size(), not_open);
  if (chunk.runs[phase] == not_open)
    chunk.runs[phase] = messages_.open(number, *chunk.info.plan->phases[phase].shape);
  return chunk.runs[phase];
}

void CollectiveEngine::entered(std::uint32_t rank, std::uint32_t chunk, std::uint32_t phase) {
  if (rank != 0) return;
  const ChunkInfo& info = chunks_[chunk].info;
  const std::uint32_t token = collectives_[info.collective]->tokens[rank];
  chunks_[chunk].record = static_cast<std::uint32_t>(records_.phases.size());
  records_.phases.push_back({chunk,
                             token,
                             static_cast<std::uint16_t>(phase),
                             info.plan->phases[phase].dimension,
                             loop_.time(),
                             {},
                             {},
                             {},
                             0});
}

void CollectiveEngine::start(std::uint32_t rank, std::uint32_t chunk, std::uint32_t phase) {
  if (rank == 0) records_.phases[chunks_[chunk].record].started = loop_.time();
  messages_.start(run_of(chunk, phase), rank);
}

void CollectiveEngine::left(std::uint32_t rank, std::uint32_t chunk, std::uint32_t phase) {
  if (rank != 0) return;
  PhaseRecord& record = records_.phases[chunks_[chunk].record];
  record.left = loop_.time();
  const ReceiveStatistics received = messages_.take_receive_statistics(run_of(chunk, phase));
  record.latency_sum = received.latency_sum;
  record.messages = received.messages;
}

void CollectiveEngine::finished(std::uint32_t rank, std::uint32_t chunk) {
  if (rank == 0) records_.finished.push_back(chunk);
  Collective& collective = *collectives_[chunks_[chunk].info.collective];
  if (--collective.chunks_left[rank] > 0) return;
  const std::uint32_t token = collective.tokens[rank];
  if (++collective.ranks_done == ranks_) {
    collective.chunks_left = {};
    collective.tokens = {};
  }
  listener_.collective_completed(rank, token);
}

}  // namespace orrery
