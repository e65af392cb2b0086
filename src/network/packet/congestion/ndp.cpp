// NDP: Handley, Raiciu, Agache, Voinescu, Moore, Antichi and Wojcik, "Re-architecting datacenter networks and
// stacks for low latency and high performance", SIGCOMM 2017. A sender begins with a window at the rate of
// its line. For every packet that comes, whole or trimmed, the receiver grants another one, by turns among
// its senders and as fast as its link can take them in.
#include "network/packet/congestion/congestion_kinds.hpp"
#include "network/packet/congestion/grant_rules.hpp"

namespace orrery::core {
namespace {

constexpr GrantRules ndp_grants{.packets_of_pull = 1};

}  // namespace

const CongestionKind ndp_control{.name = "ndp", .needs_window = true, .grants = &ndp_grants};

}  // namespace orrery::core
