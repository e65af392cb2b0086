// Builds groups of routers, in which each router is joined with each other, and links between the groups:
// Kim, Dally, Scott and Abts, "Technology-Driven, Highly-Scalable Dragonfly Topology", ISCA 2008. Link k of a
// group's global links leads to the group that is k mod (groups - 1) + 1 further on, and belongs to router k
// / `global-links`.
#include <fmt/format.h>

#include "topology/graph/builders/network_builders.hpp"

namespace orrery::core {
namespace {

struct DragonflyMap : HostsPart {
  int groups = 0, routers = 0, hosts = 0, global_links = 0;
  Cable host_link, local_link, global_link;
};

constexpr int max_routers = 1 << 16;
constexpr Key<DragonflyMap> dragonfly_keys[] = {
    build_key,
    key::integer<&DragonflyMap::groups>("groups", 2, max_routers, "required", "number of groups of routers"),
    key::integer<&DragonflyMap::routers>("routers", 1, max_routers, "required",
                                         "number of routers of a group"),
    key::integer<&DragonflyMap::hosts>("hosts", 1, max_routers, "required", "number of hosts of a router"),
    key::integer<&DragonflyMap::global_links>("global-links", 1, max_routers, "required",
                                              "number of links of a router to other groups; the links of a "
                                              "group are shared evenly among the other groups")
        .better(Better::more)
        .hardware(),
    key::map<cable_keys, &DragonflyMap::host_link>("host-link", "a link", "required",
                                                   "link between a port of a host and its router"),
    key::map<cable_keys, &DragonflyMap::local_link>("local-link", "a link", "required",
                                                    "link between any two routers of a group"),
    key::map<cable_keys, &DragonflyMap::global_link>("global-link", "a link", "required",
                                                     "link between groups"),
    inside_key,
};

void add_global_links(GraphDraft& draft, const DragonflyMap& map, const std::vector<NodeId>& routers) {
  const int others = map.groups - 1;
  const auto router_of = [&](int group, int link) {
    return routers[static_cast<std::size_t>(group) * map.routers + link / map.global_links];
  };
  for (int group = 0; group < map.groups; ++group)
    for (int link = 0; link < map.routers * map.global_links; ++link) {
      const int distance = link % others + 1, other = (group + distance) % map.groups;
      if (other < group) continue;  // the other group has added it
      const int back = link - link % others + (map.groups - distance - 1);
      draft.join(router_of(group, link), router_of(other, back), map.global_link);
    }
}

Ports add_dragonfly(GraphDraft& draft, const DragonflyMap& map) {
  Ports ports;
  std::vector<NodeId> routers;
  for (int group = 0; group < map.groups; ++group) {
    const std::size_t first = routers.size();
    for (int router = 0; router < map.routers; ++router) {
      routers.push_back(draft.add(NodeKind::network_switch, "router"));
      const Ports hosts = joined_ports(add_hosts(draft, map.host, map.hosts));
      join_each(draft, hosts, routers.back(), map.host_link);
      ports.insert(ports.end(), hosts.begin(), hosts.end());
      for (std::size_t other = first; other + 1 < routers.size(); ++other)
        draft.join(routers[other], routers.back(), map.local_link);
    }
  }
  add_global_links(draft, map, routers);
  return ports;
}

NetworkPlan plan_dragonfly(const InputNode& node, const Extensions& extensions) {
  DragonflyMap map;
  map.extensions = &extensions;
  read_map(node, "a dragonfly", dragonfly_keys, map);
  const std::int64_t links = static_cast<std::int64_t>(map.routers) * map.global_links;
  if (links % (map.groups - 1) != 0 || links > max_in_group)
    throw InputError(
        node.where,
        fmt::format("a group has {} global links for {} other groups, which cannot be shared evenly: "
                    "choose `routers` times `global-links` as a multiple of `groups` - 1, up to {}",
                    links, map.groups - 1, max_in_group));
  NetworkPlan plan = map.outer_plan({map.hosts, map.routers, map.groups}, node);
  plan.add = [map](GraphDraft& draft) { return add_dragonfly(draft, map); };
  return plan;
}

}  // namespace

const NetworkBuilder dragonfly_builder{"dragonfly", [] { return key_paths("", dragonfly_keys); },
                                       plan_dragonfly};

}  // namespace orrery::core
