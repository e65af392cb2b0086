// A text is refused with an InputError, or read, in every dialect.
#include <cstdint>
#include <string_view>

#include "collective/plan/system_file.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace orrery::core;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  for (const Dialect& dialect : {native_dialect, astra_sim_1_dialect}) {
    Warnings warnings;
    try {
      read_system_file(text, "input", 2.5, dialect, warnings);
    } catch (const InputError&) {
    }
  }
  return 0;
}
