#include "collective/streams/plan/rooted_plan.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "collective/algorithms/rooted_programs.hpp"

namespace orrery::core {

void check_rooted(const SystemConfig& config, CollectiveKind kind, std::size_t dimensions) {
  const std::size_t words = config.algorithms_of(kind).size();
  if (words <= 1 || words == dimensions) return;
  throw InputError(config.where_of(kind),
                   fmt::format("{} names {} algorithms but the network has {} dimensions, name one per "
                               "dimension, or one for all",
                               name_of(kind), words, dimensions));
}

std::vector<RootedStep> rooted_step_in_group(const SystemConfig& config, RankId rank,
                                             const CollectiveRequest& request, const Communicator& group) {
  const std::vector<AlgorithmChoice>& words = config.algorithms_of(request.kind);
  if (group.members.size() == 1) return {};
  const bool one_word = std::equal(words.begin() + 1, words.end(), words.begin());
  return {{one_word ? words[0] : AlgorithmChoice{&ring_algorithm}, StreamMembers::of_group(group, rank),
           request.root, 0, true}};
}

std::vector<RootedStep> rooted_steps(const SystemConfig& config,
                                     const std::vector<LogicalDimension>& dimensions, RankId rank,
                                     const CollectiveRequest& request, const Communicator& communicator) {
  const CollectiveKind kind = request.kind;
  const std::vector<AlgorithmChoice>& words = config.algorithms_of(kind);
  std::vector<RootedStep> steps;
  const bool listed = communicator.lists_members();
  std::uint32_t place = request.root;  // along the dimensions that are left
  for (std::size_t d = 0; d < dimensions.size(); ++d) {
    const LogicalDimension& dimension = dimensions[d];
    if (dimension.size == 1 || (!listed && !request.dimensions[d])) continue;
    const auto size = static_cast<std::uint32_t>(dimension.size);
    const auto root =
        listed ? static_cast<std::uint32_t>(dimension.position(npu_of(communicator.members[request.root])))
               : place % size;
    place /= size;
    steps.push_back(
        {words.size() == 1 ? words[0] : words[d], StreamMembers::along(dimension, rank), root, d, true});
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

}  // namespace orrery::core
