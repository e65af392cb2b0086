// EQDS: Olteanu, Agache, Voinescu, Raiciu, Handley and others, "An edge-queued datagram service for all
// datacenter traffic", NSDI 2022. A sender begins with a window on its own account. The receiver knows what
// its senders have to send, and gives them credit by turns, as fast as its link can take that in; who has to
// send more later asks for it.
#include "network/packet/congestion/congestion_kinds.hpp"
#include "network/packet/congestion/grant_rules.hpp"

namespace orrery::core {
namespace {

constexpr GrantRules eqds_grants{.packets_of_pull = 1, .windows_ahead = 2, .avoids_labels = true};

}  // namespace

const CongestionKind eqds_control{.name = "eqds", .needs_window = true, .grants = &eqds_grants};

}  // namespace orrery::core
