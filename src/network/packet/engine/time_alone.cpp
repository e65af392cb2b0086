#include "network/packet/engine/time_alone.hpp"

#include <algorithm>

#include "network/packet/congestion/congestion_control.hpp"
#include "network/packet/wide_product.hpp"

namespace orrery::core {
namespace {

constexpr std::uint64_t bit_ps_of_a_byte = 8'000'000'000'000;

// Returns the ps that a packet of this many bytes takes over all hops.
Stamp passage(const std::vector<LoneHop>& hops, const PacketClock& clock, std::uint64_t bytes) {
  Stamp sum = 0;
  for (const LoneHop& hop : hops) sum += hop.delay + clock.transmission(bytes, hop.rate);
  return sum;
}

// Returns how long the last of several packets waits for a hop at least, if all packets before it are full
// and come at once. The time that the one right before it takes there is not included.
Stamp queueing(const LoneHop& hop, const PacketClock& clock, std::uint64_t full, std::uint64_t packets) {
  const Stamp one = clock.transmission(full, hop.rate);
  if (hop.links == 1) return static_cast<Stamp>(packets - 2) * one;
  const std::uint64_t before = packets > hop.links ? packets - hop.links : 0;
  return static_cast<Stamp>(product_over(before * full, bit_ps_of_a_byte, hop.all_rate)) - one;
}

// Returns the ps that several packets take, where the last one has another number of bytes. It waits for the
// full ones at the slowest place of the route, and at the place where it catches up with the one before it,
// which is the same or a later one. The longest of the sums over both places counts.
Stamp passage_of_several(const std::vector<LoneHop>& hops, const PacketClock& clock, std::uint64_t full,
                         std::uint64_t last, std::uint64_t packets) {
  Stamp longest = 0, until_here = 0, from_here = passage(hops, clock, last), longest_wait = 0;
  for (const LoneHop& hop : hops) {
    const Stamp here = queueing(hop, clock, full, packets);
    if (hop.links == 1) longest_wait = std::max(longest_wait, here);
    until_here += clock.transmission(full, hop.rate);
    longest = std::max(longest, until_here + (hop.links == 1 ? longest_wait : here) + from_here);
    until_here += hop.delay;
    from_here -= hop.delay + clock.transmission(last, hop.rate);
  }
  return longest;
}

}  // namespace

void LoneHop::add(std::uint64_t link_rate, Stamp link_delay) {
  rate = std::max(rate, link_rate);
  all_rate += link_rate;
  delay = links == 0 ? link_delay : std::min(delay, link_delay);
  ++links;
}

Stamp time_alone(const std::vector<LoneHop>& there, const std::vector<LoneHop>& back,
                 const PacketSettings& settings, std::uint64_t bytes) {
  const PacketClock clock(settings.whole_nanoseconds);
  const PacketSizes& sizes = settings.sizes;
  const std::uint32_t telemetry = settings.congestion.kind ? settings.congestion.kind->header_bytes : 0;
  const std::uint64_t packets = (bytes - 1) / sizes.payload + 1;
  const auto rest = static_cast<std::uint32_t>(bytes - (packets - 1) * sizes.payload);
  const std::uint64_t last = sizes.data(rest, telemetry);
  const Stamp data =
      packets == 1 ? passage(there, clock, last)
                   : passage_of_several(there, clock, sizes.data(sizes.payload, telemetry), last, packets);
  return settings.ends_when_acknowledged ? data + passage(back, clock, sizes.ack(telemetry)) : data;
}

}  // namespace orrery::core
