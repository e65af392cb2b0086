// A text is refused with an InputError, or says what packets, switches and NICs of a small network do, over
// which flows then end, or stop with a word about why.
#include <cstdint>
#include <string_view>

#include "base/diagnostics/diagnostics.hpp"
#include "network/flows/run_flows.hpp"
#include "network/network_models.hpp"
#include "network/packet/model/packet_keys.hpp"
#include "topology/files/any_network.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace orrery::core;
  Warnings warnings;
  const Topology star = read_any_network(
      "build: switch\nsize: 3\nlink: { bandwidth: 100 Gbit/s, latency: 1 us }\n", "star", warnings);
  std::vector<Flow> flows(2);
  for (int source : {0, 1}) {
    Flow& flow = flows[static_cast<std::size_t>(source)];
    flow.source = source;
    flow.destination = 2;
    flow.bytes = Bytes(20'000);
  }
  try {
    run_flows(flows, star,
              {.model = &packet_model,
               .packets = std::make_shared<const PacketSettings>(
                   read_packet_file({reinterpret_cast<const char*>(data), size}, "input"))});
  } catch (const InputError&) {
  } catch (const StallError&) {
  }
  return 0;
}
