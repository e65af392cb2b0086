// Builds hosts at one switch.
#include "topology/graph/builders/network_builders.hpp"

namespace orrery::core {
namespace {

struct SwitchMap : HostsPart {
  int size = 0;
  Cable link;
  bool reduction = false;
};

constexpr Key<SwitchMap> switch_keys[] = {
    build_key,
    key::integer<&SwitchMap::size>("size", 1, max_in_group, "required", "number of hosts"),
    key::map<cable_keys, &SwitchMap::link>("link", "a link", "required",
                                           "link between a port and the switch"),
    reduction_key<&SwitchMap::reduction>,
    inside_key,
};

NetworkPlan plan_switch(const InputNode& map, const Extensions& extensions) {
  SwitchMap read;
  read.extensions = &extensions;
  read_map(map, "a switch", switch_keys, read);
  NetworkPlan plan = read.outer_plan({read.size}, map);
  plan.add = [read](GraphDraft& draft) {
    const Ports ports = joined_ports(add_hosts(draft, read.host, read.size));
    join_each(draft, ports, draft.add(NodeKind::network_switch, "switch", read.reduction), read.link);
    return ports;
  };
  if (!read.reduction) plan.product = read.times({ProductFactor::Form::star, read.size, read.link});
  return plan;
}

}  // namespace

const NetworkBuilder switch_builder{"switch", [] { return key_paths("", switch_keys); }, plan_switch};

}  // namespace orrery::core
