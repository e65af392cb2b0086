#include "report/critical_path/exchange_costs.hpp"

#include <algorithm>
#include <variant>

#include <fmt/format.h>

#include "collective/library/library_time.hpp"
#include "network/graph/graph_ways.hpp"

namespace orrery {

namespace {

int lowest_rank(const ProgramPart& part) {
  return npu_of(part.lowest_rank());
}

// Returns the index among all_dimensions() of a communicator's first one.
int first_dimension(const Program& program, std::uint32_t communicator) {
  std::size_t first = 0;
  for (std::uint32_t c = 0; c < communicator; ++c) first += program.communicators[c].dimensions.size();
  return static_cast<int>(first);
}

// Returns the dimension of the topology in which members differ; -1 where they differ in several.
int dimension_of(const StreamMembers& members, const Topology& topology) {
  if (!members.group) return members.dimension.physical;
  const std::vector<LogicalDimension> dimensions = logical_dimensions(topology);
  int found = -1;
  for (std::size_t d = 0; d < dimensions.size(); ++d) {
    const auto position = [&](RankId rank) { return dimensions[d].position(npu_of(rank)); };
    const std::vector<RankId>& ranks = members.group->members;
    if (std::ranges::all_of(ranks, [&](RankId rank) { return position(rank) == position(ranks[0]); }))
      continue;
    if (found >= 0) return -1;
    found = static_cast<int>(d);
  }
  return found;
}

std::string_view algorithm_of(const StreamPhase& phase) {
  return phase.custom ? phase.custom->name : phase.shape->algorithm->name;
}

// Adds what a member of a tree sends, on average.
void add_tree(ExchangeCost& cost, const TreeSchedule& tree) {
  const double mean = 2.0 * (tree.members - 1) / tree.members;
  cost.steps += mean;
  cost.sent_bytes += mean * tree.bytes.as_double();
}

}  // namespace

ExchangeCosts::ExchangeCosts(const Program& program, const Machine& machine)
    : program_(program),
      machine_(machine),
      network_(machine.topology, machine.dialect, machine.network.slow_links) {
  if (program.issues_in_slots())
    streams_.emplace(machine.system, RequestNames{program.communicators, machine.algorithms},
                     machine.topology);
  else if (!machine.topology.graph)
    loads_.emplace(
        TrafficMachine{machine.topology, machine.dialect, machine.network, machine.system.rendezvous});
}

ExchangeCosts::~ExchangeCosts() = default;

Planner& ExchangeCosts::planner(std::uint32_t communicator) {
  return planners_
      .try_emplace(communicator, machine_.system, machine_.dialect, machine_.topology,
                   program_.communicators[communicator].dimensions, network_)
      .first->second;
}

const ExchangeCost& ExchangeCosts::of(std::uint32_t part, const CollectiveRequest& request, int dimension) {
  const Key key{part,     request.kind, request.size, request.dimensions.to_ulong(), request.communicator,
                dimension};
  const auto [found, is_new] = known_.try_emplace(key);
  if (is_new && machine_.library) found->second = of_library(request);
  if (is_new && !machine_.has_whole_collectives())
    found->second = streams_ ? planned_by_rank(part, request) : planned(part, request, dimension);
  return found->second;
}

ExchangeCost ExchangeCosts::of_library(const CollectiveRequest& request) const {
  const CollectiveLibrary& library = *machine_.library;
  const GroupPlacement group = placement_of(program_.communicators[request.communicator],
                                            library.links().gpus_per_node, request.dimensions);
  ExchangeCost cost;
  cost.chunks = 1;
  cost.sent_bytes = request.size.as_double();
  const double bytes = request.size.as_double() * (sizes_contributions(request.kind) ? group.members : 1);
  const CollectiveTerms terms = library.terms(request.kind, bytes, group);
  if (!terms.cost.algorithm) return cost;
  cost.algorithm = fmt::format("{} {}", word_of(library_algorithm_words, *terms.cost.algorithm),
                               word_of(protocol_words, *terms.cost.protocol));
  cost.steps = terms.hops;
  const auto reached = [&](double seconds) { return Seconds(seconds / request.efficiency); };
  cost.links = reached(terms.byte_seconds);
  cost.latency = reached(terms.launch_seconds + terms.hop_seconds + terms.step_seconds);
  const std::string inside = library.links().inside.text(), between = library.links().between.text();
  cost.link = terms.between ? fmt::format("{} between nodes", between) : fmt::format("{} in a node", inside);
  return cost;
}

ExchangeCost ExchangeCosts::planned(std::uint32_t part, const CollectiveRequest& request, int dimension) {
  const int first = first_dimension(program_, request.communicator);
  const int npu = lowest_rank(program_.parts[part]);
  ExchangeCost cost;
  cost.phases = 0;
  for (const ChunkPlan& chunk : planner(request.communicator).plan(request).chunks) {
    const double before = cost.phases;
    for (const PhasePlan& phase : chunk.phases)
      if (dimension < 0 || first + phase.dimension == dimension) add_phase(cost, request.kind, phase, npu);
    if (cost.phases > before) ++cost.chunks;
  }
  if (cost.chunks > 0) cost.steps /= static_cast<double>(cost.chunks);
  if (cost.latency) cost.latency = *cost.latency / cost.phases;
  return cost;
}

// The algorithm is one of those for the whole collective, of which the phase may be a part.
void ExchangeCosts::add_phase(ExchangeCost& cost, CollectiveKind kind, const PhasePlan& phase, int npu) {
  ++cost.phases;
  const auto& choices = machine_.system.algorithms_of(kind);
  if (!choices.empty())
    cost.algorithm = choices[std::min<std::size_t>(phase.dimension, choices.size() - 1)].algorithm->name;
  const PhaseShape& shape = *phase.shape;
  if (loads_) cost.links = cost.links.value_or(Seconds()) + Seconds::of(loads_->busiest(shape, npu));
  if (const auto* exchange = std::get_if<ExchangeSchedule>(&shape.schedule)) {
    const auto size = static_cast<std::uint32_t>(shape.group.size);
    const auto position = static_cast<std::uint32_t>(shape.group.position(npu));
    add_messages(cost, *exchange, npu, [&](const ExchangeSchedule::Step& step) {
      const std::uint32_t to = ExchangeSchedule::receiver(exchange->peer, position, step.amount, size);
      return shape.group.base(npu) + static_cast<int>(to) * shape.group.stride;
    });
  } else if (const auto* tree = std::get_if<TreeSchedule>(&shape.schedule)) {
    add_tree(cost, *tree);
  }
}

ExchangeCost ExchangeCosts::planned_by_rank(std::uint32_t part, const CollectiveRequest& request) {
  const RankId rank = program_.parts[part].lowest_rank();
  ExchangeCost cost;
  cost.phases = 0;
  std::optional<int> physical;
  std::vector<std::string_view> algorithms;
  for (const std::vector<StreamPhase>& chunk : streams_->plan(rank, request)) {
    if (chunk.empty()) continue;
    ++cost.chunks;
    for (const StreamPhase& phase : chunk) {
      add_phase(cost, phase, rank);
      if (const std::string_view name = algorithm_of(phase);
          std::ranges::find(algorithms, name) == algorithms.end())
        algorithms.push_back(name);
      const int of_phase = dimension_of(phase.members, machine_.topology);
      physical = physical.value_or(of_phase) == of_phase ? of_phase : -1;
    }
  }
  cost.algorithm = fmt::format("{}", fmt::join(algorithms, " and "));
  if (physical.value_or(-1) >= 0) cost.dimension = static_cast<std::size_t>(*physical);
  if (cost.chunks > 0) cost.steps /= static_cast<double>(cost.chunks);
  if (cost.latency) cost.latency = *cost.latency / cost.phases;
  return cost;
}

void ExchangeCosts::add_phase(ExchangeCost& cost, const StreamPhase& phase, RankId rank) {
  ++cost.phases;
  const StreamMembers& members = phase.members;
  if (phase.custom) {
    for (const MemberProgram::Step& step : phase.custom->steps) {
      if (step.kind != MemberProgram::Kind::send) continue;
      cost.steps += 1;
      cost.sent_bytes += step.bytes.as_double();
    }
  } else if (const auto* exchange = std::get_if<ExchangeSchedule>(&phase.shape->schedule)) {
    add_messages(cost, *exchange, npu_of(rank), [&](const ExchangeSchedule::Step& step) {
      return npu_of(members.rank_at(
          ExchangeSchedule::receiver(exchange->peer, members.position, step.amount, members.size())));
    });
  } else {
    add_tree(cost, std::get<TreeSchedule>(phase.shape->schedule));
  }
}

void ExchangeCosts::add_messages(ExchangeCost& cost, const ExchangeSchedule& exchange, int npu,
                                 const Peer& to) {
  const Time endpoint_delay = machine_.system.endpoint_delay;
  const std::size_t kinds = std::min<std::size_t>(exchange.steps.size(), exchange.messages);
  Seconds latency, bytes;
  double sent = 0;
  bool known = true;
  for (std::size_t k = 0; k < kinds; ++k) {
    const ExchangeSchedule::Step& step = exchange.steps[k];
    sent += step.bytes.as_double();
    const auto message = cost_of_message(npu, to(step), step.bytes);
    known = known && message.has_value();
    if (!message) continue;
    latency += message->latency + Seconds::of(endpoint_delay);
    bytes += message->bytes;
  }
  const double rounds =
      static_cast<double>(exchange.messages) / static_cast<double>(std::max<std::size_t>(kinds, 1));
  cost.steps += static_cast<double>(exchange.messages);
  cost.sent_bytes += sent * rounds;
  if (!known) return;
  cost.latency = cost.latency.value_or(Seconds()) + latency * (rounds / exchange.in_flight);
  if (!loads_) cost.links = cost.links.value_or(Seconds()) + bytes * rounds;
}

// Ways of larger graphs are not looked for once more.
bool ExchangeCosts::knows_ways() const {
  return machine_.topology.graph && machine_.topology.npus() <= most_npus_with_ways;
}

std::optional<ExchangeCosts::MessageCost> ExchangeCosts::cost_of_message(int source, int destination,
                                                                         Bytes bytes) {
  if (!machine_.topology.graph) {
    // Such messages take what ContentionFreeTransport says, which is not asked here.
    if (machine_.dialect.one_link_per_message) return std::nullopt;
    const Clock& clock = network_.clock();
    const Seconds latency = Seconds::of(clock.time(network_.duration(source, destination, Bytes())));
    return MessageCost{latency,
                       Seconds::of(clock.time(network_.duration(source, destination, bytes))) - latency};
  }
  if (!knows_ways()) return std::nullopt;
  if (!ways_) ways_ = std::make_unique<GraphWays>(machine_.topology);
  const auto way = ways_->find(source, destination, {});
  if (!way) return std::nullopt;
  const Seconds latency = Seconds::of(ways_->alone(*way, Bytes()));
  return MessageCost{latency, Seconds::of(ways_->alone(*way, bytes)) - latency};
}

ExchangeCost ExchangeCosts::of_message(RankId source, RankId destination, Bytes bytes) {
  ExchangeCost cost;
  cost.chunks = 1;
  cost.steps = 1;
  cost.sent_bytes = bytes.as_double();
  const int from = npu_of(source), to = npu_of(destination);
  if (machine_.library) {
    const CollectiveLibrary& library = *machine_.library;
    const int gpus = library.links().gpus_per_node;
    const bool same_node = from / gpus == to / gpus;
    cost.latency = Seconds(library.send_seconds(0, same_node));
    cost.links = Seconds(library.send_seconds(bytes.as_double(), same_node)) - *cost.latency;
    cost.link = same_node ? fmt::format("{} in a node", library.links().inside.text())
                          : fmt::format("{} between nodes", library.links().between.text());
  } else if (const auto message = cost_of_message(from, to, bytes)) {
    cost.latency = message->latency;
    cost.links = message->bytes;
  }
  return cost;
}

}  // namespace orrery
