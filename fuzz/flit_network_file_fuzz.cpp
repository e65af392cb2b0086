// A text is refused with an InputError, or read; what was read has NPUs in its dimensions.
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "base/diagnostics/diagnostics.hpp"
#include "topology/flits/flit_network_file.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace orrery::core;
  Warnings warnings;
  try {
    const Topology topology =
        read_flit_network_file({reinterpret_cast<const char*>(data), size}, "input", warnings);
    if (!topology.flits || topology.npus() < 1) std::abort();
  } catch (const InputError&) {
  }
  return 0;
}
