#include "study/run_name.hpp"

#include <algorithm>
#include <iterator>
#include <string_view>

#include "base/printable.hpp"
#include "base/words.hpp"

namespace orrery {
namespace {

// These files are in an experiment's folder, beside the folders of its runs.
constexpr std::string_view result_files[] = {"summary.json",    "runs.csv",    "layers.csv",
                                             "comparisons.csv", "layouts.csv", "crosscheck.csv",
                                             "sensitivity.csv"};

}  // namespace

void check_run_name(const std::string& name, const SourceLocation& where) {
  if (name.empty() || name.size() > 200 || name.front() == '.' ||
      name.find_first_of("/\\,\"") != std::string::npos || !is_printable(name))
    throw InputError(where, backquoted(name) +
                                " cannot be a name: it has to have 1 to 200 characters, no slash, comma, "
                                "quote or control character, and no dot in front; choose another `name`");
  if (std::find(std::begin(result_files), std::end(result_files), name) != std::end(result_files))
    throw InputError(
        where,
        backquoted(name) + " cannot be a name: a file of the results is called so; choose another `name`");
}

}  // namespace orrery
