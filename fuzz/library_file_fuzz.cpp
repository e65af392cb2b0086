// A text is refused with an InputError, or read; what was read has a time for a collective on all of its
// links.
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "base/diagnostics/diagnostics.hpp"
#include "collective/library/collective_library.hpp"
#include "collective/library/library_file.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace orrery::core;
  try {
    const auto constants = read_library_file({reinterpret_cast<const char*>(data), size}, "input");
    for (const InsideLink& inside : constants.inside) {
      const CollectiveLibrary library(constants, {inside.name, "", 8, 0}, {});
      if (!std::isfinite(library.seconds(CollectiveKind::all_reduce, 1e6, {8, 8}))) std::abort();
    }
  } catch (const InputError&) {
  }
  return 0;
}
