#include "simulate/slots/slot_folding.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "simulate/collectives/collective_policies.hpp"
#include "simulate/folding/symmetry.hpp"

namespace orrery::core {

namespace {

using Id = ExecutionGraph::Id;

template <class Is>
bool any_operation(const ExecutionGraph& graph, const Is& is) {
  for (Id id = 0; id < graph.size(); ++id)
    if (is(graph.kind(id))) return true;
  return false;
}

// Returns roughly how many messages the collectives of one rank send.
double messages_of(const ExecutionGraph& graph, const Machine& machine) {
  double per_chunk = 0;
  for (const Dimension& dimension : machine.topology.dimensions) per_chunk += 2.0 * dimension.size;
  std::size_t collectives = 0;
  for (Id id = 0; id < graph.size(); ++id) collectives += graph.kind(id) == OperationKind::collective ? 1 : 0;
  return static_cast<double>(collectives) * machine.system.chunks * per_chunk;
}

double messages_of(const Program& program, const Machine& machine) {
  double sum = 0;
  for (const ProgramPart& part : program.parts)
    sum += messages_of(part.graph, machine) * static_cast<double>(part.size());
  return sum;
}

bool uses_remote_memory(const ProgramPart& part) {
  return any_operation(part.graph, [](OperationKind kind) {
    return kind == OperationKind::load || kind == OperationKind::store;
  });
}

std::string why_every_message(const Program& program, const Machine& machine, bool wanted) {
  if (!wanted) return "folding is switched off";
  if (std::string reason = why_not(Shortcut::slots_in_one_go, machine); !reason.empty()) return reason;
  const bool shared_memory =
      machine.memory.kind == RemoteMemory::Kind::per_node || machine.memory.kind == RemoteMemory::Kind::pool;
  if (shared_memory && std::ranges::any_of(program.parts, uses_remote_memory))
    return "ranks queue for remote memory";
  return {};
}

std::string why_every_rank(const Program& program, const Machine& machine) {
  if (program.parts.size() > 1) return "their traces differ";
  if (std::string reason = why_not(Shortcut::slots_one_rank, machine); !reason.empty()) return reason;
  const ExecutionGraph& graph = program.parts[0].graph;
  if (any_operation(graph, [](OperationKind kind) {
        return kind == OperationKind::send || kind == OperationKind::receive;
      }))
    return "the trace sends messages";
  if (std::ranges::any_of(graph.collectives(), [&](const CollectiveRequest& request) {
        return !is_symmetric(request.kind) && machine.system.runs(request.kind);
      }))
    return "rooted collectives give each rank a part of its own";
  if (std::string reason = why_not(Shortcut::slots_same_parts, machine); !reason.empty()) return reason;
  if (std::ranges::any_of(graph.collectives(), [&](const CollectiveRequest& request) {
        const std::size_t members = program.communicators[request.communicator].members.size();
        return members > 0 && static_cast<int>(members) < machine.topology.npus();
      }))
    return "the trace names a group that is smaller than the machine";
  return {};
}

SlotFolding every_message(const std::string& reason) {
  return {SlotFolding::Level::messages, fmt::format("every message was simulated: {}", reason)};
}

SlotFolding every_rank(const std::string& reason) {
  return {SlotFolding::Level::phases,
          fmt::format("phases of collectives were worked out in one go, for every rank: {}", reason)};
}

SlotFolding one_rank(std::size_t ranks) {
  return {SlotFolding::Level::one_rank,
          fmt::format("one rank was simulated, {} do the same; phases were worked out in one go", ranks)};
}

// Returns why one rank cannot send on behalf of all where messages may meet on links. The ranks do the same.
std::string why_not_on_behalf(const Machine& machine) {
  if (!model_of_messages(machine.network.model, machine.dialect)->make_folded ||
      machine.dialect.overloads_links)
    return "messages may meet on links";
  return why_not(Shortcut::slots_one_for_all, machine);
}

// Returns whom ranks send to in a program's collectives. Returns none where they are no exchanges, or cannot
// be planned: the run then says why.
std::optional<std::vector<PeerMessages>> peers_of(const Program& program, const Machine& machine) {
  const CollectiveSurvey survey = collective_policy_of(program, machine).survey(program, machine);
  if (!survey.complete) return std::nullopt;
  std::vector<PeerMessages> peers;
  for (const CollectiveSurvey::Use& use : survey.uses) {
    if (use.trees) return std::nullopt;
    peers.insert(peers.end(), use.peers.begin(), use.peers.end());
  }
  std::ranges::sort(peers);
  return peers;
}

SlotFolding fold_on_behalf(const Program& program, const Machine& machine) {
  if (const std::string reason = why_not_on_behalf(machine); !reason.empty()) return every_message(reason);
  if (const std::string reason = why_every_rank(program, machine); !reason.empty())
    return every_message(fmt::format("messages may meet on links, and {}", reason));
  std::optional<SymmetricRoutes> routes;
  if (const auto peers = peers_of(program, machine))
    routes = find_symmetric_routes(machine.topology, machine.dialect, *peers);
  if (!routes) return every_message("messages may meet on links, and not all NPUs are symmetric there");
  return {
      SlotFolding::Level::on_behalf,
      fmt::format("one rank was simulated on behalf of all {}, message by message", machine.topology.npus()),
      false, std::make_shared<const SymmetricRoutes>(std::move(*routes))};
}

SlotFolding in_step(std::size_t ranks) {
  return {SlotFolding::Level::in_step,
          fmt::format("one rank was simulated message by message, {} do the same", ranks)};
}

}  // namespace

SlotFolding less_folded(const SlotFolding& folding, const std::string& reason, std::size_t ranks) {
  using Level = SlotFolding::Level;
  if (folding.few_messages || folding.level == Level::phases || folding.level == Level::on_behalf)
    return every_message(reason);
  return folding.level == Level::in_step ? one_rank(ranks) : every_rank(reason);
}

SlotFolding fold_slots(const Program& program, const Machine& machine, bool wanted) {
  const auto ranks = static_cast<std::size_t>(machine.topology.npus());
  if (const std::string reason = why_every_message(program, machine, wanted); !reason.empty())
    return every_message(reason);
  if (model_of_messages(machine.network.model, machine.dialect)->carries_collectives)
    return fold_on_behalf(program, machine);
  SlotFolding folding;
  const bool few = messages_of(program, machine) < machine.few_messages;
  if (const std::string reason = why_every_rank(program, machine); !reason.empty())
    folding = every_rank(reason);
  else if (few || messages_of(program.parts[0].graph, machine) < machine.few_messages_of_rank)
    folding = in_step(ranks);
  else
    folding = one_rank(ranks);
  folding.few_messages = few;
  return folding;
}

}  // namespace orrery::core
