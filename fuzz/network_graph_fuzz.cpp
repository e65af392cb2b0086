// A text is refused with an InputError, or becomes a network whose ends, groups and measures are sound.
// Numbers of more than three digits only make networks large, and are left out.
#include <cctype>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "report/network/graph_dot.hpp"
#include "report/network/graph_svg.hpp"
#include "report/network/topology_report.hpp"

namespace {

bool has_large_number(std::string_view text) {
  int digits = 0;
  for (const char c : text) {
    digits = std::isdigit(static_cast<unsigned char>(c)) != 0 ? digits + 1 : 0;
    if (digits > 3) return true;
  }
  return false;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace orrery::core;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  if (has_large_number(text)) return 0;
  try {
    Warnings warnings;
    const BuiltNetwork network = read_graph_file(text, "input", warnings);
    std::size_t npus = 1;
    for (const int group : network.groups) npus *= static_cast<std::size_t>(group);
    if (npus != network.graph.npus()) std::abort();
    if (network.graph.links() > 1000) return 0;
    topology_text(describe_network(network, "input"));
    graph_dot(network.graph);
    graph_svg(network.graph);
  } catch (const InputError&) {
  }
  return 0;
}
