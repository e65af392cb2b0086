// Turns exceptions into what the user sees of them.
#pragma once

#include <exception>
#include <string>

#include "base/diagnostics.hpp"
#include "cli/commands.hpp"

namespace orrery {

struct Failure {
  ExitCode code = success;
  std::string text;  // for stderr, without a line end
};

Failure failure_of(const std::exception_ptr& exception);
// Returns the failure of one run. Its text says where the run is described, unless the failure has a place of
// its own, and which of several runs it is. `run` is empty where there is only one.
Failure failure_of_run(const std::exception_ptr& exception, const std::string& run,
                       const SourceLocation& where);

// Returns the exit code for two outcomes: a fault of ours counts before bad input, and bad input before a
// stall.
ExitCode worse_of(ExitCode one, ExitCode other);

}  // namespace orrery
