// A text is refused with an InputError, or becomes a network whose ends, groups and measures are sound.
// Numbers that only make networks large are left out: those of more than three digits, and sizes of a built
// network whose product is large.
#include <algorithm>
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

// Sizes and counts are the whole numbers without a unit. A few of three digits make a fat tree of millions of
// NPUs.
bool builds_large_network(std::string_view text) {
  if (text.find("build") == std::string_view::npos) return false;
  double product = 1;
  for (std::size_t at = 0; at < text.size();) {
    double number = 0;
    const std::size_t begin = at;
    while (at < text.size() && std::isdigit(static_cast<unsigned char>(text[at])) != 0)
      number = 10 * number + (text[at++] - '0');
    if (at == begin) {
      ++at;
      continue;
    }
    const std::size_t next = std::min(text.find_first_not_of(' ', at), text.size());
    const bool has_unit = next < text.size() && std::isalpha(static_cast<unsigned char>(text[next])) != 0;
    if (number > 1 && !has_unit) product *= number;
  }
  return product > 100'000;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace orrery::core;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  if (has_large_number(text) || builds_large_network(text)) return 0;
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
