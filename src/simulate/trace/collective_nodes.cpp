// Collectives of a trace, and the groups in which they run.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <utility>

#include "simulate/trace/trace_executor.hpp"
#include "topology/logical_dimension.hpp"

namespace orrery {

using chakra::CommType;
using chakra::Node;

namespace {

constexpr std::array<std::pair<CommType, CollectiveKind>, 4> kinds{{
    {CommType::all_reduce, CollectiveKind::all_reduce},
    {CommType::all_gather, CollectiveKind::all_gather},
    {CommType::all_to_all, CollectiveKind::all_to_all},
    {CommType::reduce_scatter, CollectiveKind::reduce_scatter},
}};
constexpr std::array<std::pair<CommType, RootedKind>, rooted_kinds> rooted{{
    {CommType::broadcast, RootedKind::broadcast},
    {CommType::reduce, RootedKind::reduce},
    {CommType::gather, RootedKind::gather},
    {CommType::scatter, RootedKind::scatter},
    {CommType::barrier, RootedKind::barrier},
}};

bool has_member(const CommGroup& group, std::uint32_t rank) {
  return std::find(group.members.begin(), group.members.end(), static_cast<int>(rank)) != group.members.end();
}

}  // namespace

const CommGroup* TraceExecutor::group_of(std::uint32_t rank, std::uint32_t number) {
  const std::string& name = traces_[rank].graph->texts[node_of(rank, number).pg_name];
  if (name.empty() || name == "0") return nullptr;
  const CommGroup*& group = ranks_[rank].groups[name];
  if (group == nullptr) {
    int id = 0;
    const auto parsed = std::from_chars(name.data(), name.data() + name.size(), id);
    const auto found = parsed.ec == std::errc() && parsed.ptr == name.data() + name.size()
                           ? machine_.groups.find(id)
                           : machine_.groups.end();
    if (found == machine_.groups.end()) {
      reject(rank, number,
             fmt::format("names the communicator group {}, which is not among those of the machine", name));
    }
    ranks_[rank].all_groups.push_back({name, static_cast<std::uint64_t>(id) * 1'000'000, found->second});
    group = &ranks_[rank].all_groups.back();
  }
  if (!has_member(*group, rank))
    reject(rank, number,
           fmt::format("names the communicator group {}, of which this rank is no member", name));
  return group;
}

void TraceExecutor::define_groups(std::uint32_t rank, std::uint32_t number) {
  if (!traces_[rank].process_groups) return;
  const auto found = traces_[rank].process_groups->find(number);
  if (found == traces_[rank].process_groups->end()) return;
  for (const ProcessGroup& defined : found->second) {
    CommGroup group{std::to_string(defined.id), (static_cast<std::uint64_t>(defined.id) + 1) * 1'000'000,
                    defined.members};
    if (group.members.empty()) {
      for (std::uint32_t member = 0; member < npus_; ++member)
        group.members.push_back(static_cast<int>(member));
    }
    for (const int member : group.members) {
      if (member < 0 || member >= static_cast<int>(npus_))
        reject(rank, number,
               fmt::format("puts rank {} into process group {}, but the machine has {} NPUs", member,
                           defined.id, npus_));
    }
    ranks_[rank].all_groups.push_back(std::move(group));
    ranks_[rank].groups[ranks_[rank].all_groups.back().name] = &ranks_[rank].all_groups.back();
  }
}

void TraceExecutor::choose_kind(std::uint32_t rank, std::uint32_t number, StreamRequest& request) const {
  const CommType type = node_of(rank, number).comm_type;
  for (const auto& [comm_type, kind] : kinds) {
    if (comm_type != type) continue;
    request.kind = kind;
    return;
  }
  for (const auto& [comm_type, kind] : rooted) {
    if (comm_type != type) continue;
    if (!machine_.streams.choice_of(kind).runs())
      reject(rank, number,
             fmt::format("is a {0}, which ASTRA-sim 2 does not run: give --real-collectives, or "
                         "`{0}-implementation` in the system file",
                         name_of(kind)));
    request.rooted = kind;
    return;
  }
  if (!machine_.reduce_scatter_block)
    reject(rank, number,
           "is a reduce-scatter-block, which ASTRA-sim 2 does not run: give --real-collectives");
  request.kind = CollectiveKind::reduce_scatter;
}

TraceExecutor::Members TraceExecutor::members_of(std::uint32_t rank, const StreamRequest& request) const {
  if (request.group) {
    return {static_cast<std::uint32_t>(request.group->members[0]), request.group->members.size()};
  }
  Members members{rank, 1};
  const std::vector<LogicalDimension> dimensions = logical_dimensions(machine_.topology);
  for (std::size_t d = 0; d < dimensions.size(); ++d) {
    if ((request.dimensions >> d & 1) == 0) continue;
    members.first = static_cast<std::uint32_t>(dimensions[d].base(static_cast<int>(members.first)));
    members.count *= static_cast<std::uint64_t>(dimensions[d].size);
  }
  return members;
}

// The first member, unless the node names one.
std::uint32_t TraceExecutor::root_of(std::uint32_t rank, std::uint32_t number, const StreamRequest& request,
                                     std::uint32_t first) const {
  const Node& node = node_of(rank, number);
  if ((node.has & chakra::has_comm_root) == 0 || request.rooted == RootedKind::barrier) return first;
  const std::uint32_t root = node.comm_root;
  if (root >= npus_)
    reject(rank, number, fmt::format("names rank {} as comm_root, but the machine has {} NPUs", root, npus_));
  if (request.group && !has_member(*request.group, root))
    reject(rank, number,
           fmt::format("names rank {} as comm_root, which is no member of its group {}", root,
                       request.group->name));
  if (!request.group && members_of(root, request).first != first)
    reject(rank, number,
           fmt::format("names rank {} as comm_root, which rank {} does not meet in the dimensions that its "
                       "involved_dim names",
                       root, rank));
  return root;
}

// Else their messages would miss each other, and not all of that stalls.
void TraceExecutor::check_agreement(std::uint32_t rank, std::uint32_t number, const StreamRequest& request,
                                    const Members& members) {
  const std::uint64_t base = request.group ? request.group->tag_base : 0;
  const auto [place, is_first] = begun_.try_emplace(
      {base, collectives_->issued_streams(rank, base), members.first}, Begun{rank, request, members.count});
  Begun& begun = place->second;
  const StreamRequest& other = begun.request;
  const bool sizes_matter = request.rooted != RootedKind::barrier;
  if (other.rooted != request.rooted || other.root != request.root ||
      (sizes_matter && other.size != request.size)) {
    const auto text = [](const StreamRequest& one) {
      return fmt::format("a {} of {} bytes with root {}", name_of(*one.rooted), one.size.count(), one.root);
    };
    reject(rank, number, fmt::format("is {}, where rank {} has {}", text(request), begun.rank, text(other)));
  }
  if (--begun.members_left == 0) begun_.erase(place);
}

bool TraceExecutor::issue_collective(std::uint32_t rank, std::uint32_t number) {
  const Node& node = node_of(rank, number);
  require(rank, number, chakra::has_comm_type, "comm_type");
  if (node.comm_type == CommType::broadcast && !machine_.streams.choice_of(RootedKind::broadcast).runs()) {
    timers_.after(rank,
                  node.duration_us > 0 ? Time::from_ns(static_cast<std::int64_t>(node.duration_us) * 1000)
                                       : Time::from_ns(1),
                  finished_event(rank, number));
    return true;
  }
  StreamRequest request;
  choose_kind(rank, number, request);
  if (request.rooted != RootedKind::barrier) require(rank, number, chakra::has_comm_size, "comm_size");
  request.size = Bytes(node.comm_size);
  request.priority = node.comm_priority;
  request.group = group_of(rank, number);
  if ((node.has & chakra::has_involved_dims) != 0)
    request.dimensions = node.involved_dims | (~std::uint32_t{0} << node.involved_count);
  if (request.rooted) {
    const Members members = members_of(rank, request);
    request.root = root_of(rank, number, request, members.first);
    check_agreement(rank, number, request, members);
  }
  if (const auto of_node = machine_.custom_of_node.find(node.id); of_node != machine_.custom_of_node.end()) {
    request.custom = of_node->second.get();
  } else if (!request.rooted) {
    request.custom = machine_.custom[static_cast<std::size_t>(request.kind)].get();
  }
  collectives_->issue(rank, number, request);
  return true;
}

}  // namespace orrery
