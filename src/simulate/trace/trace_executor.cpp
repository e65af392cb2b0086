#include "simulate/trace/trace_executor.hpp"

#include <fmt/format.h>

namespace orrery {

using chakra::Node;
using chakra::NodeType;

TraceExecutor::TraceExecutor(EventLoop& loop, RankTimers& timers, const TraceMachine& machine,
                             const std::vector<RankTrace>& traces, std::uint32_t ranks, bool watch)
    : loop_(loop),
      timers_(timers),
      machine_(machine),
      traces_(traces),
      requests_(machine, traces),
      handler_(loop.add_handler(*this)),
      ranks_(ranks),
      rooted_(machine, requests_) {
  if (watch) watch_.emplace(ranks);
  for (std::uint32_t r = 0; r < ranks_.size(); ++r) {
    groups_.emplace_back(machine, traces, requests_, r);
    const chakra::TraceGraph& graph = *traces[r].graph;
    Rank& rank = ranks_[r];
    rank.missing = graph.parents;
    rank.recording.nodes.assign(graph.nodes.size(), Interval{not_yet, not_yet});
    for (std::uint32_t n = 0; n < graph.nodes.size(); ++n)
      if (graph.parents[n] == 0) rank.free[slot_of(graph.nodes, n)].push(n);
    all_nodes_ += graph.nodes.size();
  }
}

TraceExecutor::Slot TraceExecutor::slot_of(const chakra::NodeList& nodes, std::uint32_t node) {
  if (nodes.on_cpu(node)) return cpu;
  const NodeType type = nodes.type(node);
  if (type == NodeType::compute) return compute;
  return type == NodeType::receive ? none : communication;
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
    for (const std::uint32_t node : rank.just_freed) rank.free[slot_of(number, node)].push(node);
    if (rank.just_freed.empty()) return;
    rank.just_freed.clear();
  } while (rank.running == 0);
}

// The node has ended, here and now.
void TraceExecutor::release(std::uint32_t number, std::uint32_t node) {
  Rank& rank = ranks_[number];
  rank.recording.nodes[node].end = loop_.time();
  const Slot slot = slot_of(number, node);
  rank.occupied[slot] = false;
  --rank.running;
  ++finished_nodes_;
  for (const std::uint32_t child : traces_[number].graph->children_of(node)) {
    if (--rank.missing[child] > 0) continue;
    if (watch_) watch_->frees(number, loop_.time(), child, slot_of(number, child));
    if (rank.passing) {
      rank.just_freed.push_back(child);
    } else {
      rank.free[slot_of(number, child)].push(child);
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
  watch_->finishes(number, loop_.time(), slot_of(number, node), waiting, occupied);
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
  if (machine_.replay_only) return replay(rank, number);
  switch (nodes_of(rank).type(number)) {
    case NodeType::compute:
      return issue_compute(rank, number);
    case NodeType::memory_load:
    case NodeType::memory_store:
      memory_->request(rank, requests_.memory_bytes(rank, number), finished_event(rank, number));
      return true;
    case NodeType::collective:
      issue_collective(rank, number);
      return true;
    case NodeType::send:
      messenger_->send(requests_.message(rank, number), finished_event(rank, number));
      return true;
    case NodeType::receive:
      messenger_->receive(requests_.message(rank, number), finished_event(rank, number));
      return true;
    case NodeType::metadata:
      groups_[rank].define(number);
      return false;
    case NodeType::invalid:
      return false;
  }
  return false;
}

void TraceExecutor::compute_for(std::uint32_t rank, std::uint32_t number, Time duration) {
  Time& gpu_time = ranks_[rank].recording.gpu_time;
  if (!nodes_of(rank).on_cpu(number)) gpu_time = saturated_sum(gpu_time, duration);
  timers_.after(rank, duration, finished_event(rank, number));
}

bool TraceExecutor::replay(std::uint32_t rank, std::uint32_t number) {
  compute_for(rank, number, requests_.stated_time(rank, number));
  return true;
}

bool TraceExecutor::issue_compute(std::uint32_t rank, std::uint32_t number) {
  if (!requests_.is_under_roofline(rank, number)) return replay(rank, number);
  if (!requests_.has_bytes(rank, number)) return false;
  compute_for(rank, number, requests_.roofline_time(rank, number));
  return true;
}

void TraceExecutor::issue_collective(std::uint32_t rank, std::uint32_t number) {
  if (requests_.takes_stated_time(rank, number)) {
    timers_.after(rank, requests_.stated_time(rank, number), finished_event(rank, number));
    return;
  }
  StreamRequest request = requests_.collective(rank, number);
  request.group = groups_[rank].of_node(number);
  if (request.rooted)
    rooted_.complete(rank, number, request, collectives_->issued_streams(rank, tag_base_of(request.group)));
  ++ranks_[rank].collectives[tag_base_of(request.group)];
  try {
    collectives_->issue(rank, number, request);
  } catch (const CollectiveError& error) {
    requests_.reject(rank, number, error.what());
  }
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
      const Interval& interval = ranks_[r].recording.nodes[n];
      if (interval.start == not_yet || interval.end != not_yet) continue;
      const Node node = graph.nodes[n];
      std::string what = fmt::format("rank {} waits for {}", r, name_of_node(r, n));
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

std::uint64_t TraceExecutor::collectives_of(std::uint32_t rank, std::uint64_t tag_base) const {
  const auto found = ranks_[rank].collectives.find(tag_base);
  return found == ranks_[rank].collectives.end() ? 0 : found->second;
}

std::vector<TraceExecutor::WaitingCollective> TraceExecutor::waiting_collectives() const {
  std::vector<WaitingCollective> found;
  for (std::uint32_t r = 0; r < ranks_.size(); ++r) {
    const chakra::TraceGraph& graph = *traces_[r].graph;
    for (std::uint32_t n = 0; n < graph.nodes.size() && !ranks_[r].ended; ++n) {
      const Interval& interval = ranks_[r].recording.nodes[n];
      if (graph.nodes.type(n) != NodeType::collective || interval.start == not_yet || interval.end != not_yet)
        continue;
      const CommGroup* group = groups_[r].known(requests_.group_name(r, n));
      found.push_back({r, n, group, collectives_of(r, tag_base_of(group)), requests_.collective(r, n)});
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
