#include "support/flit_networks.hpp"

#include <fmt/format.h>

#include "topology/files/any_network.hpp"

namespace orrery::core::test {

Topology flit_network(const std::string& text) {
  Warnings warnings;
  return read_any_network(text, "network.txt", warnings);
}

std::string flit_ring(int npus, int vcs, int buffer_flits) {
  return fmt::format(
      "num-npus: {} topology: Torus sizes: {} routing-algorithm: Ring_XY flit-width: 256 "
      "package-link-width: 64 package-packet-size: 128 vcs-per-vnet: {} buffers-per-vc: {} ",
      npus, npus, vcs, buffer_flits);
}

Flow flit_flow(int source, int destination, std::uint64_t bytes, std::optional<std::uint32_t> channel) {
  Flow flow;
  flow.source = source;
  flow.destination = destination;
  flow.bytes = Bytes(bytes);
  flow.channel = channel;
  return flow;
}

std::vector<Flow> random_flit_flows(Random& random, int npus, int count) {
  std::vector<Flow> flows;
  for (int i = 0; i < count; ++i) {
    const int source = random.between(0, npus - 1);
    flows.push_back(flit_flow(source, (source + random.between(1, npus - 1)) % npus,
                              static_cast<std::uint64_t>(random.between(1, 3000))));
    flows.back().start = Time::from_ns(random.between(0, 2000));
  }
  return flows;
}

FlowsResult run_flits(const Topology& topology, const std::vector<Flow>& flows) {
  return run_flows(flows, topology, {.model = &packet_model});
}

}  // namespace orrery::core::test
