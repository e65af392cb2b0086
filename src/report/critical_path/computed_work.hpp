// The operators that stand behind the times of a program's computations.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/units/seconds.hpp"
#include "compute/cost_explanation.hpp"
#include "program/execution_graph.hpp"

namespace orrery::core {

struct ComputedOperator {
  std::string layer, name, shape;
  std::string_view pass;  // pass of a layer, in the words of the workload
  Seconds time;           // time of one run, with everything that slows it down
  // Says why a device takes its time. None: nothing else is known about it.
  std::optional<CostExplanation> explanation;
  Seconds software;  // time that the software adds to that of the device; negative: it takes time away

  // Returns the part of `time` that stands for so many seconds of the device.
  double share_of(double seconds) const {
    const double all = explanation ? explanation->cost.seconds + software.count() : time.count();
    return all > 0 ? seconds / all : 0;
  }
};

// The part of an operator that an operation computes.
struct WorkItem {
  const ComputedOperator* op;
  double count = 1;  // how many times; a fraction where it is cut
  Seconds time;      // time of all of it, with everything that slows it down
  // The part of `time` that is due to collectives which are no operations of their own.
  Seconds contended = {};
};

// Collectives within an operation that are alike, with the time for which it waits for them.
struct ExposedCollective {
  const CollectiveRequest* request;
  double count = 1;
  Seconds time;  // time of all of them
};

class ComputedWork {
 public:
  virtual ~ComputedWork() = default;

  // Returns what an operation computes. It is empty where only its time is known.
  virtual std::vector<WorkItem> of(std::uint32_t part, ExecutionGraph::Id operation) const = 0;
  // Returns what an operation that stands for a whole pass, collectives included, waits for.
  virtual std::vector<ExposedCollective> exposed(std::uint32_t /*part*/,
                                                 ExecutionGraph::Id /*operation*/) const {
    return {};
  }
};

// Returns "4096 x 1024 x 512" and the like. It is empty for operators whose shape is of no interest.
std::string shape_of(const Operator& op);

}  // namespace orrery::core
