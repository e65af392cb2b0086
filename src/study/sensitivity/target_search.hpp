// Finds the least change of a machine that brings a run down to a time.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "study/sensitivity/changed_runs.hpp"
#include "study/sensitivity/improvement.hpp"
#include "study/sensitivity/sensitivity.hpp"

namespace orrery::core {

// A parameter, a way in which it gets better, and what that gains.
struct Candidate {
  const MachineParameter* parameter;
  Improvement improvement;
  SensitivityRow row;

  bool gains() const { return row.is_possible() && row.after < row.before; }
  // Returns the parameter's value when it is better by a factor, or its present value where it cannot be.
  std::string value_at(double factor) const;
  void set(double factor, Settings& settings) const;
  // Returns the factor by which the value then is really better: whole numbers are rounded, and shares end at
  // 1.
  double ratio_at(double factor) const;
};

class TargetSearch {
 public:
  // Keeps references. The candidates are those that gain time, the best first.
  TargetSearch(const ChangedRuns& runs, std::span<const Candidate> candidates, const ChangeCosts& costs,
               Time target)
      : runs_(runs), candidates_(candidates), costs_(costs), target_(target) {}

  // Return the least change, and the first of equal ones. None: no change reaches the target.
  std::optional<TargetChange> single() const;
  std::optional<TargetChange> pair(const std::optional<TargetChange>& best_single) const;

 private:
  using Changes = std::vector<const Candidate*>;

  template <class Search>
  std::optional<TargetChange> min_of(const std::vector<Changes>& sets, std::string_view what,
                                     const Search& search) const;
  bool is_less(const TargetChange& a, const TargetChange& b) const;
  // Returns whether somebody can make the change: it has a cost, or without any costs, it is no constant of a
  // fit.
  bool can_be_had(const Candidate& candidate) const {
    return costs_.empty() ? candidate.row.kind != ParameterKind::fitted : candidate.row.cost.has_value();
  }
  double cost_of(const Candidate& candidate, double factor) const;
  TargetChange change(const Changes& changes, const std::vector<double>& factors, Time after) const;
  // Finds the smallest factor for the changes that are marked, while the others keep theirs.
  std::optional<TargetChange> min_factor(const Changes& changes, std::vector<double> factors,
                                         const std::vector<bool>& marked) const;
  std::optional<TargetChange> min_by_one_factor(const Changes& changes) const;
  std::optional<TargetChange> cheapest_pair(const Changes& changes,
                                            const std::optional<TargetChange>& best_single) const;

  const ChangedRuns& runs_;
  std::span<const Candidate> candidates_;
  const ChangeCosts& costs_;
  Time target_;
};

}  // namespace orrery::core
