// Builds hosts of which each is joined with each other.
#include "topology/graph/builders/network_builders.hpp"

namespace orrery::core {
namespace {

struct FullMap : HostsPart {
  int size = 0;
  Cable link;
};

constexpr Key<FullMap> full_keys[] = {
    build_key,
    key::integer<&FullMap::size>("size", 1, max_in_group, "required", "number of hosts"),
    key::map<cable_keys, &FullMap::link>("link", "a link", "required",
                                         "link between any two hosts, from each port to its like"),
    inside_key,
};

NetworkPlan plan_full(const InputNode& map, const Extensions& extensions) {
  FullMap read;
  read.extensions = &extensions;
  read_map(map, "a fully connected network", full_keys, read);
  NetworkPlan plan = read.outer_plan({read.size}, map);
  plan.npus_forward = plan.npus_forward || read.host.ports > 1;
  plan.add = [read](GraphDraft& draft) {
    const std::vector<Ports> hosts = add_hosts(draft, read.host, read.size);
    for (std::size_t a = 0; a < hosts.size(); ++a)
      for (std::size_t b = a + 1; b < hosts.size(); ++b) join_ports(draft, hosts[a], hosts[b], read.link);
    return joined_ports(hosts);
  };
  plan.product = read.times({ProductFactor::Form::full, read.size, read.link});
  return plan;
}

}  // namespace

const NetworkBuilder fully_connected_builder{"fully-connected", [] { return key_paths("", full_keys); },
                                             plan_full};

}  // namespace orrery::core
