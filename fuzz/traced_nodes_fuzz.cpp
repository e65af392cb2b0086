// A list of the nodes whose packets ns-3 traces is refused with an InputError, or read; the nodes exist.
#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "base/diagnostics/diagnostics.hpp"
#include "network/packet/ns3/ns3_outputs.hpp"
#include "topology/graph/network_graph.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace orrery::core;
  constexpr std::size_t nodes = 20;
  NetworkGraph graph;
  for (std::size_t node = 0; node < nodes; ++node) graph.add({NodeKind::npu, "npu" + std::to_string(node)});
  try {
    const auto traced = read_traced_nodes({reinterpret_cast<const char*>(data), size}, "input", graph);
    if (std::ranges::any_of(traced, [](NodeId node) { return node.index() >= nodes; })) std::abort();
  } catch (const InputError&) {
  }
  return 0;
}
