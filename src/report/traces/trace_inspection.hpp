// Shows the contents of a set of execution traces and the errors in it, as text and as JSON.
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "base/units/rank_id.hpp"
#include "workload/chakra/check/trace_check.hpp"

namespace orrery::core {

struct InspectedTrace {
  std::string file;
  RankId rank;
  chakra::TraceCheck check;

  // Returns whether the trace has no nodes, so that a run has nothing to do for its rank.
  bool holds_nothing() const { return check.nodes_of_type == decltype(check.nodes_of_type){}; }
  bool ok() const {
    return check.can_run() && check.repeated_ids.empty() && check.too_large.empty() && !holds_nothing();
  }
};

// Traces of ranks that send each other messages.
struct InspectedSet {
  std::string name;
  // The traces of all ranks are here; otherwise messages with missing ranks cannot be judged.
  bool all_ranks = false;
  std::vector<InspectedTrace> traces;
  std::vector<chakra::MessageCheck::Unmatched> unmatched;
  std::vector<chakra::MessageCheck::Incomplete> incomplete;
  bool replay_only = false;      // the run sends no messages, so none is judged
  std::uint64_t not_judged = 0;  // sends and receives

  // Adds the errors in messages. The set's traces have to be there already.
  void judge(const chakra::MessageCheck& messages, bool for_replay_only = false);
  bool ok() const;
};

bool ok(const std::vector<InspectedSet>& sets);

// Returns at most a screen of text: totals of all traces, then the errors and the traces that have them.
std::string inspection_text(const std::vector<InspectedSet>& sets);

// Both functions give all results. Bytes that are not UTF-8 are replaced.
nlohmann::ordered_json inspection_to_json(const std::vector<InspectedSet>& sets);
std::string inspection_json(const std::vector<InspectedSet>& sets);

}  // namespace orrery::core
