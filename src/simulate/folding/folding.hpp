// Folding: ranks that do the same at the same times are simulated once, and phases run by their timelines.
// Where messages of different phases may meet, phases run by the messages of one rank that stands for all.
// docs/models/folding.md, "Folding", says why that is exact and where it is not.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "collective/timelines/isolated_phase_simulator.hpp"
#include "simulate/collectives/collective_survey.hpp"
#include "topology/rank_classes.hpp"

namespace orrery::core {

struct Folding {
  RankClasses classes = RankClasses::all_distinct(0);
  bool folded = false;  // otherwise every message of every rank is simulated
  std::string reason;   // the reason why it is not folded
  // Set where messages may meet: the ways of the messages of rank 0, which stands for all.
  std::shared_ptr<const SymmetricRoutes> routes = nullptr;
  // Set where messages of a phase may meet each other, but none of another phase: the ways of each dimension.
  std::shared_ptr<const RoutesOfGroups> isolated = nullptr;

  // Returns whether messages of collectives are simulated at all, beyond what phases take by themselves.
  bool by_messages() const { return !folded || routes; }
};

// Returns whether a run can be folded, and which ranks are equal. If `wanted` is false, it never is.
Folding fold(const Program& program, const Machine& machine, const CollectiveSurvey& survey, bool wanted);

// Returns a folding that simulates every message of every rank, for the given reason.
Folding unfolded(const Machine& machine, const std::string& reason);

// Returns classes of equal ranks. Equal ranks are of one part and compute equally fast. In each dimension
// they are in groups of the same kind that hold the same classes, at positions that do the same. Their
// messages to other parts look alike (message_looks.hpp). Then they start and end every phase together, and
// so do the ranks that they exchange messages with.
RankClasses classes_of_equal_ranks(const Program& program, const Machine& machine,
                                   const CollectiveSurvey& survey);

}  // namespace orrery::core
