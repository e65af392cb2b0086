// A text is refused with an InputError, or read; what was read can be laid beside itself, and then nothing
// differs.
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "report/profile/files/kineto_file.hpp"
#include "report/profile/measured_comparison.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace orrery::core;
  try {
    Warnings warnings;
    chakra::MemorySource bytes({reinterpret_cast<const char*>(data), size});
    const auto ranks = read_kineto(bytes, "input", warnings);
    const MeasuredComparison same = compare_with_measured("run", ranks, {ranks.front()}, {}, warnings);
    if (text_of(same, true).empty()) std::abort();
    for (const ActivityPair& pair : same.activities)
      if (ranks.size() == 1 && pair.change() != Time()) std::abort();
  } catch (const InputError&) {
  }
  return 0;
}
