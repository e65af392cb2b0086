// Collectives that take the time that they take alone, but only on some ranks.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "base/units/bytes.hpp"
#include "base/units/rank_id.hpp"
#include "base/units/time.hpp"
#include "program/collective_request.hpp"

namespace orrery::core {

// Messages of these collectives meet no others on these ranks, so they are not simulated there: what they
// put on links is only counted. All other ranks carry out the same collectives by messages.
struct KnownTimes {
  struct Message {
    int source, destination;
    Bytes bytes;
    std::uint64_t count;  // number of such messages in one collective
  };
  struct Collective {
    CollectiveRequest request;
    Time takes;                     // once all members are there
    std::vector<Message> messages;  // of one such collective on each group of these ranks
  };

  std::vector<Collective> collectives;
  std::vector<bool> ranks;  // by rank of the machine; of the members of a group, all or none

  // Returns the collective that a rank asks for; null if its time is not known there.
  const Collective* find(RankId rank, const CollectiveRequest& request) const {
    if (!ranks[rank.index()]) return nullptr;
    const auto found = std::ranges::find_if(
        collectives, [&](const Collective& one) { return is_alike(one.request, request); });
    return found == collectives.end() ? nullptr : &*found;
  }

 private:
  // The time of a collective by messages depends on nothing else.
  static bool is_alike(const CollectiveRequest& a, const CollectiveRequest& b) {
    return a.communicator == b.communicator && a.size == b.size && a.kind == b.kind &&
           a.dimensions == b.dimensions;
  }
};

}  // namespace orrery::core
