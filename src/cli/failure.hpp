// Says what the user of the program sees of failures.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "cli/commands.hpp"
#include "study/run/run_failure.hpp"

namespace orrery::core {

// Returns the exit code that says what kind of failure ended the work.
ExitCode exit_code_of(FailureKind kind);

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
