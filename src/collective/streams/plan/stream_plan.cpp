#include "collective/streams/plan/stream_plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "base/units/rank_id.hpp"
#include "collective/algorithms/rooted_programs.hpp"
#include "collective/collective_backend.hpp"
#include "collective/streams/plan/stream_phase.hpp"

namespace orrery::core {

namespace {

// Traces of a custom algorithm may run in groups of different sizes, so the peers are checked for each group.
void check_peers(RankId rank, const StreamPhase& phase) {
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
          rank.value()));
  }
}

// Returns the only phase of the only stream of a collective that runs an algorithm of the user's
// (docs/models/streams.md, Custom algorithms), which is in the first queue. Throws CollectiveError when the
// algorithm does not fit the ranks. `group` lists the members, where they are fewer than the machine's
// `npus`; null: they are all of them. Positions in a group follow its sorted members, but its peers follow
// the listed ones.
StreamPhase custom_phase(RankId rank, const CustomAlgorithm& algorithm, const Communicator* group, int npus) {
  StreamPhase phase;
  std::size_t position = rank.index();
  if (group) {
    position = static_cast<std::size_t>(
        std::ranges::count_if(group->members, [&](RankId other) { return other < rank; }));
    phase.members.group = group;
  } else {
    phase.members.dimension = {1, npus, -1};
  }
  if (position >= algorithm.size()) {
    throw CollectiveError(
        fmt::format("runs a custom algorithm of {} traces among {} ranks: add the one of position {}",
                    algorithm.size(), phase.members.size(), position));
  }
  phase.custom = &algorithm[position];
  check_peers(rank, phase);
  return phase;
}

void check_data(Bytes bytes) {
  constexpr double largest = 0x1p53;  // up to which binary64 is exact
  if (bytes.as_double() > largest)
    throw CollectiveError("grows beyond 8 PiB on this machine, correct its comm_size");
}
}  // namespace

StreamPlanner::StreamPlanner(const SystemConfig& config, const RequestNames& names, const Topology& topology)
    : config_(config),
      names_(names),
      npus_(topology.npus()),
      dimensions_(logical_dimensions(topology)),
      counters_(npus_, dimensions_.size(), config.queues_per_dimension),
      shapes_(config) {
  for (int k = 0; k < collective_kinds; ++k) {
    const auto kind = static_cast<CollectiveKind>(k);
    if (!is_symmetric(kind)) {
      check_rooted(config, kind, dimensions_.size());
      continue;
    }
    const auto& choices = config.algorithms_of(kind);
    if (choices.size() > dimensions_.size()) {
      throw InputError(
          config.where_of(kind),
          fmt::format("{} names algorithms: {}, the network has dimensions: {}, name one for each",
                      name_of(kind), choices.size(), dimensions_.size()));
    }
    for (std::size_t d = 0; d < choices.size(); ++d) {
      lists_[k].push_back(
          {choices[d], choices[d].whole_machine ? LogicalDimension{1, npus_, -1} : dimensions_[d]});
      if (choices[d].whole_machine) break;
    }
  }
}

std::vector<std::size_t> StreamPlanner::used_dimensions(const CollectiveRequest& request) const {
  const auto& list = lists_[static_cast<std::size_t>(request.kind)];
  // Then there are as many members as the machine has NPUs.
  const bool all = names_.communicator_of(request).lists_members();
  std::vector<std::size_t> used;
  for (std::size_t d = 0; d < list.size(); ++d) {
    if (list[d].dimension.size > 1 && (all || request.dimensions[d])) used.push_back(d);
  }
  return used;
}

bool StreamPlanner::is_alone(const CollectiveRequest& request) const {
  const auto& list = lists_[static_cast<std::size_t>(request.kind)];
  const bool all = names_.communicator_of(request).lists_members();
  for (std::size_t d = 0; d < list.size(); ++d)
    if (list[d].dimension.size == 1 && (all || request.dimensions[d])) return true;
  return false;
}

// There are none where no dimension is used.
const std::vector<StreamPlanner::Step>& StreamPlanner::steps_of(const CollectiveRequest& request) {
  KnownSteps& last = steps_[static_cast<std::size_t>(request.kind)];
  const bool all = names_.communicator_of(request).lists_members();
  if (last.known && last.all == all && (all || last.dimensions == request.dimensions)) return last.steps;
  last = {all, request.dimensions, {}, true};
  const std::vector<std::size_t> used = used_dimensions(request);
  if (!used.empty()) last.steps = steps_in(request.kind, used);
  return last.steps;
}

std::vector<StreamPlanner::Step> StreamPlanner::steps_in(CollectiveKind kind,
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

StreamPhase StreamPlanner::phase_of(RankId rank, const Place& place, CollectiveKind kind, Bytes& bytes) {
  const std::uint32_t n = place.members.size();
  const bool odd =
      place.choice.algorithm->alternates && counters_.next_tree_is_odd(rank, place.dimension, kind);
  const StreamShape& shape =
      shapes_.shape_of({place.requested, kind, place.choice, bytes, n, place.backward, place.small, odd});
  bytes = place.choice.algorithm->output(kind, bytes, n);
  check_data(bytes);
  return {&shape, nullptr, place.members, queue_of(place.dimension, place.queue)};
}

// Uses a ring over the listed members, or the machine's only algorithm. An algorithm that nobody asked for
// has to fit the members.
StreamPlanner::Chunks StreamPlanner::plan_small(RankId rank, const CollectiveRequest& request, Bytes chunk,
                                                std::uint64_t count) {
  const CollectiveKind kind = request.kind;
  const std::vector<AlgorithmChoice>& list = config_.algorithms_of(kind);
  const Communicator& group = names_.communicator_of(request);
  AlgorithmChoice choice = list.size() == 1 ? list[0] : AlgorithmChoice{};
  const bool is_written = !config_.algorithms_where[static_cast<std::size_t>(kind)].file.empty();
  const bool fits =
      choice.algorithm != &halving_doubling_algorithm || std::has_single_bit(group.members.size());
  if (!is_written && !fits) choice = {};
  if (choice.algorithm == &double_binary_tree_algorithm) {
    throw InputError(
        config_.where_of(kind),
        "double binary trees do not run in groups smaller than the machine, choose another algorithm");
  }
  const auto members = StreamMembers::of_group(group, rank);
  const bool aware =
      kind == CollectiveKind::all_reduce && config_.all_reduce_shape == AllReduceShape::local_bandwidth_aware;
  Chunks chunks(count);
  for (auto& phases : chunks) {
    const int queue = counters_.next_queue(rank, 0, aware ? Chooser::first : Chooser::any);
    const bool backward = !aware && counters_.goes_backward(queue);
    Bytes bytes = chunk;
    if (members.size() > 1)
      phases.push_back(phase_of(rank, {kind, choice, members, 0, queue, backward, true}, kind, bytes));
  }
  return chunks;
}

// With `contributions`, the size is what each rank contributes, not what is split among ranks.
StreamPlanner::Cut StreamPlanner::cut(Bytes size, bool contributions) const {
  const auto npus = static_cast<std::uint64_t>(npus_);
  const auto splits = static_cast<std::uint64_t>(config_.chunks);
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

std::optional<StreamPlanner::Chunks> StreamPlanner::plan_if_possible(RankId rank,
                                                                     const CollectiveRequest& request) {
  try {
    return plan(rank, request);
  } catch (const InputError&) {
    return std::nullopt;
  } catch (const CollectiveError&) {
    return std::nullopt;
  }
}

StreamPlanner::Chunks StreamPlanner::plan(RankId rank, const CollectiveRequest& request) {
  if (const CustomAlgorithm* const custom = names_.algorithm_of(request))
    return {
        {custom_phase(rank, *custom, is_small(request) ? &names_.communicator_of(request) : nullptr, npus_)}};
  if (!is_symmetric(request.kind)) return plan_rooted(rank, request);
  const auto [chunk, count] = cut(request.size, sizes_contributions(request.kind));
  if (is_small(request)) return plan_small(rank, request, chunk, count);
  const std::vector<Step>& steps = steps_of(request);
  if (steps.empty()) {
    if (is_alone(request)) return Chunks(count);  // nobody to exchange anything with
    throw CollectiveError(fmt::format(
        "is an {} in which no dimension takes part: correct its involved_dim, or list the algorithms of all "
        "dimensions in the system file",
        name_of(request.kind)));
  }
  const auto& list = lists_[static_cast<std::size_t>(request.kind)];
  Chunks chunks(count);
  for (auto& phases : chunks) {
    Bytes bytes = chunk;
    phases.reserve(steps.size());
    for (const Step& step : steps) {
      const Listed& listed = list[step.dimension];
      const std::size_t queued = listed.choice.whole_machine ? 0 : step.dimension;
      const int queue = counters_.next_queue(rank, queued, step.chooser);
      const bool backward =
          step.chooser == Chooser::last || (step.chooser == Chooser::any && counters_.goes_backward(queue));
      phases.push_back(phase_of(rank,
                                {request.kind, listed.choice, StreamMembers::along(listed.dimension, rank),
                                 queued, queue, backward, false},
                                step.kind, bytes));
    }
  }
  return chunks;
}

StreamPhase StreamPlanner::rooted_phase(const RootedStep& step, CollectiveKind kind, Bytes bytes,
                                        std::uint32_t queue) {
  const StreamShape& shape =
      shapes_.shape_of({kind, kind, step.choice, bytes, step.members.size(), false, false});
  const auto& schedule = std::get<ProgramSchedule>(shape.schedule);
  const auto [program, origin] = schedule.member_in_group(step.members.position, step.root);
  return {nullptr, &schedule.programs[program], step.members, queue, origin};
}

StreamPlanner::Chunks StreamPlanner::plan_rooted(RankId rank, const CollectiveRequest& request) {
  const CollectiveKind kind = request.kind;
  const auto [chunk, count] =
      kind == CollectiveKind::barrier ? Cut{barrier_token, 1} : cut(request.size, sizes_contributions(kind));
  check_data(chunk);
  const Communicator& communicator = names_.communicator_of(request);
  const std::vector<RootedStep> steps = is_small(request)
                                            ? rooted_step_in_group(config_, rank, request, communicator)
                                            : rooted_steps(config_, dimensions_, rank, request, communicator);
  Chunks chunks(count);
  for (auto& phases : chunks) {
    Bytes bytes = chunk;
    for (const RootedStep& step : steps) {
      // Ranks that take no part count the phase too, so that later collectives find the same queue
      // everywhere.
      const std::uint32_t queue =
          queue_of(step.dimension, counters_.next_queue(rank, step.dimension, Chooser::any));
      const Bytes output = step.choice.algorithm->output(kind, bytes, step.members.size());
      check_data(output);
      if (step.takes_part) phases.push_back(rooted_phase(step, kind, bytes, queue));
      bytes = output;
    }
  }
  return chunks;
}

}  // namespace orrery::core
