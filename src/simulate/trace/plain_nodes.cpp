#include "simulate/trace/plain_nodes.hpp"

#include "base/diagnostics.hpp"

namespace orrery {

using chakra::NodeType;

PlainNodes::Asks PlainNodes::look_at(std::uint32_t rank, std::uint32_t node) {
  const NodeType type = requests_.type(rank, node);
  try {
    if (machine_.replay_only || (type == NodeType::compute && !requests_.is_under_roofline(rank, node)))
      return Asks::time(requests_.stated_time(rank, node));
    if (type == NodeType::collective) return look_at_collective(rank, node);
  } catch (const InputError&) {
    return Asks::something_else();
  }
  return Asks::something_else();
}

// Traces have few that differ. Of one that has many, the first ones are kept.
PlainNodes::Asks PlainNodes::look_at_collective(std::uint32_t rank, std::uint32_t node) {
  constexpr std::size_t most = 10'000;
  if (!requests_.names_no_group(rank, node) || requests_.takes_stated_time(rank, node))
    return Asks::something_else();
  const StreamRequest request = requests_.collective(rank, node);
  if (!is_symmetric(request.kind)) return Asks::something_else();
  const Key key{request.kind, request.size, request.dimensions, request.custom, request.priority};
  const auto known = numbers_.find(key);
  if (known != numbers_.end()) return Asks::collective(known->second);
  if (collectives_.size() == most) return Asks::something_else();
  const auto number = static_cast<std::uint32_t>(collectives_.size());
  numbers_.emplace(key, number);
  collectives_.push_back(request);
  return Asks::collective(number);
}

}  // namespace orrery
