#include "study/run_name.hpp"

#include <algorithm>

#include "base/printable.hpp"
#include "base/words.hpp"
#include "report/result_files.hpp"
#include "study/results_reader.hpp"

namespace orrery {
namespace {

// Such files may be in the folder of an experiment, beside the folders of its runs, or are looked for there.
bool is_name_of_results(const std::string& name) {
  return name == kineto_folder || is_result_table(name) ||
         std::ranges::any_of(experiment_files, [&](const ResultFile& file) { return file.name == name; });
}

}  // namespace

void check_run_name(const std::string& name, const SourceLocation& where) {
  if (name.empty() || name.size() > 200 || name.front() == '.' ||
      name.find_first_of("/\\,\"") != std::string::npos || !is_printable(name))
    throw InputError(where, backquoted(name) +
                                " cannot be a name: it has to have 1 to 200 characters, no slash, comma, "
                                "quote or control character, and no dot in front; choose another `name`");
  if (is_name_of_results(name))
    throw InputError(
        where,
        backquoted(name) + " cannot be a name: a file of the results is called so; choose another `name`");
}

}  // namespace orrery
