#include "workload/chakra/program/node_operations.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "collective/messages/messenger.hpp"
#include "program/members.hpp"
#include "workload/chakra/files/kinds.hpp"

namespace orrery::core {

using chakra::CommType;
using chakra::Node;
using chakra::NodeType;

namespace {

Slot slot_of_node(const Node& node) {
  if (node.on_cpu) return Slot::host;
  if (node.type == NodeType::compute) return Slot::compute;
  return node.type == NodeType::receive ? Slot::none : Slot::communication;
}

bool has_attribute(const Node& node, chakra::Attribute attribute) {
  return (node.has & attribute) != 0;
}

}  // namespace

void NodeOperations::define(std::uint32_t number, const std::vector<ProcessGroup>& groups) {
  number_ = number;
  const std::string wrong = groups_.define(number, groups, ranks(), defined_);
  if (!wrong.empty()) reject(wrong);
}

Operation NodeOperations::operation_of(std::uint32_t number) {
  number_ = number;
  const Node node = graph_.nodes[number];
  Operation operation;
  operation.kind = chakra::kinds_of_nodes[static_cast<std::size_t>(node.type)];
  operation.slot = slot_of_node(node);
  if (rules_.replay_only) {
    operation.timed = true;
    operation.duration = stated_time(node);
  } else {
    ask(node, operation);
  }
  scale(operation);
  return operation;
}

void NodeOperations::ask(const Node& node, Operation& operation) {
  switch (node.type) {
    case NodeType::compute:
      compute(node, operation);
      break;
    case NodeType::memory_load:
    case NodeType::memory_store:
      operation.message.size = memory_bytes(node);
      break;
    case NodeType::send:
    case NodeType::receive:
      operation.message = message(node);
      break;
    case NodeType::collective:
      collective(node, operation);
      break;
    case NodeType::metadata:
    case NodeType::invalid:
      operation.skipped = true;
      break;
  }
}

// A collective that is scaled to no bytes is not carried out, but a message is awaited whatever its size.
void NodeOperations::scale(Operation& operation) const {
  if (operation.kind == OperationKind::compute && operation.timed && rules_.compute_scale != 1) {
    const double ns = operation.duration.ns() * rules_.compute_scale;
    if (!Time::is_input_ns(ns)) reject("takes more than 30 days, correct its duration or the compute scale");
    operation.duration = Time::from_ns_rounded(ns);
  }
  const bool sends = operation.kind == OperationKind::collective || operation.kind == OperationKind::send ||
                     operation.kind == OperationKind::receive;
  if (!sends || operation.timed || rules_.communication_scale == 1) return;
  if (rules_.communication_scale == 0 && operation.kind == OperationKind::collective) operation.timed = true;
  operation.collective.size = scaled(operation.collective.size);
  operation.message.size = scaled(operation.message.size);
}

Bytes NodeOperations::scaled(Bytes bytes) const {
  const double product = bytes.as_double() * rules_.communication_scale;
  if (!(product <= Bytes::largest_input().as_double()))
    reject("sends more than 8 PiB, correct its comm_size or the communication scale");
  return bytes == Bytes() ? bytes : std::max(Bytes(1), Bytes::rounded(product));
}

// Messages and roots name ranks. So the operation depends on the rank, and the ranks of a part may be no
// members of a group.
bool NodeOperations::depends_on_rank(const ExecutionGraph& graph, ExecutionGraph::Id id,
                                     const TraceGroups& groups) {
  if (graph.is_timed(id)) return false;
  if (graph.kind(id) == OperationKind::send || graph.kind(id) == OperationKind::receive) return true;
  if (graph.kind(id) != OperationKind::collective) return false;
  const CollectiveRequest& request = graph.collective(id);
  return !is_symmetric(request.kind) || !groups[request.communicator].members.empty();
}

Time NodeOperations::stated_time(const Node& node) const {
  if (has_attribute(node, chakra::has_duration_ps)) {
    if (node.duration_ps > static_cast<std::uint64_t>(Time::longest_input().ps()))
      reject("takes more than 30 days, correct its orrery_duration_ps");
    return Time::from_ps(static_cast<std::int64_t>(node.duration_ps));
  }
  const std::uint64_t us = node.duration_us;
  if (us == 0) return Time::from_ns(1);
  if (!Time::is_input_ns(static_cast<double>(us) * 1000))
    reject(fmt::format("takes {} us, more than 30 days, correct its duration_micros", us));
  return Time::from_ns(static_cast<std::int64_t>(us) * 1000);
}

void NodeOperations::compute(const Node& node, Operation& operation) const {
  operation.timed = true;
  if (!rules_.roofline.enabled || node.on_cpu) {
    operation.duration = stated_time(node);
    return;
  }
  require(node, chakra::has_num_ops, "num_ops");
  require(node, chakra::has_tensor_size, "tensor_size");
  if (node.tensor_size > 0) {
    operation.duration = roofline_time(node);
  } else {
    operation.timed = false;
    operation.skipped = true;
  }
}

Time NodeOperations::roofline_time(const Node& node) const {
  if (node.num_ops == 0) return {};
  const auto operations = static_cast<double>(node.num_ops);
  const double ns =
      operations / rules_.roofline.rate(operations / static_cast<double>(node.tensor_size)) * 1e9;
  if (!Time::is_input_ns(ns))
    reject(
        fmt::format("computes {} operations on {} bytes, which takes more than 30 days: correct its "
                    "num_ops and tensor_size, or {}",
                    node.num_ops, node.tensor_size, rules_.advice.roofline));
  return Time::from_ns_truncated(ns);
}

Bytes NodeOperations::memory_bytes(const Node& node) const {
  if (host_.memory.kind == RemoteMemory::Kind::none)
    reject(fmt::format("wants remote memory, but the machine has none: {}", rules_.advice.memory));
  require(node, chakra::has_tensor_size, "tensor_size");
  const Bytes bytes = checked_bytes(node.tensor_size, "tensor_size");
  if (!Time::is_input_ns(host_.memory.service_ns(bytes)))
    reject(fmt::format("moves {} bytes, which takes more than 30 days: correct its tensor_size, or {}",
                       bytes.count(), rules_.advice.memory_speed));
  return bytes;
}

MessageEnd NodeOperations::message(const Node& node) const {
  const bool sends = node.type == NodeType::send;
  require_gpu(node);
  require(node, chakra::has_comm_size, "comm_size");
  const auto other_rank = sends ? chakra::has_comm_dst : chakra::has_comm_src;
  if (!has_attribute(node, chakra::has_comm_tag) && !has_attribute(node, other_rank))
    reject(
        fmt::format("says neither with which rank it meets nor with which message (comm_tag, {}), as "
                    "Chakra's converter writes sends and receives of PyTorch: to run the trace without its "
                    "messages, {}",
                    sends ? "comm_dst" : "comm_src", rules_.advice.replay));
  require(node, chakra::has_comm_tag, "comm_tag");
  require(node, other_rank, sends ? "comm_dst" : "comm_src");
  const std::uint32_t own = rank_.value();
  const std::uint32_t source = has_attribute(node, chakra::has_comm_src) ? node.comm_src : own;
  const std::uint32_t destination = has_attribute(node, chakra::has_comm_dst) ? node.comm_dst : own;
  if (sends && source != own)
    reject(fmt::format("sends for rank {}, but belongs to rank {}: correct its comm_src", source, own));
  if (!sends && destination != own)
    reject(
        fmt::format("receives for rank {}, but belongs to rank {}: correct its comm_dst", destination, own));
  const std::uint32_t peer = sends ? destination : source;
  if (peer >= ranks())
    reject(fmt::format("names rank {}, but the machine has {} NPUs: correct its {} or the network file", peer,
                       ranks(), sends ? "comm_dst" : "comm_src"));
  if (peer == own)
    reject(fmt::format("is a message of rank {} to itself, which no network carries: correct its {}", own,
                       sends ? "comm_dst" : "comm_src"));
  if (node.comm_size == 0) reject("is a message of 0 bytes, give it a comm_size");
  return {peer, static_cast<std::uint32_t>(node.comm_tag % trace_tags),
          checked_bytes(node.comm_size, "comm_size")};
}

void NodeOperations::collective(const Node& node, Operation& operation) {
  require_gpu(node);
  require(node, chakra::has_comm_type, "comm_type");
  CollectiveRequest& request = operation.collective;
  request.dimensions.set();
  if (node.comm_type == CommType::broadcast && !host_.system.runs(CollectiveKind::broadcast)) {
    operation.timed = true;
    operation.duration = stated_time(node);
    request.kind = CollectiveKind::broadcast;
    request.size = Bytes(node.comm_size);
    return;
  }
  request.kind = kind_of(node);
  if (request.kind != CollectiveKind::barrier) require(node, chakra::has_comm_size, "comm_size");
  request.size = checked_bytes(node.comm_size, "comm_size");
  request.priority = node.comm_priority;
  if (has_attribute(node, chakra::has_involved_dims))
    request.dimensions = DimensionSet(node.involved_dims | (~std::uint32_t{0} << node.involved_count));
  const auto of_node = rules_.algorithm_of_node.find(node.id);
  request.algorithm = of_node != rules_.algorithm_of_node.end()
                          ? of_node->second
                          : rules_.algorithms[static_cast<std::size_t>(request.kind)];
  try {
    request.communicator = groups_.of_node(number_, graph_.texts[node.pg_name], rank_, defined_);
  } catch (const std::invalid_argument& wrong) {
    reject(wrong.what());
  }
  if (!is_symmetric(request.kind)) request.root = place_of_root(node, request);
}

CollectiveKind NodeOperations::kind_of(const Node& node) const {
  for (const auto& [kind, comm_type] : chakra::comm_types) {
    if (comm_type != node.comm_type) continue;
    if (!is_symmetric(kind) && !host_.system.runs(kind))
      reject(fmt::format("is a {}, which ASTRA-sim 2 does not run: {}", orrery::core::name_of(kind),
                         fmt::format(fmt::runtime(rules_.advice.collective), orrery::core::name_of(kind))));
    return kind;
  }
  if (!rules_.reduce_scatter_block)
    reject(fmt::format("is a reduce-scatter-block, which ASTRA-sim 2 does not run: {}",
                       rules_.advice.scatter_block));
  return CollectiveKind::reduce_scatter;
}

// The first member is the root, unless the node names one.
std::uint32_t NodeOperations::place_of_root(const Node& node, const CollectiveRequest& request) const {
  if (!has_attribute(node, chakra::has_comm_root) || request.kind == CollectiveKind::barrier) return 0;
  const RankId root(node.comm_root);
  if (root.value() >= ranks())
    reject(fmt::format("names rank {} as comm_root, but the machine has {} NPUs", root.value(), ranks()));
  const Communicator& communicator = groups_[request.communicator];
  const std::vector<RankId>& listed = communicator.members;
  const auto chosen = static_cast<std::uint32_t>(request.dimensions.to_ulong());
  const auto first_with = [&](RankId rank) {
    return npus_along(communicator.dimensions, chosen, npu_of(rank)).first;
  };
  const bool is_member = listed.empty() ? first_with(root) == first_with(rank_)
                                        : std::ranges::find(listed, root) != listed.end();
  if (!is_member)
    reject(listed.empty()
               ? fmt::format("names rank {} as comm_root, which rank {} does not meet in the dimensions that "
                             "its involved_dim names",
                             root.value(), rank_.value())
               : fmt::format("names rank {} as comm_root, which is no member of its group {}", root.value(),
                             communicator.name));
  return place_among_members(root, request, communicator);
}

void NodeOperations::require(const Node& node, chakra::Attribute attribute, const char* name) const {
  if (!has_attribute(node, attribute))
    reject(fmt::format("has no attribute {}, which it needs: add it", name));
}

void NodeOperations::require_gpu(const Node& node) const {
  if (node.on_cpu) reject("communicates on the CPU, set its is_cpu_op to false");
}

Bytes NodeOperations::checked_bytes(std::uint64_t bytes, const char* name) const {
  if (Bytes(bytes) > Bytes::largest_input())
    reject(fmt::format("has a {} of {} bytes, more than 8 PiB: correct it", name, bytes));
  return Bytes(bytes);
}

void NodeOperations::reject(const std::string& what) const {
  throw InputError({file_}, chakra::described(graph_.nodes, number_) + " " + what);
}

}  // namespace orrery::core
