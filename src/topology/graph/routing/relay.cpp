// This routing is like ECMP, but where no route leads to an NPU, another NPU between them receives the whole
// message and sends it on (network/graph/forwarding_transport.hpp).
#include "topology/graph/routing/routing_kinds.hpp"

namespace orrery::core {

const RoutingKind relay_routing{.name = "relay", .choose = choose_by_hash, .relays = true};

}  // namespace orrery::core
