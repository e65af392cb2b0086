#include "collective/plan/planner.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "collective/algorithms/rooted_programs.hpp"

namespace orrery::core {

namespace {
constexpr int urgent_priority = 100'000'000;
}  // namespace

Planner::Planner(const SystemConfig& system, const Dialect& dialect, const Topology& topology,
                 const std::vector<LogicalDimension>& dimensions, const ContentionFreeNetwork& network)
    : system_(system), dialect_(dialect), topology_(topology), network_(network), dimensions_(dimensions) {
  for (int k = 0; k < collective_kinds; ++k)
    check_list(static_cast<CollectiveKind>(k), topology.dimensions.size());
  next_queue_.assign(dimensions.size(), 0);
  const DimensionOrder order = system.dimension_order;
  if (order != DimensionOrder::themis && order != DimensionOrder::themis_flex) return;
  std::vector<int> sizes;
  std::vector<double> bandwidths;
  for (const LogicalDimension& dimension : dimensions) {
    const Dimension& physical = topology.dimensions[dimension.physical];
    sizes.push_back(dimension.size);
    bandwidths.push_back(physical.usable_links() * physical.link_bandwidth.gib_per_s());
  }
  themis_.emplace(sizes, bandwidths, system.themis_gap_denominator, order == DimensionOrder::themis_flex,
                  dialect);
}

void Planner::check_list(CollectiveKind kind, std::size_t topology_dimensions) const {
  if (!is_symmetric(kind)) return;  // experiment files alone ask for it, and check what they name
  const auto& choices = system_.algorithms_of(kind);
  const std::string words = std::string(name_of(kind)) + " names " + std::to_string(choices.size()) +
                            (choices.size() == 1 ? " algorithm" : " algorithms") + " but the network has " +
                            std::to_string(topology_dimensions) +
                            (topology_dimensions == 1 ? " dimension" : " dimensions");
  if (choices.size() > topology_dimensions)
    throw InputError(system_.where_of(kind), words + ", name one per dimension");
  if (system_.dimension_order != DimensionOrder::themis &&
      system_.dimension_order != DimensionOrder::themis_flex) {
    return;
  }
  if (choices.size() < topology_dimensions) {
    throw InputError(system_.where_of(kind),
                     words + ", Themis orders all dimensions: name one per dimension");
  }
  if (std::any_of(choices.begin(), choices.end(), [](const AlgorithmChoice& c) { return c.whole_machine; })) {
    throw InputError(system_.where_of(kind),
                     std::string(name_of(kind)) +
                         " uses an algorithm over the whole machine, which Themis cannot order, choose "
                         "another inter-dimension scheduling or per-dimension algorithms");
  }
}

Planner::ListedDimension Planner::joined(const AlgorithmChoice& choice, std::size_t d,
                                         const DimensionSet& used) const {
  ListedDimension all{choice, LogicalDimension{0, 1, -1}, d, {}};
  LogicalDimension& group = all.group;
  std::size_t innermost = d;
  for (std::size_t other = choice.whole_machine ? 0 : d; other < dimensions_.size(); ++other) {
    const LogicalDimension& dimension = dimensions_[other];
    if (dimension.size == 1 || !used[other]) continue;
    if (all.joins.none()) {
      group.stride = dimension.stride;
      innermost = other;
    }
    all.joins.set(other);
    all.uneven = all.uneven || dimension.stride != group.stride * group.size;
    group.size *= dimension.size;
  }
  group.stride = std::max(group.stride, 1);
  if (!dialect_.groups_limit_spans) return all;
  if (choice.whole_machine) all.dimension = innermost;
  if (all.joins.count() == 1) group.physical = dimensions_[innermost].physical;
  return all;
}

Planner::AlgorithmList& Planner::list_of(const CollectiveRequest& request) {
  const auto& choices = system_.algorithms_of(request.kind);
  const bool whole = !choices.empty() && choices.back().whole_machine && dialect_.groups_limit_spans;
  const DimensionSet used = whole ? request.dimensions : DimensionSet().set();
  const auto [found, is_new] = lists_.try_emplace({request.kind, used.to_ulong()});
  if (is_new) found->second = make_list(request.kind, used);
  return found->second;
}

Planner::AlgorithmList Planner::make_list(CollectiveKind kind, const DimensionSet& used) const {
  const auto& choices = system_.algorithms_of(kind);
  const bool spans = !choices.empty() && (choices.back().whole_machine || choices.back().joins_rest);
  AlgorithmList list;
  for (std::size_t d = 0; d < dimensions_.size(); ++d) {
    // Both halves of a split dimension run its algorithm.
    auto index = static_cast<std::size_t>(dimensions_[d].physical);
    if (spans) index = std::min(index, choices.size() - 1);
    if (index >= choices.size()) break;
    const AlgorithmChoice& choice = choices[index];
    if (choice.whole_machine || choice.joins_rest) {
      list.push_back(joined(choice, d, used));
      break;
    }
    list.push_back({choice, dimensions_[d], d, DimensionSet().set(d)});
  }
  return list;
}

void Planner::reset_loads() {
  if (themis_) themis_->reset();
}

CollectivePlan Planner::plan(const CollectiveRequest& request) {
  CollectivePlan plan{request, urgent_priority, {}};
  if (!request.urgent) {
    plan.priority = next_priority_;
    next_priority_ += system_.issue_order == IssueOrder::lifo ? 1 : -1;
  }
  const bool barrier = request.kind == CollectiveKind::barrier;
  for (Bytes rest = barrier ? barrier_token : request.size; rest > Bytes(0);) {
    ChunkPlan chunk =
        plan_chunk(request, rest, barrier ? rest : chunk_size(request.size, rest, plan.chunks.size()));
    if (chunk.phases.empty()) break;
    rest -= chunk.bytes;
    plan.chunks.push_back(std::move(chunk));
  }
  return plan;
}

// Returns the size of the next chunk, after `planned` others. A collective smaller than the number of chunks
// is cut into single bytes.
Bytes Planner::chunk_size(Bytes size, Bytes rest, std::size_t planned) const {
  const auto chunks = static_cast<std::uint64_t>(system_.chunks);
  if (!dialect_.even_chunks) return std::max(size / chunks, Bytes(1));
  const std::uint64_t left = chunks - planned;
  return Bytes(rest.count() / left + (rest.count() % left > 0 ? 1 : 0));
}

bool Planner::is_idle(const ListedDimension& listed, const DimensionSet& used) {
  return listed.group.size == 1 || !used[listed.dimension];
}

std::vector<int> Planner::dimension_order(const CollectiveRequest& request, const AlgorithmList& list) {
  const CollectiveKind kind = request.kind;
  std::vector<int> order(list.size());
  std::iota(order.begin(), order.end(), 0);
  if (!dialect_.idle_dimensions_count)
    std::erase_if(order, [&](int d) { return is_idle(list[d], request.dimensions); });
  if (kind == CollectiveKind::all_gather || is_outermost_first(kind))
    std::reverse(order.begin(), order.end());
  if (is_symmetric(kind) && system_.dimension_order == DimensionOrder::round_robin && !order.empty()) {
    std::rotate(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(rotation_ % order.size()),
                order.end());
    ++rotation_;
    if (dialect_.idle_dimensions_count) rotation_ %= order.size();
  }
  return order;
}

// A rank takes part where it stands with the root in the dimensions that come later (outward) or that came
// before (inward).
std::vector<Planner::Step> Planner::rooted_steps(const CollectiveRequest& request, const AlgorithmList& list,
                                                 const std::vector<int>& order) const {
  if (dialect_.phase_barrier == PhaseBarrier::machine)
    throw InputError(system_.where_of(request.kind),
                     fmt::format("ASTRA-sim 1.0 has no {}: leave `dialect` out", name_of(request.kind)));
  std::vector<std::uint32_t> along;  // the root's position, by dimension of the communicator
  std::uint64_t members = 1;
  const std::uint32_t root = request.kind == CollectiveKind::barrier ? 0 : request.root;
  for (std::uint32_t rest = root; const LogicalDimension& dimension : dimensions_) {
    const auto size = static_cast<std::uint32_t>(dimension.size);
    along.push_back(rest % size);
    rest /= size;
    members *= size;
  }
  const auto root_in = [&](const ListedDimension& listed) {
    std::uint32_t position = 0, stride = 1;
    for (std::size_t d = 0; d < dimensions_.size(); ++d) {
      if (!listed.joins[d]) continue;
      position += along[d] * stride;
      stride *= static_cast<std::uint32_t>(dimensions_[d].size);
    }
    return position;
  };
  if (root >= members)
    throw InputError(system_.where_of(request.kind),
                     fmt::format("the root of a {} is rank {}, but there are {}: name one from 0 to {}",
                                 name_of(request.kind), root, members, members - 1));
  std::vector<Step> steps;
  for (const int d : order) steps.push_back({request.kind, d, root_in(list[d]), {}});
  if (request.kind == CollectiveKind::barrier) return steps;
  for (std::size_t i = 0; i < steps.size(); ++i)
    for (std::size_t j = 0; j < steps.size(); ++j)
      if (goes_outward(request.kind) ? j > i : j < i)
        steps[i].pins.push_back({list[steps[j].listed].group, static_cast<int>(steps[j].root)});
  return steps;
}

std::vector<Planner::Step> Planner::steps_of(const CollectiveRequest& request, const AlgorithmList& list,
                                             const std::vector<int>& order) const {
  const CollectiveKind kind = request.kind;
  if (!is_symmetric(kind)) return rooted_steps(request, list, order);
  std::vector<Step> steps;
  if (kind != CollectiveKind::all_reduce || system_.all_reduce_shape == AllReduceShape::baseline) {
    for (int d : order) steps.push_back({kind, d});
    return steps;
  }
  // Themis keeps reduce-scatter and all-gather apart in the last dimension too.
  const std::size_t scattered = themis_ ? order.size() : order.size() - 1;
  for (std::size_t i = 0; i < scattered; ++i) steps.push_back({CollectiveKind::reduce_scatter, order[i]});
  if (!themis_) steps.push_back({CollectiveKind::all_reduce, order.back()});
  for (std::size_t i = scattered; i-- > 0;) steps.push_back({CollectiveKind::all_gather, order[i]});
  return steps;
}

// An algorithm that joins dimensions needs groups whose NPUs stand evenly apart, and runs in all of these
// dimensions or in none.
void Planner::require_whole_spans(const CollectiveRequest& request, const AlgorithmList& list) const {
  if (list.empty()) return;
  const ListedDimension& last = list.back();
  const auto refuse = [&](std::string_view why) {
    throw InputError(system_.where_of(request.kind),
                     fmt::format("an algorithm of {} spans several dimensions, {}: name an algorithm per "
                                 "dimension",
                                 name_of(request.kind), why));
  };
  if (last.uneven)
    refuse("but the NPUs of a group do not stand evenly apart there, as those of others lie between them");
  for (std::size_t d = list.size(); last.choice.joins_rest && d < dimensions_.size(); ++d)
    if (request.dimensions[d] != request.dimensions[list.size() - 1])
      refuse("of which a collective uses only some");
}

ChunkPlan Planner::plan_chunk(const CollectiveRequest& request, Bytes rest, Bytes preferred) {
  AlgorithmList& list = list_of(request);
  ChunkPlan chunk{std::min(rest, preferred), {}};
  std::vector<int> order;
  if (uses_themis(request.kind)) {
    Themis::Choice choice = themis_->next_chunk(request.kind, request.dimensions, rest, preferred);
    chunk.bytes = choice.bytes;
    order = std::move(choice.order);
  } else {
    order = dimension_order(request, list);
  }
  std::erase_if(order, [&](int d) { return is_idle(list[d], request.dimensions); });
  if (order.empty()) return chunk;
  require_whole_spans(request, list);

  Bytes bytes = chunk.bytes;
  for (const Step& step : steps_of(request, list, order)) {
    ListedDimension& listed = list[step.listed];
    const int queues = system_.queues_per_dimension;
    int& queue = next_queue_[listed.dimension];
    PhaseRequest phase{step.kind,
                       bytes,
                       static_cast<std::uint32_t>(listed.group.size),
                       queues > 1 && queue >= queues / 2,
                       listed.choice.window,
                       false,
                       system_.where_of(request.kind),
                       is_symmetric(step.kind) ? Time() : reduction_cost(bytes),
                       listed.choice.written,
                       listed.choice.otherwise,
                       trees_of(listed, system_.where_of(request.kind)),
                       step.root,
                       listed.choice.switch_bytes_per_s};
    if (listed.choice.algorithm->alternates) phase.odd = listed.phases_planned++ % 2 == 1;
    chunk.phases.push_back({step.kind, static_cast<std::uint16_t>(listed.dimension),
                            static_cast<std::uint16_t>(queue), bytes, shape_of(listed, step, phase)});
    queue = (queue + 1) % queues;
    bytes = listed.choice.algorithm->output(step.kind, bytes, phase.members);
    if (bytes > Bytes::largest_input()) {
      throw InputError(system_.where,
                       std::string(name_of(request.kind)) + " of " + std::to_string(request.size.count()) +
                           " bytes grows beyond 8 PiB on this machine, check the workload's sizes");
    }
  }
  return chunk;
}

const PhaseShape* Planner::shape_of(ListedDimension& listed, const Step& step, const PhaseRequest& request) {
  std::vector<int> pinned;
  for (const PhaseShape::Pin& pin : step.pins)
    pinned.insert(pinned.end(), {pin.dimension.stride, pin.dimension.size, pin.position});
  const ShapeKey key{listed.choice.algorithm,
                     request.written,
                     request.kind,
                     request.input.count(),
                     listed.group.stride,
                     listed.group.size,
                     request.backward,
                     request.window,
                     request.odd,
                     step.root,
                     request.switch_bytes_per_s,
                     std::move(pinned)};
  std::unique_ptr<PhaseShape>& shape = shapes_[key];
  if (!shape) {
    shape = make_shape(listed, request);
    shape->root = step.root;
    shape->pins = step.pins;
  }
  return shape.get();
}

// Returns null where the algorithm needs none.
const ReductionTrees* Planner::trees_of(const ListedDimension& listed, const SourceLocation& where) {
  if (!listed.choice.algorithm->in_network) return nullptr;
  std::unique_ptr<const ReductionTrees>& trees = trees_[listed.group];
  if (trees) return trees.get();
  auto found = find_reduction_trees(topology_, listed.group);
  if (const auto* why = std::get_if<std::string>(&found))
    throw InputError(where, fmt::format("{} has switches add up, but {}; choose another algorithm there",
                                        listed.choice.algorithm->name, *why));
  trees = std::make_unique<const ReductionTrees>(std::move(std::get<ReductionTrees>(found)));
  return trees.get();
}

Time Planner::reduction_cost(Bytes bytes) const {
  if (dialect_.reduction_bytes_per_ns == 0) return Time();
  return dialect_.round_delay(bytes.as_double() / dialect_.reduction_bytes_per_ns) * 3;
}

std::unique_ptr<PhaseShape> Planner::make_shape(const ListedDimension& listed,
                                                const PhaseRequest& request) const {
  auto shape = std::make_unique<PhaseShape>();
  shape->group = listed.group;
  shape->schedule = listed.choice.algorithm->make(request);
  shape->trees = request.trees;
  auto duration = [&](std::uint32_t amount, Bytes bytes) {
    return network_.duration(0, static_cast<int>(amount) * listed.group.stride, bytes);
  };
  if (const auto* tree = std::get_if<TreeSchedule>(&shape->schedule)) {
    shape->reductions = {reduction_cost(tree->bytes)};
    return shape;
  }
  if (std::holds_alternative<ProgramSchedule>(shape->schedule)) return shape;
  const auto& exchange = std::get<ExchangeSchedule>(shape->schedule);
  if (network_.is_uniform(listed.group) && !network_.has_slow_links(listed.group)) {
    for (const auto& step : exchange.steps) {
      shape->durations.push_back(step.amount < request.members ? duration(step.amount, step.bytes) : Stamp());
    }
  }
  if (dialect_.reduction_bytes_per_ns == 0 && !system_.shared_bus) return shape;
  if (request.kind != CollectiveKind::reduce_scatter && request.kind != CollectiveKind::all_reduce)
    return shape;
  for (const auto& step : exchange.steps) shape->reductions.push_back(reduction_cost(step.bytes));
  return shape;
}

}  // namespace orrery::core
