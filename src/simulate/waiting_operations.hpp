// Writes the lines of a report on a stalled run that say what its operations wait for.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "base/units/rank_id.hpp"
#include "base/units/time.hpp"
#include "collective/collective_backend.hpp"

namespace orrery::core {

// An operation that has started and not ended. `of_class` and `token` are those of
// CollectiveBackend::Waiting.
struct WaitingOperation {
  ClassId of_class;
  std::uint32_t token;
  std::string who, what;  // "rank 3", "node 5 (`gradients`)"
  Time started;
  std::string detail = {};  // details, such as which message it is; empty: `what` says everything
};

// Returns a line for each operation, and below it what its collective waits for. Then come collectives that
// only other ranks have under way; `name` names these.
std::vector<std::string> waiting_lines(
    const std::vector<WaitingOperation>& operations,
    const std::vector<CollectiveBackend::Waiting>& collectives,
    const std::function<std::string(ClassId of_class, std::uint32_t token)>& name);

}  // namespace orrery::core
