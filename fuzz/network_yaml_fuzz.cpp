// A text is refused with an InputError, or read; what was read can be simulated.
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "topology/files/network_yaml_file.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace orrery::core;
  Warnings warnings;
  try {
    const Topology topology =
        read_network_yaml_file({reinterpret_cast<const char*>(data), size}, "input", warnings);
    for (const Dimension& dimension : topology.dimensions)
      if (dimension.size < 2 || dimension.links_per_message() < 1) std::abort();
    if (topology.npus() < 2) std::abort();
  } catch (const InputError&) {
  }
  return 0;
}
