// Says what of a run its network does not heed, such as ways through a network that is no graph. It is asked
// by whoever reads the run, and again before the run is simulated, as other network models may be tried on
// it.
#pragma once

#include <string_view>

#include "network/network_option.hpp"
#include "study/run/run_spec.hpp"

namespace orrery::core {

// Returns everything about the run on which it depends whether an option of the network fits.
OptionUse option_use_of(const RunSpec& run);

// Return what is wrong with a key at this place that describes packets, or the choice of ways, or that asks
// for the history of links, where the run's network knows nothing of the kind.
InputFault fault_of_packets_for(std::string_view key, const SourceLocation& where, const RunSpec& run);
InputFault fault_of_routes_for(std::string_view key, const SourceLocation& where, const RunSpec& run);
InputFault fault_of_history_for(const SourceLocation& where, const RunSpec& run);

// Returns whether one of these keys means something in a run, where it needs a network that is a graph, or
// packets, or messages. For other keys it returns true.
bool network_knows(std::string_view key, const RunSpec& run);

// Throws InputError, without a place, where the run's network model would ignore what the run has on its
// network: slow links, changes of links or an option of the network. The place is known to whoever read
// the run, but other models may be tried on it afterwards.
void require_all_heeded(const RunSpec& run);

}  // namespace orrery::core
