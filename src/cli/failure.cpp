#include "cli/failure.hpp"

#include <algorithm>
#include <new>

#include "base/diagnostics.hpp"

namespace orrery {

Failure failure_of(const std::exception_ptr& exception) {
  try {
    std::rethrow_exception(exception);
  } catch (const InputError& error) {
    return {bad_input, error.what()};
  } catch (const StallError& error) {
    return {stalled, std::string("error: ") + error.what()};
  } catch (const std::bad_alloc&) {
    return {bad_input, "error: out of memory, simulate fewer NPUs, chunks or training passes"};
  } catch (const std::exception& error) {
    return {internal_error, std::string("internal error: ") + error.what()};
  }
}

ExitCode worse_of(ExitCode one, ExitCode other) {
  if (one == success || other == success) return std::max(one, other);
  return std::min(one, other);
}

}  // namespace orrery
