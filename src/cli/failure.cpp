#include "cli/failure.hpp"

#include <algorithm>
#include <new>

#include "base/printable.hpp"
#include "base/words.hpp"

namespace orrery {

Failure failure_of(const std::exception_ptr& exception) {
  try {
    std::rethrow_exception(exception);
  } catch (const InputError& error) {
    return {bad_input, error.what()};
  } catch (const StallError& error) {
    return {stalled, printable_lines(std::string("error: ") + error.what())};
  } catch (const std::bad_alloc&) {
    return {bad_input, "error: out of memory, simulate fewer NPUs, chunks or training passes"};
  } catch (const std::exception& error) {
    return {internal_error, printable_lines(std::string("internal error: ") + error.what())};
  }
}

Failure failure_of_run(const std::exception_ptr& exception, const std::string& run,
                       const SourceLocation& where) {
  constexpr std::string_view nowhere = "error: ";
  Failure failure = failure_of(exception);
  if (failure.text.starts_with(nowhere)) {
    const std::string which = run.empty() ? "" : "run " + backquoted(run) + ": ";
    failure.text = where.text() + ": error: " + which + failure.text.substr(nowhere.size());
  } else if (!run.empty()) {
    failure.text += " (run " + backquoted(run) + ")";
  }
  return failure;
}

ExitCode worse_of(ExitCode one, ExitCode other) {
  if (one == success || other == success) return std::max(one, other);
  return std::min(one, other);
}

}  // namespace orrery
