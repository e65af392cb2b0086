#include "simulate/trace/comm_groups.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <set>

#include "base/words.hpp"

namespace orrery {

namespace {

constexpr std::uint64_t tags_per_group = 1'000'000;

std::string ranks_text(std::size_t ranks) {
  return fmt::format("0 to {}", ranks - 1);
}

}  // namespace

const CommGroup* CommGroups::add(CommGroup group) {
  all_.push_back(std::move(group));
  return by_name_[all_.back().name] = &all_.back();
}

void CommGroups::define(std::uint32_t node) {
  if (!trace_->process_groups) return;
  const auto found = trace_->process_groups->find(node);
  if (found == trace_->process_groups->end()) return;
  const std::uint32_t ranks = requests_->ranks();
  for (const ProcessGroup& defined : found->second) {
    CommGroup group{std::to_string(defined.id), (static_cast<std::uint64_t>(defined.id) + 1) * tags_per_group,
                    defined.members};
    if (group.members.empty()) {
      for (std::uint32_t member = 0; member < ranks; ++member)
        group.members.push_back(static_cast<int>(member));
    }
    std::set<int> seen;
    for (const int member : group.members) {
      if (member < 0 || member >= static_cast<int>(ranks))
        requests_->reject(rank_, node,
                          fmt::format("puts rank {} into process group {}, but the machine's are {}: correct "
                                      "the group or the network file",
                                      member, defined.id, ranks_text(ranks)));
      if (!seen.insert(member).second)
        requests_->reject(
            rank_, node,
            fmt::format("puts rank {} into process group {} twice, list it once", member, defined.id));
    }
    add(std::move(group));
  }
}

const CommGroup* CommGroups::of_node(std::uint32_t node) {
  const std::string& name = requests_->group_name(rank_, node);
  if (name.empty() || name == "0") return nullptr;
  const CommGroup* group = known(name);
  if (group == nullptr) {
    int id = 0;
    const char* end = name.data() + name.size();
    const auto parsed = std::from_chars(name.data(), end, id);
    const auto found =
        parsed.ec == std::errc() && parsed.ptr == end ? machine_->groups.find(id) : machine_->groups.end();
    if (found == machine_->groups.end()) {
      requests_->reject(rank_, node,
                        fmt::format("names the communicator group {}, which is not there: define it with "
                                    "--comm-group-configuration, or in the trace before this node",
                                    backquoted(name)));
    }
    group = add({name, static_cast<std::uint64_t>(id) * tags_per_group, found->second});
  }
  require_member(node, *group);
  return group;
}

void CommGroups::require_member(std::uint32_t node, const CommGroup& group) const {
  const auto& members = group.members;
  if (std::find(members.begin(), members.end(), static_cast<int>(rank_)) != members.end()) return;
  requests_->reject(rank_, node,
                    fmt::format("names the communicator group {}, of which rank {} is no member: add it to "
                                "the group, or correct the node's pg_name",
                                group.name, rank_));
}

}  // namespace orrery
