// A description of how software uses memory is refused with an InputError, or read.
#include <cstdint>
#include <string_view>

#include "base/diagnostics/diagnostics.hpp"
#include "memory/memory_profile.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace orrery::core;
  try {
    read_memory_profile({reinterpret_cast<const char*>(data), size}, "input");
  } catch (const InputError&) {
  }
  return 0;
}
