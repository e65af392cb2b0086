// Random execution traces as files, the same for the same draws.
#pragma once

#include <map>
#include <string>

#include "base/random.hpp"

namespace orrery::core::test {

struct RandomTraceFiles {
  std::map<std::string, std::string> files;  // contents, by name: t.et or t.0.et, t.1.et, ...
  std::string groups;  // the name of the file of groups among them; empty: there is none
};

// Makes a trace for all ranks, or one for each. Ranks of one kind of group do the same collectives, and even
// ranks send messages to odd ones.
RandomTraceFiles random_trace_files(Random& random, int npus);

}  // namespace orrery::core::test
