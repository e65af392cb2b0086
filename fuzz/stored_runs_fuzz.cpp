// A text is refused with an InputError, or read; runs that were read can be compared and shown.
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "report/compare/comparison.hpp"
#include "report/compare/run_changes.hpp"
#include "report/stored/stored_runs.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace orrery::core;
  try {
    const auto runs = read_stored_runs({reinterpret_cast<const char*>(data), size}, "input");
    if (runs.empty()) return 0;
    const Summary &first = runs.front().summary, &last = runs.back().summary;
    if (text_of(changes_between(first, last, {}), true).empty()) std::abort();
    ComparisonReport report;
    for (Summary summary : {first, last}) {
      summary.varied.clear();
      report.add(summary);
    }
    if (report.text(false).empty()) std::abort();
  } catch (const InputError&) {
  }
  return 0;
}
