// Says what the collectives of a program use of a machine. Who carries them out finds that out
// (collective_policy.hpp), before the run.
#pragma once

#include <vector>

#include "collective/algorithms/schedule.hpp"
#include "network/folding/symmetric_routes.hpp"
#include "program/program.hpp"
#include "simulate/machine.hpp"

namespace orrery::core {

struct CollectiveSurvey {
  struct Use {
    LogicalDimension dimension;
    bool trees = false;   // some phases are trees, in which positions differ
    bool uneven = false;  // others are exchanges, and where a member stands may decide what its messages take
    bool rooted = false;  // in some phases a root does other things than its group's other members
    // Where messages of collectives may meet: the peers that members send to in exchanges, each kind once.
    std::vector<PeerMessages> peers = {};
    bool by_position() const { return trees || uneven || rooted; }
  };
  std::vector<Use> uses;        // each dimension once
  std::size_t collectives = 0;  // number in the graphs of all parts
  double messages = 0;          // number over all ranks, roughly; streams do not count them
  // Whether `uses` says everything. It does not where members are listed, which lie in no dimension, where
  // each runs a program of its own, and where a collective cannot be planned: the run then says why.
  bool complete = true;
};

// Returns the use of a dimension, which is added where it is not there.
CollectiveSurvey::Use& use_of(std::vector<CollectiveSurvey::Use>& uses, const LogicalDimension& dimension);

// Adds whom the members of a group send to in an exchange, each kind once. With `turns`, phases of some
// queues go around their group in the other direction. Which ones do depends on what was planned before, so
// both directions count.
void add_peers(std::vector<PeerMessages>& peers, const LogicalDimension& group,
               const ExchangeSchedule& exchange, bool turns);

// Returns the dimensions of all groups that carry out collectives as a whole. These end on all members at
// once.
CollectiveSurvey survey_of_groups(const Program& program);

}  // namespace orrery::core
