#include "simulate/trace/node_issuer.hpp"

#include "collective/streams/stream_phase.hpp"

namespace orrery {

using chakra::NodeType;

NodeIssuer::NodeIssuer(RankTimers& timers, const TraceMachine& machine, const std::vector<RankTrace>& traces,
                       std::uint32_t ranks)
    : timers_(timers),
      machine_(machine),
      requests_(machine, traces),
      plain_(machine, requests_),
      rooted_(machine, requests_),
      collectives_of_(ranks) {
  for (std::uint32_t rank = 0; rank < ranks; ++rank) groups_.emplace_back(machine, traces, requests_, rank);
}

void NodeIssuer::connect(StreamIssuer& collectives, Messenger& messenger, MemoryServers& memory) {
  collectives_ = &collectives;
  messenger_ = &messenger;
  memory_ = &memory;
}

bool NodeIssuer::issue(std::uint32_t rank, std::uint32_t node, const Event& finished, Time& gpu_time) {
  if (machine_.replay_only) requests_.stated_time(rank, node);  // throws, or it would be plain
  switch (requests_.type(rank, node)) {
    case NodeType::compute:
      return issue_compute(rank, node, finished, gpu_time);
    case NodeType::memory_load:
    case NodeType::memory_store:
      memory_->request(rank, requests_.memory_bytes(rank, node), finished);
      return true;
    case NodeType::collective:
      issue_collective(rank, node, finished);
      return true;
    case NodeType::send:
      messenger_->send(requests_.message(rank, node), finished);
      return true;
    case NodeType::receive:
      messenger_->receive(requests_.message(rank, node), finished);
      return true;
    case NodeType::metadata:
      groups_[rank].define(node);
      return false;
    case NodeType::invalid:
      return false;
  }
  return false;
}

bool NodeIssuer::issue_compute(std::uint32_t rank, std::uint32_t node, const Event& finished,
                               Time& gpu_time) {
  if (!requests_.is_under_roofline(rank, node)) requests_.stated_time(rank, node);  // throws, as above
  if (!requests_.has_bytes(rank, node)) return false;
  const Time duration = requests_.roofline_time(rank, node);
  gpu_time = saturated_sum(gpu_time, duration);
  timers_.after(rank, duration, finished);
  return true;
}

void NodeIssuer::issue_collective(std::uint32_t rank, std::uint32_t node, const Event& finished) {
  if (requests_.takes_stated_time(rank, node)) {
    timers_.after(rank, requests_.stated_time(rank, node), finished);
    return;
  }
  StreamRequest request = requests_.collective(rank, node);
  request.group = groups_[rank].of_node(node);
  if (!is_symmetric(request.kind))
    rooted_.complete(rank, node, request, collectives_->issued_streams(rank, tag_base_of(request.group)));
  issue_streams(rank, node, request);
}

void NodeIssuer::issue_streams(std::uint32_t rank, std::uint32_t node, const StreamRequest& request) {
  ++collectives_of_[rank][tag_base_of(request.group)];
  try {
    collectives_->issue(rank, node, request);
  } catch (const CollectiveError& error) {
    requests_.reject(rank, node, error.what());
  }
}

WaitingCollective NodeIssuer::waiting_collective(std::uint32_t rank, std::uint32_t node) const {
  const CommGroup* group = groups_[rank].known(requests_.group_name(rank, node));
  return {rank, node, group, collectives_of(rank, tag_base_of(group)), requests_.collective(rank, node)};
}

}  // namespace orrery
