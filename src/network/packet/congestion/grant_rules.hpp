// The rules that tell apart the transports in which receivers grant packets (docs/models/network-packet.md,
// Grants).
#pragma once

#include <cstdint>

namespace orrery::core {

struct GrantRules {
  std::uint32_t packets_of_pull = 1;  // packets that a pull grants
  std::uint32_t windows_ahead = 1;    // windows that may be granted beyond what has come
  bool avoids_labels = false;         // senders leave out labels of packets that were trimmed
  // Least time after which a sender sends again, to which so many times are added as a full queue takes at
  // the rate of its line. These are the values of htsim's programs of NDP and EQDS.
  std::int64_t min_timeout_ps = 150'000'000;
  std::uint32_t queues_of_timeout = 6;
};

}  // namespace orrery::core
