// What of a run of traces need not be simulated message by message. (docs/design.md, "Traces in one go")
#pragma once

#include <string>
#include <vector>

#include "simulate/trace/trace_machine.hpp"

namespace orrery {

struct TraceFolding {
  enum class Level {
    messages,  // every message of every rank
    phases,    // every rank; phases of collectives in one go
    one_rank,  // which stands for all; phases of collectives in one go
    in_step,   // likewise, message by message; tells in which order ranks end in an instant
  };
  Level level = Level::messages;
  std::string why;  // in words, as `--explain` says it
  // So few messages that all can be simulated where ranks end in the same instant and their order is not
  // known.
  bool few_messages = false;
};

TraceFolding fold(const std::vector<RankTrace>& traces, const TraceMachine& machine);

// What to do instead of a folding of so many ranks that has turned out not to do.
TraceFolding less_folded(const TraceFolding& folding, const std::string& reason, std::size_t ranks);

}  // namespace orrery
