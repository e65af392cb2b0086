// A text is refused with an InputError, or read; what was read moves or computes something.
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "compute/kernels/kernel_table.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace orrery::core;
  try {
    const auto rows = read_kernel_table({reinterpret_cast<const char*>(data), size}, "input");
    if (rows.empty()) std::abort();
    for (const KernelShape& row : rows)
      if (row.seconds && !(*row.seconds > 0)) std::abort();
  } catch (const InputError&) {
  }
  return 0;
}
