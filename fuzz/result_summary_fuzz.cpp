// A text is refused with an InputError, or becomes tables whose columns are of one length.
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "base/diagnostics/diagnostics.hpp"
#include "report/stored/result_summary.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace orrery::core;
  try {
    for (const ResultTable& table :
         read_result_summary({reinterpret_cast<const char*>(data), size}, "input").tables)
      for (const ResultColumn& column : table.columns)
        if (column.rows() != table.rows()) std::abort();
  } catch (const InputError&) {
  }
  return 0;
}
