// Random runs that are written twice: in ASTRA-sim's files and flags, and as an experiment.
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "support/cases.hpp"

namespace orrery::core::test {

struct TwoDoors {
  std::map<std::string, std::string> files;  // contents, by names beside one another
  Flags flags;                               // of `orrery run`; files are named as in `files`
  std::string experiment;
};

// A layer table with the files of ASTRA-sim 1.0.
TwoDoors layer_table_by_two_doors(std::uint64_t seed);
// Execution traces with the files of ASTRA-sim 2, on dimensions or on a graph.
TwoDoors traces_by_two_doors(std::uint64_t seed);

}  // namespace orrery::core::test
