// The operators that stand behind the times of a program's computations.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/seconds.hpp"
#include "compute/cost_explanation.hpp"
#include "program/execution_graph.hpp"

namespace orrery {

struct ComputedOperator {
  std::string layer, name, shape;
  std::string_view pass;  // of a layer, in the words of the workload
  Seconds time;           // as it runs, once
  // Why a device takes its time; none: nothing else is known of it.
  std::optional<CostExplanation> explanation;
  Seconds software;  // that the software adds to what the device takes; negative: it takes away

  // Returns the share of `time` that stands for so many seconds of the device.
  double share_of(double seconds) const {
    const double all = explanation ? explanation->cost.seconds + software.count() : time.count();
    return all > 0 ? seconds / all : 0;
  }
};

// The part of an operator that an operation computes.
struct WorkItem {
  const ComputedOperator* op;
  double count = 1;  // how often; a fraction where it is cut
  Seconds time;      // of all of it, as it runs
};

// Collectives within an operation that are alike, for which it waits so long.
struct ExposedCollective {
  const CollectiveRequest* request;
  double count = 1;
  Seconds time;  // of all of them
};

class ComputedWork {
 public:
  virtual ~ComputedWork() = default;

  // Returns what an operation computes; empty: only its time is known.
  virtual std::vector<WorkItem> of(std::uint32_t part, ExecutionGraph::Id operation) const = 0;
  // Returns what an operation waits for that stands for a whole pass, collectives included.
  virtual std::vector<ExposedCollective> exposed(std::uint32_t /*part*/,
                                                 ExecutionGraph::Id /*operation*/) const {
    return {};
  }
};

// Returns "4096 x 1024 x 512" and the like; empty for what has no shape of interest.
std::string shape_of(const Operator& op);

}  // namespace orrery
