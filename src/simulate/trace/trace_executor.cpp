#include "simulate/trace/trace_executor.hpp"

#include <fmt/format.h>

#include <map>

namespace orrery {

using chakra::Node;
using chakra::NodeType;
using namespace node_state;

TraceExecutor::TraceExecutor(EventLoop& loop, RankTimers& timers, const TraceMachine& machine,
                             const std::vector<RankTrace>& traces, std::uint32_t ranks, bool watch)
    : loop_(loop),
      timers_(timers),
      traces_(traces),
      issuer_(timers, machine, traces, ranks),
      handler_(loop.add_handler(*this)),
      ranks_(ranks),
      recordings_(ranks) {
  if (watch) watch_.emplace(ranks);
  std::map<const chakra::TraceGraph*, std::uint32_t> first_with;  // each graph
  for (std::uint32_t rank = 0; rank < ranks; ++rank) {
    const auto [first, is_new] = first_with.try_emplace(traces[rank].graph.get(), rank);
    recordings_[rank].nodes = is_new ? waiting_nodes(rank) : recordings_[first->second].nodes;
    add_rank(rank);
  }
}

std::vector<Interval> TraceExecutor::waiting_nodes(std::uint32_t rank) {
  const chakra::TraceGraph& graph = *traces_[rank].graph;
  std::vector<Interval> nodes;
  nodes.reserve(graph.nodes.size());
  for (std::uint32_t node = 0; node < graph.nodes.size(); ++node)
    nodes.push_back(node_state::waiting(graph.edges->parents[node], slot_of(graph.nodes, node),
                                        issuer_.look_at(rank, node)));
  return nodes;
}

void TraceExecutor::add_rank(std::uint32_t number) {
  Rank& rank = ranks_[number];
  rank.edges = traces_[number].graph->edges.get();
  std::vector<Interval>& nodes = recordings_[number].nodes;
  rank.nodes = nodes.data();
  for (std::uint32_t node = 0; node < nodes.size(); ++node)
    if (rank.edges->parents[node] == 0) rank.free[node_state::slot_of(nodes[node])].push(node);
  all_nodes_ += nodes.size();
}

Slot TraceExecutor::Rank::slot_of_running(std::uint32_t node) const {
  for (const Slot slot : {cpu, compute, communication})
    if (at_work[slot] == node) return slot;
  return none;
}

Slot TraceExecutor::slot_of(const chakra::NodeList& nodes, std::uint32_t node) {
  if (nodes.on_cpu(node)) return cpu;
  const NodeType type = nodes.type(node);
  if (type == NodeType::compute) return compute;
  return type == NodeType::receive ? none : communication;
}

void TraceExecutor::start(StreamIssuer& collectives, Messenger& messenger, MemoryServers& memory) {
  issuer_.connect(collectives, messenger, memory);
  for (std::uint32_t rank = 0; rank < ranks_.size(); ++rank) {
    try_issue(rank);
    end_if_done(rank);
  }
}

// Nodes that skipped nodes free wait for the next pass. If none would come, another pass follows at once, as
// the rank would be stuck (docs/models/execution-traces.md, Nodes that skipped nodes free).
void TraceExecutor::try_issue(std::uint32_t number) {
  Rank& rank = ranks_[number];
  do {
    rank.passing = true;
    while (true) {
      std::uint32_t node = rank.free[none].first();
      Slot slot = none;
      for (const Slot one : {cpu, compute, communication}) {
        if (rank.at_work[one] != no_node || rank.free[one].first() >= node) continue;
        node = rank.free[one].first();
        slot = one;
      }
      if (node == no_node) break;
      rank.free[slot].pop();
      if (slot != none) rank.at_work[slot] = node;
      ++rank.running;
      if (watch_) watch_->issues(number, loop_.time(), slot);
      if (issue(number, node, slot)) continue;
      if (watch_) watch_->skips(number, loop_.time());
      release(number, node, slot);
    }
    rank.passing = false;
    if (just_freed_.empty()) return;
    for (const std::uint32_t node : just_freed_) rank.free[node_state::slot_of(rank.nodes[node])].push(node);
    just_freed_.clear();
  } while (rank.running == 0);
}

// The node has ended, here and now.
void TraceExecutor::release(std::uint32_t number, std::uint32_t node, Slot slot) {
  Rank& rank = ranks_[number];
  rank.nodes[node].end = loop_.time();
  if (slot != none) rank.at_work[slot] = no_node;
  --rank.running;
  ++finished_nodes_;
  for (const std::uint32_t child : rank.edges->children_of(node)) {
    if (!releases(rank.nodes[child])) continue;
    const Slot slot_of_child = node_state::slot_of(rank.nodes[child]);
    if (watch_) watch_->frees(number, loop_.time(), child, slot_of_child);
    if (rank.passing) {
      just_freed_.push_back(child);
    } else {
      rank.free[slot_of_child].push(child);
    }
  }
}

void TraceExecutor::watch_finish(std::uint32_t number, Slot finished) {
  const Rank& rank = ranks_[number];
  if (rank.passing) watch_->skips(number, loop_.time());
  FinishWatch::Waiting waiting;
  std::array<bool, FinishWatch::slots> occupied{};
  for (std::size_t slot = 0; slot < FinishWatch::slots; ++slot) {
    occupied[slot] = rank.at_work[slot] != no_node;
    waiting[slot] = rank.free[slot].first();
  }
  watch_->finishes(number, loop_.time(), finished, waiting, occupied);
}

bool TraceExecutor::finished() const {
  if (watch_) watch_->end();
  return finish_order_.size() == ranks_.size();
}

void TraceExecutor::finish(std::uint32_t rank, std::uint32_t node) {
  const Slot slot = ranks_[rank].slot_of_running(node);
  if (watch_) watch_finish(rank, slot);
  release(rank, node, slot);
  if (ranks_[rank].passing) return;  // a collective of one rank: the pass goes on
  try_issue(rank);
  end_if_done(rank);
}

void TraceExecutor::end_if_done(std::uint32_t number) {
  Rank& rank = ranks_[number];
  if (rank.ended || rank.running > 0) return;
  for (const FreeNodes& nodes : rank.free)
    if (!nodes.empty()) return;
  rank.ended = true;
  recordings_[number].finish = loop_.time();
  finish_order_.push_back(number);
}

bool TraceExecutor::issue(std::uint32_t rank, std::uint32_t number, Slot slot) {
  const PlainNodes::Asks asks = node_state::issue(ranks_[rank].nodes[number], loop_.time());
  const Event finished{handler_, 0, rank, number, 0};
  Time& gpu_time = ranks_[rank].gpu_time;
  if (asks.is_time()) {
    if (slot != cpu) gpu_time = saturated_sum(gpu_time, asks.time());
    timers_.after(rank, asks.time(), finished);
    return true;
  }
  if (!asks.is_collective()) return issuer_.issue(rank, number, finished, gpu_time);
  issuer_.issue_collective(rank, number, asks);
  return true;
}

void TraceExecutor::prefetch(std::uint32_t rank) const {
  orrery::prefetch(&ranks_[rank]);
  if (watch_) watch_->prefetch(rank);
}

void TraceExecutor::prefetch_nodes(std::uint32_t rank) const {
  for (const std::uint32_t node : ranks_[rank].at_work)
    if (node != no_node) orrery::prefetch(&ranks_[rank].nodes[node]);
}

double TraceExecutor::progress() const {
  return all_nodes_ == 0 ? 1 : static_cast<double>(finished_nodes_) / static_cast<double>(all_nodes_);
}

std::string TraceExecutor::name_of_node(std::uint32_t rank, std::uint32_t number) const {
  return chakra::described(nodes_of(rank), number);
}

std::vector<std::string> TraceExecutor::waiting() const {
  std::vector<std::string> lines;
  for (std::uint32_t r = 0; r < ranks_.size(); ++r) {
    if (ranks_[r].ended) continue;
    const chakra::TraceGraph& graph = *traces_[r].graph;
    for (std::uint32_t n = 0; n < graph.nodes.size(); ++n) {
      if (!is_under_way(ranks_[r].nodes[n])) continue;
      const Node node = graph.nodes[n];
      std::string what = fmt::format("rank {} waits for {}", r, name_of_node(r, n));
      if (node.type == NodeType::send)
        what += fmt::format(": its send of {} bytes to rank {} with tag {}", node.comm_size, node.comm_dst,
                            node.comm_tag);
      if (node.type == NodeType::receive)
        what += fmt::format(": its receive of {} bytes from rank {} with tag {}", node.comm_size,
                            node.comm_src, node.comm_tag);
      if (node.type == NodeType::collective) {
        for (const std::string& line : issuer_.waiting(r)) what += ": " + line;
      }
      lines.push_back(std::move(what));
    }
  }
  return lines;
}

std::vector<WaitingCollective> TraceExecutor::waiting_collectives() const {
  std::vector<WaitingCollective> found;
  for (std::uint32_t r = 0; r < ranks_.size(); ++r) {
    const chakra::NodeList& nodes = nodes_of(r);
    for (std::uint32_t n = 0; n < nodes.size() && !ranks_[r].ended; ++n)
      if (nodes.type(n) == NodeType::collective && is_under_way(ranks_[r].nodes[n]))
        found.push_back(issuer_.waiting_collective(r, n));
  }
  return found;
}

std::vector<RankRecording> TraceExecutor::take_ranks() {
  for (std::uint32_t r = 0; r < ranks_.size(); ++r) recordings_[r].gpu_time = ranks_[r].gpu_time;
  return std::move(recordings_);
}

}  // namespace orrery
