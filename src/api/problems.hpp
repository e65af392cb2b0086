// Makes problems, which programs get, of what the inside throws and returns.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "orrery/diagnostics.hpp"
#include "study/run/run_failure.hpp"

namespace orrery::core {

// `run` is the name of the run that failed; empty where none did.
Problem problem_of(const RunFailure& failure, const std::string& run = {});

// Returns the problem of who asks for a table that is none of these. `run` as above.
Problem no_table(std::string_view name, const std::vector<std::string>& known, const std::string& run);

// Returns the problem of the exception that is being handled.
Problem problem_of_exception();

}  // namespace orrery::core
