// Says how long collectives take by themselves on a machine where they are messages.
#pragma once

#include <map>
#include <tuple>
#include <vector>

#include "program/collective_request.hpp"
#include "simulate/machine.hpp"

namespace orrery {

class CollectiveTimes {
 public:
  // `communicators` are those that requests name, cut at the machine's dimensions.
  CollectiveTimes(Machine machine, std::vector<Communicator> communicators)
      : machine_(std::move(machine)), communicators_(std::move(communicators)) {}

  // Returns the time of a collective on the group of rank 0 while all other ranks do nothing. It is simulated
  // once for all requests that are alike. Throws InputError when the machine cannot carry it out.
  Time alone(const CollectiveRequest& request);

 private:
  Time simulate_alone(const CollectiveRequest& request) const;

  Machine machine_;
  std::vector<Communicator> communicators_;
  std::map<std::tuple<CollectiveKind, Bytes, unsigned long, std::uint32_t>, Time> known_;
};

}  // namespace orrery
