// A text is refused with an InputError, or read; what was read has packets.
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "base/diagnostics/diagnostics.hpp"
#include "network/host/host_stack_file.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace orrery::core;
  try {
    const HostStack stack = read_host_stack_file({reinterpret_cast<const char*>(data), size}, "input");
    if (stack.packet == Bytes() || stack.npus_per_host < 1 || stack.cores < 0) std::abort();
  } catch (const InputError&) {
  }
  return 0;
}
