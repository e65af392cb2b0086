// Says how a machine of ASTRA-sim 2 runs collectives (docs/models/streams.md).
#pragma once

#include <memory>
#include <vector>

#include "base/bytes.hpp"
#include "collective/system_config.hpp"

namespace orrery {

enum class StreamPriority { lifo, fifo, explicit_ };

// Kinds with a root name one algorithm per dimension, or one for all. If they name none, they do not run.
struct StreamConfig : CollectiveConfig {
  StreamPriority priority = StreamPriority::lifo;
  int splits = 1;              // number of chunks of a collective
  double memory_gb_per_s = 0;  // local-mem-bw; 0: reductions cost nothing

  bool runs(CollectiveKind kind) const { return !algorithms_of(kind).empty(); }
};

// Requests of collectives name communicators and algorithms by numbers, which count in these lists.
struct RequestNames {
  const std::vector<Communicator>& communicators;                         // of the program
  const std::vector<std::shared_ptr<const CustomAlgorithm>>& algorithms;  // of the machine

  const Communicator& communicator_of(const CollectiveRequest& request) const {
    return communicators[request.communicator];
  }
  // Returns the algorithm of the user's that the request asks for. Null means that it asks for none.
  const CustomAlgorithm* algorithm_of(const CollectiveRequest& request) const {
    return request.algorithm > 0 ? algorithms[request.algorithm - 1].get() : nullptr;
  }
};

}  // namespace orrery
