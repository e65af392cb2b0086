// What the collectives of a graph use of a machine, found by planning each kind of them once.
#pragma once

#include <vector>

#include "simulate/machine.hpp"
#include "workload/execution_graph.hpp"

namespace orrery {

struct CollectiveSurvey {
  struct Use {
    LogicalDimension dimension;
    bool by_position = false;  // members of a group may do different things: trees, slow links
  };
  std::vector<Use> uses;        // each dimension once
  std::size_t collectives = 0;  // in the graph
  double messages = 0;          // of all ranks, roughly
};

// Throws InputError when an algorithm cannot run what the graph asks for.
CollectiveSurvey survey_collectives(const ExecutionGraph& graph, const Machine& machine);

}  // namespace orrery
