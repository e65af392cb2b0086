#include "workload/chakra/check/trace_check.hpp"

#include <algorithm>
#include <limits>
#include <span>
#include <tuple>

namespace orrery::core::chakra {
namespace {

std::uint64_t sum(std::uint64_t a, std::uint64_t b) {
  constexpr std::uint64_t most = std::numeric_limits<std::uint64_t>::max();
  return a > most - b ? most : a + b;
}

std::vector<CollectiveTotal> collective_totals(const Trace& trace) {
  // Totals are sorted by the number of the group's text first, which is quicker.
  std::map<std::pair<CommType, std::uint32_t>, CollectiveTotal> totals;
  for (std::size_t index = 0; index < trace.nodes.size(); ++index) {
    if (trace.nodes.type(index) != NodeType::collective) continue;
    const Node node = trace.nodes[index];
    if ((node.has & has_comm_type) == 0) continue;
    CollectiveTotal& total = totals[{node.comm_type, node.pg_name}];
    ++total.nodes;
    total.bytes = sum(total.bytes, node.comm_size);
  }
  std::vector<CollectiveTotal> out;
  for (auto& [key, total] : totals) {
    total.type = key.first;
    total.process_group = trace.texts[key.second];
    out.push_back(std::move(total));
  }
  std::ranges::sort(out, {},
                    [](const CollectiveTotal& total) { return std::tie(total.type, total.process_group); });
  return out;
}

void measure_paths(const Trace& trace, const TraceIndex& index, std::span<const std::uint32_t> order,
                   TraceCheck& out) {
  std::vector<std::uint64_t> us(index.size()), nodes(index.size());  // of the longest way to its end
  for (const std::uint32_t node : order) {
    for (const std::uint32_t parent : index.parents.of(node)) {
      us[node] = std::max(us[node], us[parent]);
      nodes[node] = std::max(nodes[node], nodes[parent]);
    }
    us[node] = sum(us[node], trace.nodes[index.node_at(node)].duration_us);
    ++nodes[node];
    out.longest_path_us = std::max(out.longest_path_us, us[node]);
    out.longest_path_nodes = std::max(out.longest_path_nodes, nodes[node]);
  }
}

std::vector<std::uint64_t> too_large_nodes(const NodeList& nodes) {
  std::vector<std::uint64_t> ids;
  for (std::size_t number = 0; number < nodes.size(); ++number) {
    const NodeType type = nodes.type(number);
    const bool communicates =
        type == NodeType::collective || type == NodeType::send || type == NodeType::receive;
    const bool moves = type == NodeType::memory_load || type == NodeType::memory_store;
    if (!communicates && !moves) continue;
    const Node node = nodes[number];
    if (Bytes(communicates ? node.comm_size : node.tensor_size) > Bytes::largest_input())
      ids.push_back(node.id);
  }
  return ids;
}

}  // namespace

TraceCheck check_trace(Trace trace) {
  TraceCheck out;
  for (std::size_t node = 0; node < trace.nodes.size(); ++node)
    ++out.nodes_of_type[static_cast<std::size_t>(trace.nodes.type(node))];
  out.collectives = collective_totals(trace);
  out.too_large = too_large_nodes(trace.nodes);
  out.compute = compute_times(trace.nodes);
  const TraceIndex index = take_index(trace);
  const std::vector<std::uint32_t> order = in_order_of_dependencies(index);
  measure_paths(trace, index, order, out);
  out.order = device_order(trace, index, order);
  out.missing_parents = index.missing;
  out.repeated_ids = index.repeated_ids;
  for (const auto& cycle : find_cycles(index)) {
    std::vector<std::uint64_t>& ids = out.cycles.emplace_back();
    for (const std::uint32_t position : cycle) ids.push_back(index.ids[position]);
  }
  return out;
}

void MessageCheck::add(RankId rank, const NodeList& nodes) {
  constexpr std::uint64_t tags = 500'000'000;  // docs/models/execution-traces.md, Messages
  for (std::size_t index = 0; index < nodes.size(); ++index) {
    const bool sends = nodes.type(index) == NodeType::send;
    if (!sends && nodes.type(index) != NodeType::receive) continue;
    const Node node = nodes[index];
    const unsigned needed = has_comm_tag | has_comm_size | (sends ? has_comm_dst : has_comm_src);
    if ((node.has & needed) != needed) {
      incomplete_.push_back({rank, node.id});
      continue;
    }
    const RankId source = (node.has & has_comm_src) != 0 ? RankId(node.comm_src) : rank;
    const RankId destination = (node.has & has_comm_dst) != 0 ? RankId(node.comm_dst) : rank;
    Count& count = messages_[{node.comm_tag % tags, source, destination, node.comm_size}];
    ++(sends ? count.sends : count.receives);
  }
}

void MessageCheck::add(MessageCheck other) {
  messages_.merge(other.messages_);
  for (const auto& [message, count] : other.messages_) {  // those that were there already
    messages_[message].sends += count.sends;
    messages_[message].receives += count.receives;
  }
  incomplete_.insert(incomplete_.end(), other.incomplete_.begin(), other.incomplete_.end());
}

std::vector<MessageCheck::Unmatched> MessageCheck::unmatched() const {
  std::vector<Unmatched> out;
  for (const auto& [message, count] : messages_)
    if (count.sends != count.receives) out.push_back({message, count.sends, count.receives});
  return out;
}

}  // namespace orrery::core::chakra
