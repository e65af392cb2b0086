// Says how long collectives take by themselves on a machine where they are messages.
#pragma once

#include <map>
#include <tuple>
#include <vector>

#include "base/units/rank_id.hpp"
#include "program/collective_request.hpp"
#include "program/known_times.hpp"
#include "simulate/machine.hpp"
#include "simulate/recording.hpp"

namespace orrery::core {

class CollectiveTimes {
 public:
  // `communicators` are those that requests name, cut at the machine's dimensions.
  CollectiveTimes(Machine machine, std::vector<Communicator> communicators)
      : machine_(std::move(machine)), communicators_(std::move(communicators)) {}

  struct Alone {
    Time time;              // until its last member ends
    bool together = false;  // all members end at the same time
  };
  // Returns the time of a collective on the group of rank 0 while all other ranks do nothing. It is simulated
  // once for all requests that are alike. Throws InputError when the machine cannot carry it out.
  const Alone& alone(const CollectiveRequest& request);
  // Simulates a collective on all groups of these ranks, while all other ranks do nothing. Part 0 of the
  // recording are these ranks.
  Recording on(std::vector<RankId> ranks, const CollectiveRequest& request) const;

  // Returns what these ranks send in it.
  std::vector<KnownTimes::Message> messages_on(std::vector<RankId> ranks,
                                               const CollectiveRequest& request) const;

  const std::vector<Communicator>& communicators() const { return communicators_; }

 private:
  Alone simulate_alone(const CollectiveRequest& request) const;
  Recording on(const Machine& machine, std::vector<RankId> ranks, const CollectiveRequest& request) const;

  Machine machine_;
  std::vector<Communicator> communicators_;
  std::map<std::tuple<CollectiveKind, Bytes, unsigned long, std::uint32_t>, Alone> known_;
};

}  // namespace orrery::core
