#include "simulate/trace/node_request.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "base/diagnostics.hpp"

namespace orrery {

using chakra::CommType;
using chakra::Node;
using chakra::NodeType;

namespace {

constexpr std::array<std::pair<CommType, CollectiveKind>, collective_kinds> kinds{{
    {CommType::all_reduce, CollectiveKind::all_reduce},
    {CommType::all_gather, CollectiveKind::all_gather},
    {CommType::all_to_all, CollectiveKind::all_to_all},
    {CommType::reduce_scatter, CollectiveKind::reduce_scatter},
    {CommType::broadcast, CollectiveKind::broadcast},
    {CommType::reduce, CollectiveKind::reduce},
    {CommType::gather, CollectiveKind::gather},
    {CommType::scatter, CollectiveKind::scatter},
    {CommType::barrier, CollectiveKind::barrier},
}};

}  // namespace

NodeRequests::NodeRequests(const TraceMachine& machine, const std::vector<RankTrace>& traces)
    : machine_(machine), traces_(traces) {
  for (const RankTrace& trace : traces) nodes_.push_back(&trace.graph->nodes);
}

Time NodeRequests::stated_time(std::uint32_t rank, std::uint32_t number) const {
  const Node node = this->node(rank, number);
  if ((node.has & chakra::has_duration_ps) != 0) {
    if (node.duration_ps > static_cast<std::uint64_t>(Time::longest_input().ps()))
      reject(rank, number, "takes more than 30 days, correct its orrery_duration_ps");
    return Time::from_ps(static_cast<std::int64_t>(node.duration_ps));
  }
  const std::uint64_t us = node.duration_us;
  if (us == 0) return Time::from_ns(1);
  if (!Time::is_input_ns(static_cast<double>(us) * 1000))
    reject(rank, number, fmt::format("takes {} us, more than 30 days, correct its duration_micros", us));
  return Time::from_ns(static_cast<std::int64_t>(us) * 1000);
}

bool NodeRequests::is_under_roofline(std::uint32_t rank, std::uint32_t number) const {
  return machine_.roofline.enabled && !node(rank, number).on_cpu;
}

bool NodeRequests::has_bytes(std::uint32_t rank, std::uint32_t number) const {
  require(rank, number, chakra::has_num_ops, "num_ops");
  require(rank, number, chakra::has_tensor_size, "tensor_size");
  return node(rank, number).tensor_size > 0;
}

Time NodeRequests::roofline_time(std::uint32_t rank, std::uint32_t number) const {
  const Node computes = node(rank, number);
  if (computes.num_ops == 0) return {};
  const Roofline& roofline = machine_.roofline;
  const auto operations = static_cast<double>(computes.num_ops);
  const double intensity = operations / static_cast<double>(computes.tensor_size);
  const double rate = std::min(roofline.memory_gb_per_s * 1e9 * intensity, roofline.peak_tflop_per_s * 1e12);
  const double ns = operations / rate * 1e9;
  if (!Time::is_input_ns(ns)) {
    reject(rank, number,
           fmt::format("computes {} operations on {} bytes, which takes more than 30 days: correct its "
                       "num_ops and tensor_size, or peak-perf and local-mem-bw of the system file",
                       computes.num_ops, computes.tensor_size));
  }
  return Time::from_ns_truncated(ns);
}

Bytes NodeRequests::memory_bytes(std::uint32_t rank, std::uint32_t number) const {
  if (machine_.memory.kind == RemoteMemory::Kind::none) {
    reject(rank, number,
           "wants remote memory, but the machine has none: give it a memory-type with "
           "--remote-memory-configuration");
  }
  require(rank, number, chakra::has_tensor_size, "tensor_size");
  const Bytes bytes = checked_bytes(rank, number, node(rank, number).tensor_size, "tensor_size");
  if (!Time::is_input_ns(memory_service_ns(machine_.memory, bytes))) {
    reject(rank, number,
           fmt::format("moves {} bytes, which takes more than 30 days: correct its tensor_size, or "
                       "remote-mem-bw and remote-mem-latency of the memory file",
                       bytes.count()));
  }
  return bytes;
}

MessageKey NodeRequests::message(std::uint32_t rank, std::uint32_t number) const {
  const Node node = this->node(rank, number);
  const bool sends = node.type == NodeType::send;
  require_gpu(rank, number);
  require(rank, number, chakra::has_comm_size, "comm_size");
  require(rank, number, chakra::has_comm_tag, "comm_tag");
  require(rank, number, sends ? chakra::has_comm_dst : chakra::has_comm_src, sends ? "comm_dst" : "comm_src");
  const std::uint32_t source = (node.has & chakra::has_comm_src) != 0 ? node.comm_src : rank;
  const std::uint32_t destination = (node.has & chakra::has_comm_dst) != 0 ? node.comm_dst : rank;
  if (sends && source != rank)
    reject(rank, number,
           fmt::format("sends for rank {}, but belongs to rank {}: correct its comm_src", source, rank));
  if (!sends && destination != rank)
    reject(
        rank, number,
        fmt::format("receives for rank {}, but belongs to rank {}: correct its comm_dst", destination, rank));
  const std::uint32_t peer = sends ? destination : source;
  if (peer >= ranks())
    reject(rank, number,
           fmt::format("names rank {}, but the machine has {} NPUs: correct its {} or the network file", peer,
                       ranks(), sends ? "comm_dst" : "comm_src"));
  if (peer == rank)
    reject(rank, number,
           fmt::format("is a message of rank {} to itself, which no network carries: correct its {}", rank,
                       sends ? "comm_dst" : "comm_src"));
  if (node.comm_size == 0) reject(rank, number, "is a message of 0 bytes, give it a comm_size");
  return {node.comm_tag % trace_tags, source, destination,
          checked_bytes(rank, number, node.comm_size, "comm_size")};
}

bool NodeRequests::takes_stated_time(std::uint32_t rank, std::uint32_t number) const {
  require_gpu(rank, number);
  require(rank, number, chakra::has_comm_type, "comm_type");
  return node(rank, number).comm_type == CommType::broadcast &&
         !machine_.streams.runs(CollectiveKind::broadcast);
}

void NodeRequests::choose_kind(std::uint32_t rank, std::uint32_t number, StreamRequest& request) const {
  const CommType type = node(rank, number).comm_type;
  for (const auto& [comm_type, kind] : kinds) {
    if (comm_type != type) continue;
    if (!is_symmetric(kind) && !machine_.streams.runs(kind))
      reject(rank, number,
             fmt::format("is a {0}, which ASTRA-sim 2 does not run: give --real-collectives, or "
                         "`{0}-implementation` in the system file",
                         name_of(kind)));
    request.kind = kind;
    return;
  }
  if (!machine_.reduce_scatter_block)
    reject(rank, number,
           "is a reduce-scatter-block, which ASTRA-sim 2 does not run: give --real-collectives");
  request.kind = CollectiveKind::reduce_scatter;
}

StreamRequest NodeRequests::collective(std::uint32_t rank, std::uint32_t number) const {
  const Node node = this->node(rank, number);
  StreamRequest request;
  choose_kind(rank, number, request);
  if (request.kind != CollectiveKind::barrier) require(rank, number, chakra::has_comm_size, "comm_size");
  request.size = checked_bytes(rank, number, node.comm_size, "comm_size");
  request.priority = node.comm_priority;
  if ((node.has & chakra::has_involved_dims) != 0)
    request.dimensions = node.involved_dims | (~std::uint32_t{0} << node.involved_count);
  if (const auto of_node = machine_.custom_of_node.find(node.id); of_node != machine_.custom_of_node.end()) {
    request.custom = of_node->second.get();
  } else {
    request.custom = machine_.custom[static_cast<std::size_t>(request.kind)].get();
  }
  return request;
}

void NodeRequests::require(std::uint32_t rank, std::uint32_t number, chakra::Attribute attribute,
                           const char* name) const {
  if ((node(rank, number).has & attribute) == 0)
    reject(rank, number, fmt::format("has no attribute {}, which it needs: add it", name));
}

void NodeRequests::require_gpu(std::uint32_t rank, std::uint32_t number) const {
  if (node(rank, number).on_cpu) reject(rank, number, "communicates on the CPU, set its is_cpu_op to false");
}

Bytes NodeRequests::checked_bytes(std::uint32_t rank, std::uint32_t number, std::uint64_t bytes,
                                  const char* name) const {
  if (Bytes(bytes) > Bytes::largest_input())
    reject(rank, number, fmt::format("has a {} of {} bytes, more than 8 PiB: correct it", name, bytes));
  return Bytes(bytes);
}

void NodeRequests::reject(std::uint32_t rank, std::uint32_t number, const std::string& what) const {
  throw InputError({traces_[rank].file}, chakra::described(traces_[rank].graph->nodes, number) + " " + what);
}

double memory_service_ns(const RemoteMemory& memory, Bytes bytes) {
  return static_cast<double>(memory.latency_ns) +
         std::trunc(bytes.as_double() / static_cast<double>(memory.bytes_per_ns));
}

}  // namespace orrery
