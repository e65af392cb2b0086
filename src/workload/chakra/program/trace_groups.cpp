#include "workload/chakra/program/trace_groups.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <set>
#include <stdexcept>

#include "base/diagnostics/words.hpp"

namespace orrery::core {

namespace {
constexpr std::uint64_t tags_per_group = 1'000'000;
}

TraceGroups::TraceGroups(std::vector<LogicalDimension> dimensions, const TraceRules& rules) : rules_(rules) {
  communicators_.push_back({"all ranks", std::move(dimensions)});
}

std::uint32_t TraceGroups::add(std::uint64_t id, std::uint64_t tags, const std::vector<int>& members) {
  const std::string name = std::to_string(id);
  const auto [known, is_new] = numbers_.try_emplace({name, tags, members}, communicators_.size());
  if (is_new) communicators_.push_back({name, {}, {members.begin(), members.end()}, tags});
  return known->second;
}

std::string TraceGroups::define(std::uint32_t node, const std::vector<ProcessGroup>& groups,
                                std::uint32_t ranks, Defined& defined) {
  for (const ProcessGroup& group : groups) {
    std::vector<int> members = group.members;
    if (members.empty())
      for (std::uint32_t member = 0; member < ranks; ++member) members.push_back(static_cast<int>(member));
    std::set<int> seen;
    for (const int member : members) {
      if (member < 0 || member >= static_cast<int>(ranks))
        return fmt::format(
            "puts rank {} into process group {}, but the machine's are 0 to {}: correct the "
            "group or the network file",
            member, group.id, ranks - 1);
      if (!seen.insert(member).second)
        return fmt::format("puts rank {} into process group {} twice, list it once", member, group.id);
    }
    const auto id = static_cast<std::uint64_t>(group.id);
    defined[std::to_string(id)][node] = add(id, (id + 1) * tags_per_group, members);
  }
  return {};
}

std::uint32_t TraceGroups::of_node(std::uint32_t node, const std::string& name, RankId rank,
                                   const Defined& defined) {
  if (name.empty() || name == "0") return 0;
  std::uint32_t number = 0;
  if (const auto found = defined.find(name); found != defined.end()) {
    const auto after = found->second.upper_bound(node);
    number = after == found->second.begin() ? after->second : std::prev(after)->second;
  } else {
    int id = 0;
    const char* end = name.data() + name.size();
    const auto parsed = std::from_chars(name.data(), end, id);
    const auto listed =
        parsed.ec == std::errc() && parsed.ptr == end ? rules_.groups.find(id) : rules_.groups.end();
    if (listed == rules_.groups.end())
      throw std::invalid_argument(fmt::format("names the communicator group {}, which is not there: {}",
                                              backquoted(name), rules_.advice.groups));
    number =
        add(static_cast<std::uint64_t>(id), static_cast<std::uint64_t>(id) * tags_per_group, listed->second);
  }
  const std::vector<RankId>& members = communicators_[number].members;
  if (std::ranges::find(members, rank) == members.end())
    throw std::invalid_argument(fmt::format(
        "names the communicator group {}, of which rank {} is no member: add it to the group, or correct the "
        "node's pg_name",
        name, rank.value()));
  return number;
}

}  // namespace orrery::core
