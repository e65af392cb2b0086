// Describes the machine that a program runs on.
#pragma once

#include <memory>
#include <vector>

#include "base/dialect.hpp"
#include "base/units/rank_id.hpp"
#include "collective/library/collective_library.hpp"
#include "collective/plan/system_config.hpp"
#include "memory/remote_memory.hpp"
#include "network/network_setup.hpp"

namespace orrery::core {

struct Machine {
  Topology topology;
  SystemConfig system;
  Dialect dialect;
  std::vector<double> compute_slowdown;  // by rank, factor on its compute times; empty: 1 everywhere
  NetworkSetup network;
  // Carries out collectives by closed forms; null: collectives are messages.
  std::shared_ptr<const CollectiveLibrary> library = {};
  // Whether to record what each class of ranks does, not only the first class of each part.
  bool every_class = false;

  // The following members count only where ranks issue in slots and plan their own collectives
  // (OperationIssue::slots).
  // Algorithms that collectives name by number.
  std::vector<std::shared_ptr<const CustomAlgorithm>> algorithms = {};
  RemoteMemory memory = {};
  // In runs of fewer messages than this, ranks that end in the same instant are always in the order of their
  // events, because simulating them all takes no time.
  double few_messages = 2e6;
  // If all ranks do the same, that also holds if one of them sends fewer messages than this.
  double few_messages_of_rank = 20'000;

  // Returns the part of the machine that carries messages. It refers to the machine.
  TransportMachine transport_machine() const { return {topology, dialect, network}; }

  double slowdown_of(RankId rank) const {
    return compute_slowdown.empty() ? 1.0 : compute_slowdown[rank.index()];
  }
};

}  // namespace orrery::core
