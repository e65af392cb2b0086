#include "simulate/trace/trace_executor.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace orrery {

using chakra::Node;
using chakra::NodeType;

TraceExecutor::TraceExecutor(EventLoop& loop, RankTimers& timers, const TraceMachine& machine,
                             const std::vector<RankTrace>& traces, std::uint32_t ranks, bool watch)
    : loop_(loop),
      timers_(timers),
      machine_(machine),
      traces_(traces),
      handler_(loop.add_handler(*this)),
      ranks_(ranks),
      npus_(static_cast<std::uint32_t>(traces.size())) {
  if (watch) watch_.emplace(ranks);
  for (std::uint32_t r = 0; r < ranks_.size(); ++r) {
    const chakra::TraceGraph& graph = *traces[r].graph;
    Rank& rank = ranks_[r];
    rank.missing = graph.parents;
    rank.recording.nodes.assign(graph.nodes.size(), Interval{not_yet, not_yet});
    for (std::uint32_t n = 0; n < graph.nodes.size(); ++n)
      if (graph.parents[n] == 0) rank.free[slot_of(graph.nodes[n])].push(n);
    all_nodes_ += graph.nodes.size();
  }
}

TraceExecutor::Slot TraceExecutor::slot_of(const Node& node) {
  if (node.on_cpu) return cpu;
  if (node.type == NodeType::compute) return compute;
  return node.type == NodeType::receive ? none : communication;
}

void TraceExecutor::start(StreamEngine& collectives, Messenger& messenger, MemoryServers& memory) {
  collectives_ = &collectives;
  messenger_ = &messenger;
  memory_ = &memory;
  for (std::uint32_t rank = 0; rank < ranks_.size(); ++rank) {
    try_issue(rank);
    end_if_done(rank);
  }
}

// What skipped nodes free waits for the next pass. Without one to come there is another right away, as the
// rank would be stuck. (spec: quirk C3)
void TraceExecutor::try_issue(std::uint32_t number) {
  Rank& rank = ranks_[number];
  do {
    rank.passing = true;
    while (true) {
      int next = -1;
      for (int slot = 0; slot < slots; ++slot) {
        const Heap& heap = rank.free[slot];
        if (heap.empty() || rank.occupied[slot]) continue;
        if (next < 0 || heap.top() < rank.free[next].top()) next = slot;
      }
      if (next < 0) break;
      const std::uint32_t node = rank.free[next].top();
      rank.free[next].pop();
      rank.occupied[next] = next != none;
      ++rank.running;
      rank.recording.nodes[node].start = loop_.time();
      if (watch_) watch_->issues(number, loop_.time(), static_cast<std::size_t>(next));
      if (issue(number, node)) continue;
      if (watch_) watch_->skips(number, loop_.time());
      release(number, node);
    }
    rank.passing = false;
    for (const std::uint32_t node : rank.just_freed) rank.free[slot_of(node_of(number, node))].push(node);
    if (rank.just_freed.empty()) return;
    rank.just_freed.clear();
  } while (rank.running == 0);
}

// The node has ended, here and now.
void TraceExecutor::release(std::uint32_t number, std::uint32_t node) {
  Rank& rank = ranks_[number];
  rank.recording.nodes[node].end = loop_.time();
  const Slot slot = slot_of(node_of(number, node));
  rank.occupied[slot] = false;
  --rank.running;
  ++finished_nodes_;
  for (const std::uint32_t child : traces_[number].graph->children_of(node)) {
    if (--rank.missing[child] > 0) continue;
    if (watch_) watch_->frees(number, loop_.time(), child, slot_of(node_of(number, child)));
    if (rank.passing) {
      rank.just_freed.push_back(child);
    } else {
      rank.free[slot_of(node_of(number, child))].push(child);
    }
  }
}

void TraceExecutor::watch_finish(std::uint32_t number, std::uint32_t node) {
  const Rank& rank = ranks_[number];
  if (rank.passing) watch_->skips(number, loop_.time());
  FinishWatch::Waiting waiting;
  std::array<bool, FinishWatch::slots> occupied{};
  for (std::size_t slot = 0; slot < FinishWatch::slots; ++slot) {
    occupied[slot] = rank.occupied[slot];
    if (!rank.free[slot].empty()) waiting[slot] = rank.free[slot].top();
  }
  watch_->finishes(number, loop_.time(), slot_of(node_of(number, node)), waiting, occupied);
}

bool TraceExecutor::finished() const {
  if (watch_) watch_->end();
  return finish_order_.size() == ranks_.size();
}

void TraceExecutor::finish(std::uint32_t rank, std::uint32_t node) {
  if (watch_) watch_finish(rank, node);
  release(rank, node);
  if (ranks_[rank].passing) return;  // a collective of one rank: the pass goes on
  try_issue(rank);
  end_if_done(rank);
}

void TraceExecutor::end_if_done(std::uint32_t number) {
  Rank& rank = ranks_[number];
  if (rank.ended || rank.running > 0) return;
  for (const Heap& heap : rank.free)
    if (!heap.empty()) return;
  rank.ended = true;
  rank.recording.finish = loop_.time();
  finish_order_.push_back(number);
}

bool TraceExecutor::issue(std::uint32_t rank, std::uint32_t number) {
  const Node& node = node_of(rank, number);
  if (machine_.replay_only) return replay(rank, number);
  const bool communicates =
      node.type == NodeType::collective || node.type == NodeType::send || node.type == NodeType::receive;
  if (communicates && node.on_cpu) reject(rank, number, "communicates on the CPU, set is_cpu_op to false");
  switch (node.type) {
    case NodeType::compute:
      return issue_compute(rank, number);
    case NodeType::memory_load:
    case NodeType::memory_store:
      return issue_memory(rank, number);
    case NodeType::collective:
      return issue_collective(rank, number);
    case NodeType::send:
    case NodeType::receive:
      return issue_message(rank, number);
    case NodeType::metadata:
      define_groups(rank, number);
      return false;
    case NodeType::invalid:
      return false;
  }
  return false;
}

bool TraceExecutor::replay(std::uint32_t rank, std::uint32_t number) {
  const Node& node = node_of(rank, number);
  const Time duration = node.duration_us > 0
                            ? Time::from_ns(static_cast<std::int64_t>(node.duration_us) * 1000)
                            : Time::from_ns(1);
  if (!node.on_cpu) ranks_[rank].recording.gpu_time += duration;
  timers_.after(rank, duration, finished_event(rank, number));
  return true;
}

bool TraceExecutor::issue_compute(std::uint32_t rank, std::uint32_t number) {
  const Node& node = node_of(rank, number);
  const Roofline& roofline = machine_.roofline;
  if (!roofline.enabled || node.on_cpu) return replay(rank, number);
  require(rank, number, chakra::has_num_ops, "num_ops");
  require(rank, number, chakra::has_tensor_size, "tensor_size");
  if (node.tensor_size == 0) return false;
  const auto operations = static_cast<double>(node.num_ops);
  const double intensity = operations / static_cast<double>(node.tensor_size);
  const double rate = std::min(roofline.memory_gb_per_s * 1e9 * intensity, roofline.peak_tflop_per_s * 1e12);
  const Time duration = node.num_ops == 0 ? Time() : Time::from_ns_truncated(operations / rate * 1e9);
  ranks_[rank].recording.gpu_time += duration;
  timers_.after(rank, duration, finished_event(rank, number));
  return true;
}

bool TraceExecutor::issue_memory(std::uint32_t rank, std::uint32_t number) {
  if (machine_.memory.kind == RemoteMemory::Kind::none) {
    reject(rank, number, "wants remote memory, but the machine has none: give it a memory-type");
  }
  require(rank, number, chakra::has_tensor_size, "tensor_size");
  memory_->request(rank, Bytes(node_of(rank, number).tensor_size), finished_event(rank, number));
  return true;
}

bool TraceExecutor::issue_message(std::uint32_t rank, std::uint32_t number) {
  constexpr std::uint64_t tags = 500'000'000;
  const Node& node = node_of(rank, number);
  const bool sends = node.type == NodeType::send;
  require(rank, number, chakra::has_comm_size, "comm_size");
  require(rank, number, chakra::has_comm_tag, "comm_tag");
  require(rank, number, sends ? chakra::has_comm_dst : chakra::has_comm_src, sends ? "comm_dst" : "comm_src");
  const std::uint32_t source = (node.has & chakra::has_comm_src) != 0 ? node.comm_src : rank;
  const std::uint32_t destination = (node.has & chakra::has_comm_dst) != 0 ? node.comm_dst : rank;
  if (sends && source != rank)
    reject(rank, number, fmt::format("sends for rank {}, comm_src has to be its own rank", source));
  if (!sends && destination != rank)
    reject(rank, number, fmt::format("receives for rank {}, comm_dst has to be its own rank", destination));
  const std::uint32_t peer = sends ? destination : source;
  if (peer >= npus_)
    reject(rank, number, fmt::format("names rank {}, but the machine has {} NPUs", peer, npus_));
  if (peer == rank) reject(rank, number, "is a message of a rank to itself, which no network carries");
  if (node.comm_size == 0) reject(rank, number, "is a message of 0 bytes, give it a comm_size");
  const MessageKey key{node.comm_tag % tags, source, destination, Bytes(node.comm_size)};
  if (sends) {
    messenger_->send(key, finished_event(rank, number));
  } else {
    messenger_->receive(key, finished_event(rank, number));
  }
  return true;
}

void TraceExecutor::require(std::uint32_t rank, std::uint32_t number, chakra::Attribute attribute,
                            const char* name) const {
  if ((node_of(rank, number).has & attribute) == 0)
    reject(rank, number, fmt::format("has no attribute {}, which it needs", name));
}

void TraceExecutor::reject(std::uint32_t rank, std::uint32_t number, const std::string& what) const {
  const Node& node = node_of(rank, number);
  throw InputError({traces_[rank].file},
                   fmt::format("node {} ('{}') {}", node.id, traces_[rank].graph->texts[node.name], what));
}

double TraceExecutor::progress() const {
  return all_nodes_ == 0 ? 1 : static_cast<double>(finished_nodes_) / static_cast<double>(all_nodes_);
}

std::vector<std::string> TraceExecutor::waiting() const {
  std::vector<std::string> lines;
  for (std::uint32_t r = 0; r < ranks_.size(); ++r) {
    if (ranks_[r].ended) continue;
    const chakra::TraceGraph& graph = *traces_[r].graph;
    for (std::uint32_t n = 0; n < graph.nodes.size(); ++n) {
      const Interval& interval = ranks_[r].recording.nodes[n];
      if (interval.start == not_yet || interval.end != not_yet) continue;
      const Node& node = graph.nodes[n];
      std::string what = fmt::format("rank {} waits for node {} ('{}')", r, node.id, graph.texts[node.name]);
      if (node.type == NodeType::send)
        what += fmt::format(": its send of {} bytes to rank {} with tag {}", node.comm_size, node.comm_dst,
                            node.comm_tag);
      if (node.type == NodeType::receive)
        what += fmt::format(": its receive of {} bytes from rank {} with tag {}", node.comm_size,
                            node.comm_src, node.comm_tag);
      if (node.type == NodeType::collective) {
        for (const std::string& line : collectives_->waiting(r)) what += ": " + line;
      }
      lines.push_back(std::move(what));
    }
  }
  return lines;
}

std::vector<TraceExecutor::WaitingCollective> TraceExecutor::waiting_collectives() const {
  std::vector<WaitingCollective> found;
  for (std::uint32_t r = 0; r < ranks_.size(); ++r) {
    const chakra::TraceGraph& graph = *traces_[r].graph;
    for (std::uint32_t n = 0; n < graph.nodes.size() && !ranks_[r].ended; ++n) {
      const Interval& interval = ranks_[r].recording.nodes[n];
      if (graph.nodes[n].type != NodeType::collective || interval.start == not_yet || interval.end != not_yet)
        continue;
      const auto group = ranks_[r].groups.find(graph.texts[graph.nodes[n].pg_name]);
      found.push_back({r, n, group == ranks_[r].groups.end() ? nullptr : group->second});
    }
  }
  return found;
}

std::vector<RankRecording> TraceExecutor::take_ranks() {
  std::vector<RankRecording> recordings;
  for (Rank& rank : ranks_) recordings.push_back(std::move(rank.recording));
  return recordings;
}

}  // namespace orrery
