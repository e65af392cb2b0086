// Says how a message is divided among the flows that carry it.
#pragma once

#include <algorithm>
#include <cstdint>

#include "base/diagnostics/diagnostics.hpp"
#include "network/packet/settings/packet_settings.hpp"
#include "network/transport.hpp"

namespace orrery::core {

struct MessageStripes {
  std::uint64_t size = 0;  // bytes of the message, one at least
  std::uint32_t count = 0;
  int priority = 0;

  std::uint64_t bytes(std::uint32_t stripe) const {
    return size * (stripe + 1) / count - size * stripe / count;
  }
};

// Divides a message into at most `most` stripes, each of which has a packet of its own. Throws InputError for
// a message that packets cannot carry.
inline MessageStripes stripes_of(const MessageService& service, Bytes bytes, std::uint32_t most,
                                 const PacketSettings& settings) {
  if (service.priority == 0)
    throw InputError({}, "the message has priority 0, which is that of pauses: give 1 to 7");
  if (bytes.count() == 0 && settings.refuses_empty)
    throw InputError({}, "the message has no bytes, and ns-3's back end never ends such a one: leave it out");
  const std::uint64_t size = std::max<std::uint64_t>(bytes.count(), 1);
  const std::uint64_t packets = (size - 1) / settings.sizes.payload + 1;
  return {size, static_cast<std::uint32_t>(std::min<std::uint64_t>(most, packets)),
          service.priority.value_or(settings.priority)};
}

}  // namespace orrery::core
