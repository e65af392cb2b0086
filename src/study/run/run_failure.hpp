// What kept something from being simulated, told apart by who can do something about it.
#pragma once

#include <cstdint>
#include <exception>
#include <string>

#include "base/diagnostics/diagnostics.hpp"

namespace orrery::core {

enum class FailureKind : std::uint8_t {
  none,
  internal,  // a fault of this program
  input,     // what the user wrote, or what the machine at hand is too small for
  stall,     // a simulation that cannot go on
  stopped,   // the caller asked to stop
};

struct RunFailure {
  FailureKind kind = FailureKind::none;
  std::string text;        // for people, without a line end
  SourceLocation where{};  // as far as it is known
  std::string message;     // the text without its place and severity
};

RunFailure failure_of(const std::exception_ptr& exception);
// Returns the failure of one run. Its text says where the run is described, unless the failure has a place of
// its own, and which of several runs it is. `run` is empty where there is only one.
RunFailure failure_of_run(const std::exception_ptr& exception, const std::string& run,
                          const SourceLocation& where);

}  // namespace orrery::core
