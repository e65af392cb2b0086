// The keys that describe links with credits.
#pragma once

#include <vector>

#include "base/input/keys.hpp"
#include "network/packet/settings/credit_settings.hpp"

namespace orrery::core {

// Reads a map, such as `credits` of an experiment's `packets`. Throws InputError.
void read_credits(const InputNode& map, CreditSettings& credits);

// Returns the keys as paths, which begin with ".".
std::vector<KeyPath> credit_keys();

}  // namespace orrery::core
