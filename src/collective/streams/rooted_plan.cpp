// Rooted collectives as streams: a phase per dimension, in which a rank without data to send or receive has
// no part.
#include <fmt/format.h>

#include <algorithm>

#include "collective/rooted_programs.hpp"
#include "collective/streams/stream_plan.hpp"

namespace orrery {

void StreamPlanner::check_rooted(CollectiveKind kind) const {
  const std::size_t words = config_.algorithms_of(kind).size();
  if (words <= 1 || words == all_dimensions_.size()) return;
  throw InputError(config_.where_of(kind),
                   fmt::format("{} names {} algorithms but the network has {} dimensions, name one per "
                               "dimension, or one for all",
                               name_of(kind), words, all_dimensions_.size()));
}

std::vector<StreamPlanner::RootedStep> StreamPlanner::step_in_group(std::uint32_t rank,
                                                                    const StreamRequest& request) const {
  const std::vector<AlgorithmChoice>& words = config_.algorithms_of(request.kind);
  const std::vector<int>& members = request.group->members;
  if (members.size() == 1) return {};
  const auto position = [&](std::uint32_t of) {
    return static_cast<std::uint32_t>(std::find(members.begin(), members.end(), static_cast<int>(of)) -
                                      members.begin());
  };
  const bool one_word = std::equal(words.begin() + 1, words.end(), words.begin());
  return {{one_word ? words[0] : AlgorithmChoice{&ring_algorithm},
           {request.group, {}, 0, position(rank)},
           position(request.root),
           0,
           true}};
}

std::vector<StreamPlanner::RootedStep> StreamPlanner::rooted_steps(std::uint32_t rank,
                                                                   const StreamRequest& request) const {
  const CollectiveKind kind = request.kind;
  const std::vector<AlgorithmChoice>& words = config_.algorithms_of(kind);
  if (is_small(request)) return step_in_group(rank, request);
  std::vector<RootedStep> steps;
  const int me = static_cast<int>(rank), root = static_cast<int>(request.root);
  for (std::size_t d = 0; d < all_dimensions_.size(); ++d) {
    const LogicalDimension& dimension = all_dimensions_[d];
    if (dimension.size == 1 || (!request.group && (request.dimensions >> d & 1) == 0)) continue;
    steps.push_back({words.size() == 1 ? words[0] : words[d],
                     {nullptr, dimension, static_cast<std::uint32_t>(dimension.base(me)),
                      static_cast<std::uint32_t>(dimension.position(me))},
                     static_cast<std::uint32_t>(dimension.position(root)),
                     d,
                     true});
  }
  if (is_outermost_first(kind)) std::reverse(steps.begin(), steps.end());
  if (kind == CollectiveKind::barrier) return steps;
  // A rank takes part where it agrees with the root in the dimensions that come later (outward) or that came
  // before (inward).
  bool near_root = true;
  const auto decide = [&](RootedStep& step) {
    step.takes_part = near_root;
    near_root = near_root && step.members.position == step.root;
  };
  if (goes_outward(kind)) {
    std::for_each(steps.rbegin(), steps.rend(), decide);
  } else {
    std::for_each(steps.begin(), steps.end(), decide);
  }
  return steps;
}

StreamPhase StreamPlanner::rooted_phase(const RootedStep& step, CollectiveKind kind, Bytes bytes, int queue) {
  const StreamShape* const shape =
      shape_of({kind, step.choice, step.members, queue, false, false}, kind, bytes, false);
  const auto& schedule = std::get<ProgramSchedule>(shape->schedule);
  const auto [program, origin] = schedule.member_in_group(step.members.position, step.root);
  return {nullptr, &schedule.programs[program], step.members, static_cast<std::uint32_t>(queue), origin};
}

StreamPlanner::Chunks StreamPlanner::plan_rooted(std::uint32_t rank, const StreamRequest& request) {
  const CollectiveKind kind = request.kind;
  const auto [chunk, count] =
      kind == CollectiveKind::barrier ? Cut{barrier_token, 1} : cut(request.size, sizes_contributions(kind));
  check_data(chunk.as_double());
  const std::vector<RootedStep> steps = rooted_steps(rank, request);
  const int queues = config_.queues_per_dimension;
  Chunks chunks(count);
  for (auto& phases : chunks) {
    Bytes bytes = chunk;
    for (const RootedStep& step : steps) {
      // Ranks without a part count the phase too: later collectives then find the same queue everywhere.
      const int queue =
          static_cast<int>(step.dimension) * queues + choose_queue(rank, step.dimension, Chooser::any);
      const Bytes output = step.choice.algorithm->output(kind, bytes, step.members.size());
      check_data(output.as_double());
      if (step.takes_part) phases.push_back(rooted_phase(step, kind, bytes, queue));
      bytes = output;
    }
  }
  return chunks;
}

}  // namespace orrery
