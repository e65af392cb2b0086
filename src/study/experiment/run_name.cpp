#include "study/experiment/run_name.hpp"

#include "base/diagnostics/printable.hpp"
#include "base/diagnostics/words.hpp"
#include "report/stored/result_files.hpp"

namespace orrery::core {

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

}  // namespace orrery::core
