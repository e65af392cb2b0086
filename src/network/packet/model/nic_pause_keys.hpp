// The keys that describe NICs which now and then take nothing in.
#pragma once

#include <vector>

#include "base/input/keys.hpp"
#include "network/packet/settings/packet_settings.hpp"

namespace orrery {

// Reads a map, such as `nic-pauses` of an experiment's `packets`. Throws InputError.
void read_nic_pauses(const InputNode& map, NicPauseSettings& pauses);

// Returns the keys as paths, which begin with ".".
std::vector<KeyPath> nic_pause_keys();

}  // namespace orrery
