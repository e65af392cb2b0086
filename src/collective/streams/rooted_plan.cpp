// Rooted collectives as streams: a phase per dimension, in which a rank without data to send or receive has
// no part.
#include <fmt/format.h>

#include <algorithm>

#include "collective/streams/stream_plan.hpp"

namespace orrery {

namespace {

// From the root on.
bool goes_outward(RootedKind kind) {
  return kind == RootedKind::broadcast || kind == RootedKind::scatter;
}

// The outer dimensions are the slower ones. A broadcast does them first, when few ranks have the data, so
// each carries it once per group of inner dimensions; a scatter does them last, when its data is spread over
// the links of many ranks. Reduce and gather mirror them. For a barrier any order will do.
bool outermost_first(RootedKind kind) {
  return kind == RootedKind::broadcast || kind == RootedKind::gather;
}

}  // namespace

void StreamPlanner::check_rooted(RootedKind kind) const {
  const RootedChoice& choice = config_.choice_of(kind);
  const std::size_t words = choice.algorithms.size();
  if (words <= 1 || words == all_dimensions_.size()) return;
  throw InputError(choice.where,
                   fmt::format("{} names {} algorithms but the network has {} dimensions, name one per "
                               "dimension, or one for all",
                               name_of(kind), words, all_dimensions_.size()));
}

std::vector<StreamPlanner::RootedStep> StreamPlanner::step_in_group(std::uint32_t rank,
                                                                    const StreamRequest& request) const {
  const std::vector<RootedAlgorithm>& words = config_.choice_of(*request.rooted).algorithms;
  const std::vector<int>& members = request.group->members;
  if (members.size() == 1) return {};
  const auto position = [&](std::uint32_t of) {
    return static_cast<std::uint32_t>(std::find(members.begin(), members.end(), static_cast<int>(of)) -
                                      members.begin());
  };
  const bool one_word = std::equal(words.begin() + 1, words.end(), words.begin());
  const RootedAlgorithm algorithm = one_word ? words[0] : RootedAlgorithm::ring;
  return {{algorithm, {request.group, {}, 0, position(rank)}, position(request.root), 0, true}};
}

std::vector<StreamPlanner::RootedStep> StreamPlanner::rooted_steps(std::uint32_t rank,
                                                                   const StreamRequest& request) const {
  const RootedKind kind = *request.rooted;
  const std::vector<RootedAlgorithm>& words = config_.choice_of(kind).algorithms;
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
  if (outermost_first(kind)) std::reverse(steps.begin(), steps.end());
  if (kind == RootedKind::barrier) return steps;
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

StreamPhase StreamPlanner::rooted_phase(const RootedStep& step, const RootedPhase& phase, int queue) {
  const std::uint32_t n = phase.members;
  const RootedRole role = role_of(phase, (step.members.position + n - step.root) % n);
  std::unique_ptr<CustomProgram>& program =
      programs_[{phase.kind, phase.algorithm, phase.bytes.count(), n, role.position}];
  if (!program) program = std::make_unique<CustomProgram>(make_rooted_program(phase, role.position));
  return {nullptr, program.get(), step.members, static_cast<std::uint32_t>(queue),
          (step.root + role.origin) % n};
}

StreamPlanner::Chunks StreamPlanner::plan_rooted(std::uint32_t rank, const StreamRequest& request) {
  const RootedKind kind = *request.rooted;
  const auto [chunk, count] =
      kind == RootedKind::barrier ? Cut{barrier_token, 1} : cut(request.size, kind == RootedKind::gather);
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
      const RootedPhase phase{kind, step.algorithm, step.members.size(), bytes, reduction_cost(bytes)};
      if (kind == RootedKind::gather) check_data(bytes.as_double() * phase.members);
      if (step.takes_part) phases.push_back(rooted_phase(step, phase, queue));
      bytes = output_of(phase);
    }
  }
  return chunks;
}

}  // namespace orrery
