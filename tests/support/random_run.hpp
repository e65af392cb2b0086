// Random but valid runs, the same for the same seed.
#pragma once

#include <cstdint>
#include <ostream>
#include <string>

#include "study/run/run_spec.hpp"

namespace orrery::core::test {

struct RandomRunLimits {
  int max_npus = 64;
  bool shared_bus = true;
  bool whole_machine = true;  // the `one...` algorithms
};

RunSpec random_run(std::uint64_t seed, const Dialect& dialect, const RandomRunLimits& limits = {});

// Makes some ranks of a run compute or send more slowly than others.
void vary_ranks(RunSpec& spec, std::uint64_t seed);

// Returns a description for the message of a failing test.
std::string describe(const RunSpec& spec);

}  // namespace orrery::core::test

namespace orrery::core {
// GoogleTest prints values with this.
inline void PrintTo(const Dialect& dialect, std::ostream* stream) {
  *stream << dialect.name;
}
}  // namespace orrery::core
