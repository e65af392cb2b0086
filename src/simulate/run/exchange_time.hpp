// Simulates single exchanges on a machine where nothing else happens.
#pragma once

#include <cstdint>
#include <vector>

#include "base/diagnostics/diagnostics.hpp"
#include "base/units/bytes.hpp"
#include "base/units/time.hpp"
#include "program/collective_request.hpp"
#include "simulate/machine.hpp"

namespace orrery::core {

struct LoneCollective {
  CollectiveKind kind = CollectiveKind::all_reduce;
  Bytes bytes;  // as in CollectiveRequest
  std::vector<LogicalDimension> groups;
  SourceLocation where;
};
// Returns how long a collective takes that all groups begin together, until the last rank has ended. Throws
// InputError where the machine cannot carry it out.
Time time_of_collective(const Machine& machine, const LoneCollective& collective);

struct LoneMessages {
  std::uint32_t senders = 1;  // the ranks from 0 on; at most `distance`
  Bytes bytes;
  std::uint32_t distance = 1;  // from each sender's number to its receiver's
  SourceLocation where;
};
// Returns how long messages take that are sent together, until the last one has arrived. Throws InputError
// where the machine cannot carry them.
Time time_of_messages(const Machine& machine, const LoneMessages& messages);

}  // namespace orrery::core
