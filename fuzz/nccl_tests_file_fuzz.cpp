// A text is refused with an InputError, or read; what was read took time.
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "study/calibration/measured/nccl_tests_file.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace orrery::core;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  is_nccl_tests(text);
  try {
    for (const MeasuredCollective& row : read_nccl_tests(text, "input", {}))
      if (!(row.seconds > 0) || !(row.bytes > 0) || row.group.members < 1) std::abort();
  } catch (const InputError&) {
  }
  return 0;
}
