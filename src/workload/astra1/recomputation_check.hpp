// Checks which layers may start a recomputation.
#pragma once

#include <vector>

#include "base/diagnostics/diagnostics.hpp"

namespace orrery::core {

struct LocatedLayer {
  int index;
  SourceLocation where;
};

// HYBRID_TRANSFORMER_FWD_IN_BCKWD recomputes, at an initiator i, from the last checkpoint j <= i up to the
// next initiator behind j. All lists hold layers of the table only. Throws InputError for exactly those
// combinations that cannot run:
// - no checkpoint at or below i: there is no j;
// - j = i: the next initiator lies above i, so the backward pass comes down to i again and again.
// Neither can be passed over: a recomputation that stops early stops above its checkpoint, and then all
// initiators skipped have a checkpoint below them.
void check_recomputation(const std::vector<LocatedLayer>& checkpoints,
                         const std::vector<LocatedLayer>& initiators);

}  // namespace orrery::core
