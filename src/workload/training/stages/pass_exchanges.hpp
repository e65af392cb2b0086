// When the collectives within the layers of a pass begin, where each takes a known time.
#pragma once

#include <map>
#include <utility>
#include <vector>

#include "workload/training/stages/block_costs.hpp"
#include "workload/training/stages/stage_walk.hpp"

namespace orrery::core {

struct PassExchange {
  Exchange exchange;
  Seconds begin;  // since the beginning of the pass
};

// Keeps a reference. The setup's layers communicate in whole collectives, and its ZeRO is below 2, so that
// blocks follow one another without waiting for weights or gradients.
class PassExchanges {
 public:
  explicit PassExchanges(const TrainingSetup& setup) : setup_(setup) {}

  // Returns the collectives in the order of their blocks.
  std::vector<PassExchange> of(int stage, const PassPart& part);

 private:
  struct Block {
    Seconds total;
    std::vector<PassExchange> exchanges;  // since the beginning of the block
  };
  const Block& block(BlockKind kind, bool backward);

  const TrainingSetup& setup_;
  std::map<std::pair<BlockKind, bool>, Block> blocks_;
};

}  // namespace orrery::core
