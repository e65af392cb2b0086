#include "simulate/run/collective_time.hpp"

#include <algorithm>
#include <utility>

#include "program/graph_builder.hpp"
#include "simulate/messages/message_tally.hpp"
#include "simulate/run/simulation.hpp"

namespace orrery::core {
namespace {

ProgramPart part_of(std::string name, std::vector<RankId> ranks, const CollectiveRequest* request) {
  GraphBuilder graph;
  if (request) {
    const auto id = graph.after(graph.last(), {.kind = OperationKind::collective, .collective = *request});
    graph.wait_for(id);
  }
  ProgramPart part;
  part.name = std::move(name);
  part.graph = graph.end();
  part.ranks = std::move(ranks);
  return part;
}

bool is_of_group_0(const Communicator& communicator, DimensionSet taking_part, int rank) {
  for (std::size_t d = 0; d < communicator.dimensions.size(); ++d)
    if (taking_part[d]) rank = communicator.dimensions[d].base(rank);
  return rank == 0;
}

}  // namespace

const CollectiveTimes::Alone& CollectiveTimes::alone(const CollectiveRequest& request) {
  const auto [known, is_new] = known_.try_emplace(
      {request.kind, request.size, request.dimensions.to_ulong(), request.communicator}, Alone());
  if (is_new) known->second = simulate_alone(request);
  return known->second;
}

CollectiveTimes::Alone CollectiveTimes::simulate_alone(const CollectiveRequest& request) const {
  std::vector<RankId> members;
  const Communicator& communicator = communicators_[request.communicator];
  for (int rank = 0; rank < machine_.topology.npus(); ++rank)
    if (is_of_group_0(communicator, request.dimensions, rank)) members.push_back(RankId(rank));
  const Recording recording = on(members, request);
  Alone alone{recording.lowest_of(0).finish, true};
  for (const RankId member : members) {
    const Time end = recording.finish_of(member);
    alone.together = alone.together && end == recording.lowest_of(0).finish;
    alone.time = std::max(alone.time, end);
  }
  return alone;
}

Recording CollectiveTimes::on(std::vector<RankId> ranks, const CollectiveRequest& request) const {
  return on(machine_, std::move(ranks), request);
}

std::vector<KnownTimes::Message> CollectiveTimes::messages_on(std::vector<RankId> ranks,
                                                              const CollectiveRequest& request) const {
  MessageTally::Counts counts;
  Machine machine = machine_;
  machine.network.options.push_back(std::make_shared<const MessageTally>(counts));
  on(machine, std::move(ranks), request);
  std::vector<KnownTimes::Message> messages;
  for (const auto& [message, count] : counts) {
    const auto& [source, destination, bytes] = message;
    messages.push_back({source, destination, bytes, count});
  }
  return messages;
}

Recording CollectiveTimes::on(const Machine& machine, std::vector<RankId> ranks,
                              const CollectiveRequest& request) const {
  const auto npus = static_cast<std::uint32_t>(machine.topology.npus());
  std::vector<RankId> others;
  for (const RankId rank : first_ids<RankId>(npus))
    if (!std::ranges::binary_search(ranks, rank)) others.push_back(rank);
  Program program;
  program.communicators = communicators_;
  program.parts.push_back(part_of("group", std::move(ranks), &request));
  if (!others.empty()) program.parts.push_back(part_of("others", std::move(others), nullptr));
  return simulate(program, machine, plan_simulation(program, machine));
}

}  // namespace orrery::core
