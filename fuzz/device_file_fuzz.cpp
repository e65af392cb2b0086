// A text is refused with an InputError, or read; what was read has a time for a product.
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "base/diagnostics/diagnostics.hpp"
#include "compute/device_file.hpp"
#include "compute/roofline/roofline_model.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace orrery::core;
  try {
    const RooflineModel model(read_device_file({reinterpret_cast<const char*>(data), size}, "input"));
    for (const auto& [word, type] : datatype_words) {
      if (model.device().product_peak(type) <= 0) continue;
      if (!std::isfinite(model.cost({"", Gemm{100, 200, 300, 4}, type}).seconds)) std::abort();
    }
  } catch (const InputError&) {
  }
  return 0;
}
