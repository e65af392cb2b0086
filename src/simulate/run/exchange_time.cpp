#include "simulate/run/exchange_time.hpp"

#include <string>
#include <utility>

#include "program/graph_builder.hpp"
#include "simulate/run/simulation.hpp"

namespace orrery::core {

namespace {

ExecutionGraph graph_of(const Operation& one, const Operation* other) {
  GraphBuilder graph;
  const auto begin = graph.last();
  graph.wait_for(graph.after(begin, one));
  if (other) graph.wait_for(graph.after(begin, *other));
  return graph.end();
}

Program collective_program(CollectiveKind kind, Bytes bytes, const std::vector<LogicalDimension>& groups,
                           std::uint32_t ranks) {
  const CollectiveRequest request{kind, bytes, DimensionSet().set()};
  return program_of_equal_ranks(graph_of({.kind = OperationKind::collective, .collective = request}, nullptr),
                                groups, ranks);
}

Operation message_to(std::uint32_t part, Bytes bytes, OperationKind kind) {
  Operation message{.kind = kind};
  message.message = {part, 0, bytes};
  return message;
}

// So many of the first ranks send to those at the distance, and the others do nothing.
Program message_program(std::uint32_t senders, Bytes bytes, std::uint32_t distance, std::uint32_t ranks) {
  const auto is_receiver = [&](std::uint32_t rank) { return rank >= distance && rank < distance + senders; };
  const bool others_come_first = distance > senders;
  const std::uint32_t receiver = others_come_first ? 2 : 1, idle = 3 - receiver;
  const bool has_others = ranks > 2 * senders;
  Program program;
  program.parts.resize(has_others ? 3 : 2);
  for (ProgramPart& part : program.parts) part.name = "part " + std::to_string(&part - program.parts.data());
  for (std::uint32_t rank = 0; rank < ranks; ++rank)
    program.parts[rank < senders ? 0 : is_receiver(rank) ? receiver : idle].ranks.push_back(RankId(rank));
  program.parts[0].graph = graph_of(message_to(receiver, bytes, OperationKind::send), nullptr);
  program.parts[receiver].graph = graph_of(message_to(0, bytes, OperationKind::receive), nullptr);
  if (has_others) program.parts[idle].graph = GraphBuilder().end();
  return program;
}

Time end_of(Program program, const Machine& machine, const SourceLocation& where) {
  program.where = where;
  return simulate(program, machine, plan_simulation(program, machine)).end();
}

}  // namespace

Time time_of_collective(const Machine& machine, const LoneCollective& collective) {
  const auto ranks = static_cast<std::uint32_t>(machine.topology.npus());
  return end_of(collective_program(collective.kind, collective.bytes, collective.groups, ranks), machine,
                collective.where);
}

Time time_of_messages(const Machine& machine, const LoneMessages& messages) {
  const auto ranks = static_cast<std::uint32_t>(machine.topology.npus());
  return end_of(message_program(messages.senders, messages.bytes, messages.distance, ranks), machine,
                messages.where);
}

}  // namespace orrery::core
