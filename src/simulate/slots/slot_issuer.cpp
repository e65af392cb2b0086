#include "simulate/slots/slot_issuer.hpp"

#include <fmt/format.h>

#include "base/diagnostics/diagnostics.hpp"
#include "program/operation_text.hpp"
#include "simulate/slowdown.hpp"

namespace orrery::core {

namespace {

constexpr std::array<Slot, operation_slots> holding_slots{Slot::host, Slot::compute, Slot::communication};

std::size_t index_of(Slot slot) {
  return static_cast<std::size_t>(slot);
}

// A slow rank takes longer for what it computes.
OperationAsks asks_of(const ExecutionGraph& graph, ExecutionGraph::Id id, double slowdown,
                      const Dialect& dialect) {
  if (graph.is_timed(id)) {
    const bool computes = graph.kind(id) == OperationKind::compute;
    return OperationAsks::time(slowed(graph.duration(id), computes ? slowdown : 1, dialect));
  }
  if (graph.kind(id) == OperationKind::collective)
    return OperationAsks::collective(graph.collective_number(id));
  return OperationAsks::something_else();
}

MessageKey key_of(const MessageEnd& message, RankId rank, bool sends) {
  const RankId peer(message.peer);
  return key_between(message.tag, sends ? rank : peer, sends ? peer : rank, message.size);
}

}  // namespace

SlotIssuer::SlotIssuer(EventLoop& loop, RankTimers& timers, const Program& program, const Machine& machine,
                       std::uint32_t ranks, bool watch)
    : loop_(loop),
      timers_(timers),
      program_(program),
      dialect_(machine.dialect),
      handler_(loop.add_handler(*this)),
      ranks_(ranks),
      operations_(ranks),
      finish_(ranks),
      collectives_of_(ranks) {
  if (watch) watch_.emplace(ranks);
  std::map<const GraphEdges*, std::shared_ptr<const GraphEdges>> known;
  parts_.reserve(program.parts.size());
  for (const ProgramPart& part : program.parts) add_part(part.graph, known);
  std::vector<RankId> first(parts_.size(), RankId::none);  // rank of each part
  const std::vector<std::uint32_t> part_of = parts_of_ranks(program, ranks);
  for (const RankId rank : first_ids<RankId>(ranks)) {
    const std::uint32_t part = part_of[rank.index()];
    const double slowdown = machine.slowdown_of(rank);
    const bool is_new = first[part] == RankId::none || slowdown != machine.slowdown_of(first[part]);
    if (first[part] == RankId::none) first[part] = rank;
    operations_[rank.index()] =
        is_new ? not_begun(*parts_[part].graph, slowdown) : operations_[first[part].index()];
    add_rank(rank, parts_[part]);
  }
}

void SlotIssuer::add_part(const ExecutionGraph& graph,
                          std::map<const GraphEdges*, std::shared_ptr<const GraphEdges>>& known) {
  std::shared_ptr<const GraphEdges>& successors = known[graph.edges().get()];
  if (!successors) successors = std::make_shared<const GraphEdges>(graph.successors());
  parts_.push_back({&graph, successors});
}

std::vector<OperationRecord> SlotIssuer::not_begun(const ExecutionGraph& graph, double slowdown) const {
  std::vector<OperationRecord> operations;
  operations.reserve(graph.size());
  for (Id id = 0; id < graph.size(); ++id)
    operations.emplace_back(graph.predecessors(id).size(), graph.slot(id),
                            asks_of(graph, id, slowdown, dialect_));
  return operations;
}

void SlotIssuer::add_rank(RankId number, const Part& part) {
  Rank& rank = ranks_[number.index()];
  rank.part = &part;
  rank.successors = part.successors.get();
  std::vector<OperationRecord>& operations = operations_[number.index()];
  rank.operations = operations.data();
  for (Id id = 0; id < operations.size(); ++id)
    if (part.graph->predecessors(id).empty()) rank.free[index_of(operations[id].slot())].push(id);
  all_operations_ += operations.size();
}

Slot SlotIssuer::Rank::slot_of_running(std::uint32_t operation) const {
  for (const Slot slot : holding_slots)
    if (at_work[index_of(slot)] == operation) return slot;
  return Slot::none;
}

void SlotIssuer::start(CollectiveBackend& collectives, Messenger& messenger, MemoryServers& memory) {
  collectives_ = &collectives;
  messenger_ = &messenger;
  memory_ = &memory;
  for (const RankId rank : first_ids<RankId>(ranks_.size())) {
    try_issue(rank);
    end_if_done(rank);
  }
}

// Operations that became free by skipped ones wait for the next pass. If no pass would come, another one
// follows at once, because the rank would be stuck (docs/models/execution-traces.md, Nodes that skipped nodes
// free).
void SlotIssuer::try_issue(RankId number) {
  Rank& rank = ranks_[number.index()];
  do {
    rank.passing = true;
    while (true) {
      std::uint32_t operation = rank.free[index_of(Slot::none)].first();
      Slot slot = Slot::none;
      for (const Slot one : holding_slots) {
        const std::size_t index = index_of(one);
        if (rank.at_work[index] != no_operation || rank.free[index].first() >= operation) continue;
        operation = rank.free[index].first();
        slot = one;
      }
      if (operation == no_operation) break;
      rank.free[index_of(slot)].pop();
      if (slot != Slot::none) rank.at_work[index_of(slot)] = operation;
      ++rank.running;
      if (watch_) watch_->issues(number, loop_.time(), index_of(slot));
      if (issue(number, operation) == Started::running) continue;
      if (watch_) watch_->skips(number, loop_.time());
      release(number, operation, slot);
    }
    rank.passing = false;
    if (just_freed_.empty()) return;
    for (const std::uint32_t operation : just_freed_)
      rank.free[index_of(rank.operations[operation].slot())].push(operation);
    just_freed_.clear();
  } while (rank.running == 0);
}

// The operation has ended, here and now.
void SlotIssuer::release(RankId number, std::uint32_t operation, Slot slot) {
  Rank& rank = ranks_[number.index()];
  rank.operations[operation].complete(loop_.time());
  if (slot != Slot::none) rank.at_work[index_of(slot)] = no_operation;
  --rank.running;
  ++finished_operations_;
  for (const std::uint32_t next : rank.successors->of(operation)) {
    if (!rank.operations[next].releases()) continue;
    const Slot slot_of_next = rank.operations[next].slot();
    if (watch_) watch_->frees(number, loop_.time(), next, index_of(slot_of_next));
    if (rank.passing) {
      just_freed_.push_back(next);
    } else {
      rank.free[index_of(slot_of_next)].push(next);
    }
  }
}

void SlotIssuer::watch_finish(RankId number, Slot finished) {
  const Rank& rank = ranks_[number.index()];
  if (rank.passing) watch_->skips(number, loop_.time());
  FinishOrderChecker::Waiting waiting;
  std::array<bool, FinishOrderChecker::slots> occupied{};
  for (std::size_t slot = 0; slot < FinishOrderChecker::slots; ++slot) {
    occupied[slot] = rank.at_work[slot] != no_operation;
    waiting[slot] = rank.free[slot].first();
  }
  watch_->finishes(number, loop_.time(), index_of(finished), waiting, occupied);
}

bool SlotIssuer::finished() const {
  if (watch_) watch_->end();
  return finish_order_.size() == ranks_.size();
}

void SlotIssuer::finish(RankId rank, std::uint32_t operation) {
  const Slot slot = ranks_[rank.index()].slot_of_running(operation);
  if (watch_) watch_finish(rank, slot);
  release(rank, operation, slot);
  if (ranks_[rank.index()].passing) return;  // a collective of one rank: the pass goes on
  try_issue(rank);
  end_if_done(rank);
}

void SlotIssuer::end_if_done(RankId number) {
  Rank& rank = ranks_[number.index()];
  if (rank.ended || rank.running > 0) return;
  for (const FreeOperations& operations : rank.free)
    if (!operations.empty()) return;
  rank.ended = true;
  finish_[number.index()] = loop_.time();
  finish_order_.push_back(number);
}

SlotIssuer::Started SlotIssuer::issue(RankId rank, std::uint32_t number) {
  const OperationAsks asks = ranks_[rank.index()].operations[number].issue(loop_.time());
  const Event finished{handler_, 0, rank.value(), number, 0};
  if (asks.is_time()) {
    timers_.after(class_of_simulated(rank), asks.time(), finished);
    return Started::running;
  }
  if (!asks.is_collective()) return issue_rare(rank, number, finished);
  issue_collective(rank, asks.collective(), finished);
  return Started::running;
}

SlotIssuer::Started SlotIssuer::issue_rare(RankId rank, std::uint32_t number, const Event& finished) {
  const ExecutionGraph& graph = graph_of(rank);
  if (graph.is_skipped(number)) return Started::skipped;
  switch (graph.kind(number)) {
    case OperationKind::load:
    case OperationKind::store:
      memory_->request(rank, graph.message(number).size, finished);
      return Started::running;
    case OperationKind::send:
      messenger_->send(key_of(graph.message(number), rank, true), finished);
      return Started::running;
    case OperationKind::receive:
      messenger_->receive(key_of(graph.message(number), rank, false), finished);
      return Started::running;
    default:
      return Started::skipped;
  }
}

void SlotIssuer::issue_collective(RankId rank, std::uint32_t number, const Event& finished) {
  const CollectiveRequest& request = ranks_[rank.index()].part->graph->collectives()[number];
  ++collectives_of_[rank.index()][program_.communicators[request.communicator].tags];
  try {
    if (collectives_->issue(class_of_simulated(rank), finished.object, request, loop_.now()) ==
        Issued::nothing_to_do)
      loop_.after(0, finished);
  } catch (const CollectiveError& error) {
    reject(rank, finished.object, error.what());
  }
}

void SlotIssuer::reject(RankId rank, std::uint32_t operation, const std::string& what) const {
  throw InputError({program_.file_of(rank)}, described(graph_of(rank), operation) + " " + what);
}

void SlotIssuer::prefetch(RankId rank) const {
  orrery::core::prefetch(&ranks_[rank.index()]);
  if (watch_) watch_->prefetch(rank);
}

void SlotIssuer::prefetch_operations(RankId rank) const {
  for (const std::uint32_t operation : ranks_[rank.index()].at_work)
    if (operation != no_operation) orrery::core::prefetch(&ranks_[rank.index()].operations[operation]);
}

double SlotIssuer::progress() const {
  return all_operations_ == 0
             ? 1
             : static_cast<double>(finished_operations_) / static_cast<double>(all_operations_);
}

std::vector<std::vector<Interval>> SlotIssuer::take_intervals() {
  std::vector<std::vector<Interval>> intervals;
  intervals.reserve(operations_.size());
  for (std::vector<OperationRecord>& of_rank : operations_) {
    std::vector<Interval>& own = intervals.emplace_back();
    own.reserve(of_rank.size());
    for (const OperationRecord& operation : of_rank) own.push_back(operation.interval());
    of_rank = {};
  }
  return intervals;
}

std::vector<WaitingOperation> SlotIssuer::waiting_operations() const {
  std::vector<WaitingOperation> found;
  for (const RankId rank : first_ids<RankId>(ranks_.size())) {
    if (has_ended(rank)) continue;
    const ExecutionGraph& graph = graph_of(rank);
    for (Id id = 0; id < graph.size(); ++id) {
      const OperationRecord& operation = ranks_[rank.index()].operations[id];
      if (!operation.is_under_way()) continue;
      WaitingOperation& one = found.emplace_back(WaitingOperation{class_of_simulated(rank), id,
                                                                  fmt::format("rank {}", rank.value()),
                                                                  described(graph, id), operation.start()});
      const OperationKind kind = graph.kind(id);
      if (kind != OperationKind::send && kind != OperationKind::receive) continue;
      const MessageEnd& message = graph.message(id);
      const bool sends = kind == OperationKind::send;
      one.detail = fmt::format("its {} of {} bytes {} rank {} with tag {}", sends ? "send" : "receive",
                               message.size.count(), sends ? "to" : "from", message.peer, message.tag);
    }
  }
  return found;
}

std::vector<WaitingCollective> SlotIssuer::waiting_collectives() const {
  std::vector<WaitingCollective> found;
  for (const RankId rank : first_ids<RankId>(ranks_.size())) {
    const ExecutionGraph& graph = graph_of(rank);
    for (Id id = 0; id < graph.size() && !has_ended(rank); ++id) {
      const bool waits = graph.kind(id) == OperationKind::collective && !graph.is_timed(id) &&
                         ranks_[rank.index()].operations[id].is_under_way();
      if (!waits) continue;
      const CollectiveRequest& request = graph.collectives()[graph.collective_number(id)];
      found.push_back(
          {rank, id, &request, collectives_of(rank, program_.communicators[request.communicator].tags)});
    }
  }
  return found;
}

}  // namespace orrery::core
