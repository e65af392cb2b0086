// Finds what the collectives of a graph use of a machine by planning each kind of them once.
#pragma once

#include <vector>

#include "simulate/machine.hpp"
#include "workload/execution_graph.hpp"

namespace orrery {

struct CollectiveSurvey {
  struct Use {
    LogicalDimension dimension;
    bool trees = false;   // some phases are trees, in which positions differ
    bool uneven = false;  // others are exchanges, and where a member stands may decide what its messages take
    bool by_position() const { return trees || uneven; }
  };
  std::vector<Use> uses;        // each dimension once
  std::size_t collectives = 0;  // number in the graph
  double messages = 0;          // number over all ranks, roughly
};

// Throws InputError when an algorithm cannot run what the graph asks for.
CollectiveSurvey survey_collectives(const ExecutionGraph& graph, const Machine& machine);

}  // namespace orrery
