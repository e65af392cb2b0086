// A text is refused with an InputError, or read; what was read has groups with bytes.
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "collective/library/group_table.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace orrery::core;
  try {
    const auto rows = read_group_table({reinterpret_cast<const char*>(data), size}, "input");
    if (rows.empty()) std::abort();
    for (const GroupRow& row : rows)
      if (row.group.members < 1 || row.group.per_node < 1 || row.bytes < 1) std::abort();
  } catch (const InputError&) {
  }
  return 0;
}
