// A text is refused with an InputError, or read; what was read has extents.
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "compute/measured/shape_table.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace orrery::core;
  try {
    const auto rows = read_shape_table({reinterpret_cast<const char*>(data), size}, "input");
    if (rows.empty()) std::abort();
    for (const ShapeRow& row : rows)
      if (row.gemm.m < 1 || row.gemm.n < 1 || row.gemm.k < 1 || row.gemm.batch < 1) std::abort();
  } catch (const InputError&) {
  }
  return 0;
}
