#include "collective/streams/stream_plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace orrery {

StreamPlanner::StreamPlanner(const StreamConfig& config, const Topology& topology)
    : config_(config),
      npus_(topology.npus()),
      all_dimensions_(logical_dimensions(topology)),
      dimensions_(topology.dimensions.size()) {
  const std::vector<LogicalDimension>& dimensions = all_dimensions_;
  for (int k = 0; k < collective_kinds; ++k) {
    if (!is_symmetric(static_cast<CollectiveKind>(k))) {
      check_rooted(static_cast<CollectiveKind>(k));
      continue;
    }
    const auto& choices = config.algorithms_of(static_cast<CollectiveKind>(k));
    if (choices.size() > dimensions.size()) {
      throw InputError(
          config.where_of(static_cast<CollectiveKind>(k)),
          fmt::format("{} names algorithms: {}, the network has dimensions: {}, name one for each",
                      name_of(static_cast<CollectiveKind>(k)), choices.size(), dimensions.size()));
    }
    for (std::size_t d = 0; d < choices.size(); ++d) {
      lists_[k].push_back(
          {choices[d], choices[d].whole_machine ? LogicalDimension{1, npus_, -1} : dimensions[d]});
      if (choices[d].whole_machine) break;
    }
  }
  queues_per_rank_ =
      static_cast<std::uint32_t>(dimensions_) * static_cast<std::uint32_t>(config.queues_per_dimension);
  counters_.resize(static_cast<std::size_t>(npus_) * dimensions_);
  odd_trees_.resize(static_cast<std::size_t>(npus_) * dimensions_ * collective_kinds);
}

std::vector<std::size_t> StreamPlanner::used_dimensions(const StreamRequest& request) const {
  const auto& list = lists_[static_cast<std::size_t>(request.kind)];
  const bool all = request.group != nullptr;  // a group as large as the machine
  std::vector<std::size_t> used;
  for (std::size_t d = 0; d < list.size(); ++d) {
    if (list[d].dimension.size > 1 && (all || (request.dimensions >> d & 1) != 0)) used.push_back(d);
  }
  return used;
}

std::vector<StreamPlanner::Step> StreamPlanner::steps_of(CollectiveKind kind,
                                                         const std::vector<std::size_t>& used) const {
  std::vector<Step> steps;
  if (kind == CollectiveKind::all_reduce &&
      config_.all_reduce_shape == AllReduceShape::local_bandwidth_aware) {
    for (std::size_t i = 0; i + 1 < used.size(); ++i)
      steps.push_back({CollectiveKind::reduce_scatter, used[i], Chooser::first});
    steps.push_back({CollectiveKind::all_reduce, used.back(), Chooser::first});
    for (std::size_t i = used.size() - 1; i-- > 0;)
      steps.push_back({CollectiveKind::all_gather, used[i], Chooser::last});
    return steps;
  }
  for (std::size_t d : used) steps.push_back({kind, d, Chooser::any});
  if (kind == CollectiveKind::all_gather) std::reverse(steps.begin(), steps.end());
  return steps;
}

int StreamPlanner::choose_queue(std::uint32_t rank, std::size_t dimension, Chooser chooser) {
  const int queues = config_.queues_per_dimension;
  Counters& counters = counters_[rank * dimensions_ + dimension];
  const int half = queues / 2;
  switch (chooser) {
    case Chooser::any:
      return std::exchange(counters.any, (counters.any + 1) % queues);
    case Chooser::first:
      return std::exchange(counters.first, (counters.first + 1) % std::max(half, 1));
    case Chooser::last: {
      const int width = queues - half;
      return half + std::exchange(counters.last, (counters.last + 1) % width);
    }
  }
  return 0;
}

AlgorithmChoice StreamPlanner::small_choice(CollectiveKind kind) const {
  const auto& list = config_.algorithms_of(kind);
  return list.size() == 1 ? list[0] : AlgorithmChoice{};
}

Time StreamPlanner::reduction_cost(Bytes bytes) const {
  if (config_.memory_gb_per_s <= 0) return {};
  const double ns = bytes.as_double() / (config_.memory_gb_per_s * 1e9) * 1e9;
  if (!Time::is_input_ns(ns * 3)) {
    throw CollectiveError(fmt::format(
        "reduces {} bytes at once, which takes more than 30 days at a local-mem-bw of {} GB/s: correct one",
        bytes.count(), config_.memory_gb_per_s));
  }
  return Time::from_ns_truncated(ns) * 3;
}

const StreamShape* StreamPlanner::shape_of(const Place& place, CollectiveKind kind, Bytes input, bool odd) {
  const std::uint32_t n = place.members.size();
  const ShapeKey key{place.choice.algorithm, kind,           input.count(), n,
                     place.choice.window,    place.backward, odd,           place.small};
  std::unique_ptr<StreamShape>& shape = shapes_[key];
  if (shape) return shape.get();
  auto made = std::make_unique<StreamShape>();
  made->schedule = place.choice.algorithm->make({kind, input, n, place.backward, place.choice.window, odd,
                                                 config_.where_of(place.requested),
                                                 is_symmetric(kind) ? Time() : reduction_cost(input)});
  made->input = input;
  made->kind = kind;
  if (std::holds_alternative<ProgramSchedule>(made->schedule)) return (shape = std::move(made)).get();
  if (auto* tree = std::get_if<TreeSchedule>(&made->schedule)) {
    made->reductions = {reduction_cost(tree->bytes)};
    shape = std::move(made);
    return shape.get();
  }
  auto& exchange = std::get<ExchangeSchedule>(made->schedule);
  if (place.small && place.choice.algorithm == &direct_algorithm)
    exchange.relayed = (n - 1) * exchange.in_flight;
  for (std::size_t i = 0; i < exchange.steps.size(); ++i) {
    const auto& step = exchange.steps[i];
    if (step.bytes == Bytes() && i < exchange.messages) {
      throw CollectiveError(fmt::format(
          "has a phase of {} bytes among {} ranks, whose messages would be empty: give it a larger "
          "comm_size, or lower preferred-dataset-splits",
          input.count(), n));
    }
    made->reductions.push_back(reduction_cost(step.bytes));
  }
  shape = std::move(made);
  return shape.get();
}

void StreamPlanner::check_data(double bytes) {
  constexpr double largest = 0x1p53;  // up to which binary64 is exact
  if (bytes > largest) throw CollectiveError("grows beyond 8 PiB on this machine, correct its comm_size");
}

StreamPhase StreamPlanner::phase_of(std::uint32_t rank, const Place& place, CollectiveKind kind,
                                    Bytes& bytes) {
  const std::uint32_t n = place.members.size();
  bool odd = false;
  if (place.choice.algorithm->alternates) {
    const std::size_t dimension = static_cast<std::size_t>(place.queue / config_.queues_per_dimension);
    std::uint8_t& flag =
        odd_trees_[(rank * dimensions_ + dimension) * collective_kinds + static_cast<std::size_t>(kind)];
    odd = flag != 0;
    flag ^= 1;
  }
  StreamPhase phase{shape_of(place, kind, bytes, odd), nullptr, place.members,
                    static_cast<std::uint32_t>(place.queue)};
  bytes = place.choice.algorithm->output(kind, bytes, n);
  check_data(bytes.as_double());
  return phase;
}

// Traces of a custom algorithm may run in groups of different sizes, so each of these looks at its peers.
void StreamPlanner::check_peers(std::uint32_t rank, const StreamPhase& phase) {
  for (const MemberProgram::Step& step : phase.custom->steps) {
    if (step.kind == MemberProgram::Kind::compute) continue;
    if (step.peer >= phase.members.size())
      throw CollectiveError(
          fmt::format("runs a custom algorithm that names position {} among {} ranks: correct "
                      "the peers of its messages",
                      step.peer, phase.members.size()));
    if (phase.members.rank_at(step.peer) == rank)
      throw CollectiveError(fmt::format(
          "runs a custom algorithm in which rank {} sends to or receives from itself: correct the "
          "peers of its messages",
          rank));
  }
}

// The collective is one stream in the first queue. A group's positions follow its sorted members, but its
// peers the listed ones (docs/models/streams.md, Custom algorithms).
std::vector<StreamPhase> StreamPlanner::custom_phases(std::uint32_t rank,
                                                      const StreamRequest& request) const {
  StreamPhase phase;
  std::size_t position = rank;
  if (is_small(request)) {
    const auto& members = request.group->members;
    position = static_cast<std::size_t>(std::count_if(
        members.begin(), members.end(), [&](int other) { return other < static_cast<int>(rank); }));
    phase.members.group = request.group;
  } else {
    phase.members.dimension = {1, npus_, -1};
  }
  if (position >= request.custom->size()) {
    throw CollectiveError(
        fmt::format("runs a custom algorithm of {} traces among {} ranks: add the one of position {}",
                    request.custom->size(), phase.members.size(), position));
  }
  phase.custom = &(*request.custom)[position];
  check_peers(rank, phase);
  return {phase};
}

// A ring over the listed members, or the machine's only algorithm.
StreamPlanner::Chunks StreamPlanner::plan_small(std::uint32_t rank, const StreamRequest& request, Bytes chunk,
                                                std::uint64_t count) {
  const CollectiveKind kind = request.kind;
  const AlgorithmChoice choice = small_choice(kind);
  if (choice.algorithm == &double_binary_tree_algorithm) {
    throw InputError(
        config_.where_of(kind),
        "double binary trees do not run in groups smaller than the machine, choose another algorithm");
  }
  const auto& members = request.group->members;
  const auto position = static_cast<std::uint32_t>(
      std::find(members.begin(), members.end(), static_cast<int>(rank)) - members.begin());
  const bool aware =
      kind == CollectiveKind::all_reduce && config_.all_reduce_shape == AllReduceShape::local_bandwidth_aware;
  const int queues = config_.queues_per_dimension;
  Chunks chunks(count);
  for (auto& phases : chunks) {
    const int queue = choose_queue(rank, 0, aware ? Chooser::first : Chooser::any);
    const bool backward = !aware && queues > 1 && queue >= queues / 2;
    Bytes bytes = chunk;
    if (members.size() > 1)
      phases.push_back(phase_of(rank, {kind, choice, {request.group, {}, 0, position}, queue, backward, true},
                                kind, bytes));
  }
  return chunks;
}

// `contributions`: the size is what each rank brings, not what is split among ranks.
StreamPlanner::Cut StreamPlanner::cut(Bytes size, bool contributions) const {
  const auto npus = static_cast<std::uint64_t>(npus_);
  const auto splits = static_cast<std::uint64_t>(config_.splits);
  Bytes chunk = size / splits, all = size;
  if (!contributions && chunk.count() < npus) {
    chunk = Bytes(npus);
    all = chunk * splits;
  }
  if (chunk == Bytes()) {
    throw CollectiveError(
        fmt::format("is an all-gather or gather of {} bytes, which cannot be cut into {} chunks: give it a "
                    "larger comm_size, or lower preferred-dataset-splits",
                    size.count(), splits));
  }
  return {chunk, (all.count() + chunk.count() - 1) / chunk.count()};
}

StreamPlanner::Chunks StreamPlanner::plan(std::uint32_t rank, const StreamRequest& request) {
  if (request.custom) return {custom_phases(rank, request)};
  if (!is_symmetric(request.kind)) return plan_rooted(rank, request);
  const auto [chunk, count] = cut(request.size, sizes_contributions(request.kind));
  if (is_small(request)) return plan_small(rank, request, chunk, count);
  const std::vector<std::size_t> used = used_dimensions(request);
  if (used.empty()) {
    throw CollectiveError(fmt::format(
        "is an {} in which no dimension takes part: correct its involved_dim, or list the algorithms of all "
        "dimensions in the system file",
        name_of(request.kind)));
  }
  const int queues = config_.queues_per_dimension;
  const auto& list = lists_[static_cast<std::size_t>(request.kind)];
  const std::vector<Step> steps = steps_of(request.kind, used);
  Chunks chunks(count);
  for (auto& phases : chunks) {
    Bytes bytes = chunk;
    phases.reserve(steps.size());
    for (const Step& step : steps) {
      const Listed& listed = list[step.dimension];
      const std::size_t queued = listed.choice.whole_machine ? 0 : step.dimension;
      const int queue = choose_queue(rank, queued, step.chooser);
      const bool backward = step.chooser == Chooser::last ||
                            (step.chooser == Chooser::any && queues > 1 && queue >= queues / 2);
      const auto position = static_cast<std::uint32_t>(listed.dimension.position(static_cast<int>(rank)));
      const auto base = static_cast<std::uint32_t>(listed.dimension.base(static_cast<int>(rank)));
      phases.push_back(phase_of(rank,
                                {request.kind,
                                 listed.choice,
                                 {nullptr, listed.dimension, base, position},
                                 static_cast<int>(queued) * queues + queue,
                                 backward,
                                 false},
                                step.kind, bytes));
    }
  }
  return chunks;
}

}  // namespace orrery
