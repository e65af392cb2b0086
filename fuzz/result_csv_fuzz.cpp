// A text is refused with an InputError, or becomes columns of one length with places that exist.
#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "base/diagnostics/diagnostics.hpp"
#include "report/stored/result_table.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace orrery::core;
  try {
    const auto columns = read_result_csv({reinterpret_cast<const char*>(data), size}, "input");
    for (const ResultColumn& column : columns) {
      if (column.rows() != columns.front().rows()) std::abort();
      for (const std::uint32_t place : column.places)
        if (place >= column.words.size()) std::abort();
    }
  } catch (const InputError&) {
  }
  return 0;
}
