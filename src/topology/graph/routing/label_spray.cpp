// Hosts spray: every packet of a flow has another label, such as another source port of UDP, and each switch
// chooses a link by a hash of the flow and the label, as switches do that know nothing of spraying. Few
// labels load links unevenly.
#include "topology/graph/routing/routing_kinds.hpp"

namespace orrery::core {

const RoutingKind label_spray_routing{.name = "spray-labels",
                                      .choose = keep_all,
                                      .packets = {.choose = [](const PacketJunction& at) -> std::size_t {
                                                    return at.label_hash % at.waiting.size();
                                                  },
                                                  .labels = true}};

}  // namespace orrery::core
