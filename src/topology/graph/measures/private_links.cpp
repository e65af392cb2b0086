#include "topology/graph/measures/private_links.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

namespace orrery::core {
int first_of_group(const GroupDimensions& dimensions, int npu) {
  for (const LogicalDimension& dimension : dimensions) npu = dimension.base(npu);
  return npu;
}

std::vector<NodeId> group_of(const GroupDimensions& dimensions, int first) {
  std::vector<NodeId> members{NodeId(first)};
  for (const LogicalDimension& dimension : dimensions) {
    const std::size_t inner = members.size();
    for (int y = 1; y < dimension.size; ++y)
      for (std::size_t i = 0; i < inner; ++i)
        members.push_back(NodeId(static_cast<int>(members[i].value()) + y * dimension.stride));
  }
  return members;
}

namespace {

constexpr std::uint32_t no_owner = 0xffffffff;

class PrivateLinks {
 public:
  PrivateLinks(const NetworkGraph& graph, const NetworkPlanes& planes, const GroupDimensions& own,
               const std::vector<LinkId>& changing)
      : graph_(graph),
        planes_(planes),
        own_(own),
        owner_(planes.size(), no_owner),
        changes_(planes.size(), false),
        seen_at_(graph.nodes(), 0),
        is_member_(graph.nodes(), false) {
    for (const LinkId link : changing) changes_[planes.of(link)] = true;
  }

  bool claim_all() {
    const auto npus = static_cast<int>(graph_.npus());
    for (int npu = 0; npu < npus; ++npu)
      if (first_of_group(own_, npu) == npu && !claim(npu)) return false;
    return true;
  }

  std::vector<bool> claimed() const {
    std::vector<bool> claimed;
    for (const std::uint32_t owner : owner_) claimed.push_back(owner != no_owner);
    return claimed;
  }

  // Returns whether no two NPUs of a claimed plane are in one group.
  bool kept_free_by(const GroupDimensions& other) const {
    std::set<int> groups;
    for (std::uint32_t plane = 0; plane < planes_.size(); ++plane) {
      if (owner_[plane] == no_owner) continue;
      groups.clear();
      for (const NodeId npu : planes_[plane].npus)
        if (!groups.insert(first_of_group(other, static_cast<int>(npu.value()))).second) return false;
    }
    return true;
  }

 private:
  using Look = std::vector<std::tuple<std::uint32_t, std::uint32_t, double, Time, bool>>;

  // Claims the planes of a group's messages.
  bool claim(int first) {
    const std::vector<NodeId> members = group_of(own_, first);
    std::set<std::uint32_t> used;
    for (const NodeId member : members) is_member_[member.index()] = true;
    for (const NodeId member : members) add_planes(member, members.size(), used);
    bool only_at_npus = true, striped = true, is_free = true, changes = false;
    for (const std::uint32_t plane : used) {
      changes = changes || changes_[plane];
      only_at_npus = only_at_npus && planes_[plane].only_at_npus;
      striped = striped && planes_[plane].striped;
      is_free = is_free && owner_[plane] == no_owner;
      owner_[plane] = static_cast<std::uint32_t>(first);
    }
    const Look look = look_of(members, used, only_at_npus);
    for (const NodeId member : members) is_member_[member.index()] = false;
    if (first == 0) look_ = look;
    // Groups may share links between switches, and a hash would choose other links for another group.
    return !changes && (is_free || only_at_npus) &&
           (striped || (only_at_npus && links_out_ == members.size())) && look == look_;
  }

  // Lists the links that the group may use, with members numbered first and other nodes as they come.
  Look look_of(const std::vector<NodeId>& members, const std::set<std::uint32_t>& used, bool only_at_npus) {
    std::map<NodeId, std::uint32_t> numbers;
    const auto number = [&](NodeId node) {
      return numbers.try_emplace(node, static_cast<std::uint32_t>(numbers.size())).first->second;
    };
    for (const NodeId member : members) number(member);
    Look look;
    links_out_ = 0;
    for (const std::uint32_t plane : used) {
      for (const LinkId id : planes_[plane].links) {
        const NetworkLink& link = graph_.link(id);
        if (only_at_npus && !is_member_[link.from.index()] && !is_member_[link.to.index()]) continue;
        links_out_ += is_member_[link.from.index()] ? 1 : 0;
        const std::uint32_t from = number(link.from), to = number(link.to);
        look.emplace_back(from, to, link.bandwidth.bytes_per_ns(), link.latency, link.striped);
      }
    }
    return look;
  }

  // Adds the planes of the shortest routes from an NPU to the other members of its group. All links of one
  // way are in the plane of its last link.
  void add_planes(NodeId from, std::size_t members, std::set<std::uint32_t>& used) {
    ++search_;
    std::vector<NodeId> level{from}, next;
    seen_at_[from.index()] = search_;
    for (std::size_t left = members - 1; left > 0 && !level.empty(); level.swap(next)) {
      next.clear();
      std::set<NodeId> reached;
      for (const NodeId node : level) {
        if (node != from && !graph_.node(node).forwards) continue;
        for (const LinkId id : graph_.links_from(node)) {
          const NodeId to = graph_.link(id).to;
          if (is_member_[to.index()] && (seen_at_[to.index()] != search_ || reached.contains(to))) {
            used.insert(planes_.of(id));
            if (reached.insert(to).second) --left;
          }
          if (seen_at_[to.index()] == search_) continue;
          seen_at_[to.index()] = search_;
          next.push_back(to);
        }
      }
    }
  }

  const NetworkGraph& graph_;
  const NetworkPlanes& planes_;
  const GroupDimensions& own_;
  std::vector<std::uint32_t> owner_;    // a group by its lowest member, by plane
  std::vector<bool> changes_;           // whether any of its links does, by plane
  std::vector<std::uint32_t> seen_at_;  // the last search that came by, by node
  std::vector<bool> is_member_;         // of the group that is looked at, by node
  std::uint32_t search_ = 0;
  std::size_t links_out_ = 0;  // of the members, in the last look
  Look look_;                  // of the group of NPU 0
};

}  // namespace

std::optional<std::vector<bool>> private_planes(const NetworkGraph& graph, const NetworkPlanes& planes,
                                                const GroupDimensions& own,
                                                const std::vector<GroupDimensions>& others,
                                                const std::vector<LinkId>& changing) {
  PrivateLinks links(graph, planes, own, changing);
  const auto is_free = [&](const GroupDimensions& other) { return links.kept_free_by(other); };
  if (!links.claim_all() || !std::ranges::all_of(others, is_free)) return std::nullopt;
  return links.claimed();
}

bool have_private_links(const NetworkGraph& graph, const NetworkPlanes& planes, const GroupDimensions& own,
                        const std::vector<GroupDimensions>& others, const std::vector<LinkId>& changing) {
  return private_planes(graph, planes, own, others, changing).has_value();
}

}  // namespace orrery::core
