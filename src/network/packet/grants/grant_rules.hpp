// The rules that tell apart the transports in which receivers grant packets (docs/models/network-packet.md,
// Grants).
#pragma once

#include <cstdint>

namespace orrery {

struct GrantRules {
  std::uint32_t packets_of_pull = 1;  // that it grants
  std::uint32_t windows_ahead = 1;    // that may be granted beyond what has come
  bool avoids_labels = false;         // senders leave out labels whose packets were trimmed
};

}  // namespace orrery
