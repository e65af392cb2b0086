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
    one_rank,  // which stands for all
  };
  Level level = Level::messages;
  std::string why;  // in words, as `--explain` says it
};

TraceFolding fold(const std::vector<RankTrace>& traces, const TraceMachine& machine);

// The next level below one that has turned out not to do.
TraceFolding less_folded(TraceFolding::Level level, const std::string& reason);

}  // namespace orrery
