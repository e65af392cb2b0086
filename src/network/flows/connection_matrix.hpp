// The connection matrices of htsim: flows, and the triggers by which they start one another.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "network/flows/flow.hpp"
#include "topology/graph/changes/link_changes.hpp"

namespace orrery::core {

// A link of a switch that is broken from the start.
struct MatrixFailure {
  int level = 1;             // level of the switch: 1 is that of hosts' switches (TOR), 2 AGG, 3 CORE
  std::uint32_t number = 0;  // number of the switch among those of its level
  // The number of the link, counted among the switch's links up, or among the links down of a switch of the
  // highest level.
  std::uint32_t link = 0;
  SourceLocation where;
};

struct ConnectionMatrix {
  std::vector<Flow> flows;
  std::vector<MatrixFailure> failures;
};

// Returns whether the text looks like a connection matrix.
bool is_connection_matrix(std::string_view text);

// Reads a connection matrix. A flow with a trigger starts when all flows that fire it have ended. Throws
// InputError, also for triggers that a flow cannot wait for in this way.
ConnectionMatrix read_connection_matrix(std::string_view text, const std::string& file);

// Returns the failures as changes of a graph's links. Throws InputError where a switch or link does not
// exist, and where the failures keep NPUs from reaching others.
LinkChanges changes_of(const std::vector<MatrixFailure>& failures, const NetworkGraph& graph);

}  // namespace orrery::core
