// Makes the operations in which a rank waits for the process that drives its device
// (docs/models/host-process.md).
#pragma once

#include "program/execution_graph.hpp"

namespace orrery::core {

inline Operation host_operation(HostWork work, Pass pass, std::int32_t layer, std::int32_t iteration,
                                Time duration) {
  Operation operation{OperationKind::compute, pass, layer, iteration, duration};
  operation.slot = Slot::host;
  operation.host_work = work;
  return operation;
}

}  // namespace orrery::core
