// Turns exceptions into what the user sees of them.
#pragma once

#include <exception>
#include <map>
#include <string>
#include <vector>

#include "base/diagnostics/diagnostics.hpp"
#include "cli/commands.hpp"

namespace orrery::core {

struct Failure {
  ExitCode code = success;
  std::string text;  // for stderr, without a line end
};

Failure failure_of(const std::exception_ptr& exception);
// Returns the failure of one run. Its text says where the run is described, unless the failure has a place of
// its own, and which of several runs it is. `run` is empty where there is only one.
Failure failure_of_run(const std::exception_ptr& exception, const std::string& run,
                       const SourceLocation& where);

// Runs of one experiment that fail for the same reason, of which the first ones are told one by one.
class RepeatedFailures {
 public:
  // Takes the failure of a run, as failure_of() says it, and returns whether to tell it.
  bool add(const std::string& run, const std::string& text);
  // Returns a line for each reason for which further runs failed: how many, and the first ones.
  std::vector<std::string> lines(const std::string& experiment) const;

 private:
  struct Reason {
    std::string first;  // run
    std::size_t told = 0;
    std::vector<std::string> further;  // the first of further runs
    std::size_t count = 0;             // of further runs
  };

  std::map<std::string, std::size_t> number_of_;  // reason, by what failed without its place
  std::vector<Reason> reasons_;
};

// Returns the exit code for two outcomes: a fault of ours counts before bad input, and bad input before a
// stall.
ExitCode worse_of(ExitCode one, ExitCode other);

}  // namespace orrery::core
