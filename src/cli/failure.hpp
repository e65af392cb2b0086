// Exceptions as what the user sees of them.
#pragma once

#include <exception>
#include <string>

#include "cli/commands.hpp"

namespace orrery {

struct Failure {
  ExitCode code = success;
  std::string text;  // for stderr, without a line end
};

Failure failure_of(const std::exception_ptr& exception);

// The exit code for two outcomes: a fault of ours before bad input before a stall.
ExitCode worse_of(ExitCode one, ExitCode other);

}  // namespace orrery
