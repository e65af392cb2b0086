// Every packet takes another route (Dixit, Prakash, Hu and Kompella, "On the impact of packet spraying in
// data center networks", INFOCOM 2013). The links that lead on take turns, or chance decides among them.
#include "topology/graph/routing/routing_kinds.hpp"

namespace orrery::core {

const RoutingKind packet_spray_routing{.name = "spray-packets",
                                       .choose = keep_all,
                                       .packets = {.choose = [](const PacketJunction& at) -> std::size_t {
                                         return at.turn % at.waiting.size();
                                       }}};

const RoutingKind random_spray_routing{.name = "spray-random",
                                       .choose = keep_all,
                                       .packets = {.choose = [](const PacketJunction& at) -> std::size_t {
                                         return at.random % at.waiting.size();
                                       }}};

}  // namespace orrery::core
